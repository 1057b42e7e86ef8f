import { stat } from 'node:fs/promises';
import { sqlTime } from '../../engine/index.js';
import type { Store } from '../../warehouse/store/store.js';
import { ProfileFileError, readProfiles, type WrongRow } from './profile-file.js';
import type { ProfileTarget, ToldProfile } from './profile-target.js';
import { storeProfiles } from './store-profiles.js';

export interface FileOptions {
  /** Adds what follows from a profile. */
  readonly complete: (profile: ToldProfile) => ToldProfile;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
  readonly onProgress?: (state: { readonly bytes: number; readonly totalBytes: number; readonly rows: number }) => void;
}

export interface FileSummary {
  /** Records that the file told of. */
  readonly refreshed: number;
  /** Rows about what is not in this data set. */
  readonly unknown: number;
  readonly wrong: number;
  /** The first of the wrong rows. */
  readonly wrongRows: readonly WrongRow[];
  readonly seconds: number;
  readonly stopped?: string;
}

/** Writes the profiles of a CSV file, some thousands in a transaction. Twice gives the same. Throws `ProfileFileError`. */
export async function enrichFromFile(
  store: Store,
  target: ProfileTarget,
  file: string,
  { complete, clock, signal, onProgress }: FileOptions,
): Promise<FileSummary> {
  const started = performance.now();
  const totalBytes = await sizeOf(file);
  const sum = { refreshed: 0, unknown: 0, wrong: 0 };
  const wrongRows: WrongRow[] = [];
  const summary = () => ({ ...sum, wrongRows, seconds: (performance.now() - started) / 1000 });
  const toldAt = sqlTime(clock());
  return store.runExclusively(`enrichment of ${target.table}`, 0, async () => {
    for await (const { profiles, wrong, bytes } of readProfiles(file, target, ROWS)) {
      if (signal.aborted) return { ...summary(), stopped: (signal.reason as Error).message };
      if (profiles.length > 0) {
        const { known } = await storeProfiles(store, target, profiles.map(complete), toldAt);
        sum.refreshed += known;
        sum.unknown += profiles.length - known;
      }
      sum.wrong += wrong.length;
      wrongRows.push(...wrong.slice(0, SHOWN - wrongRows.length));
      onProgress?.({ bytes, totalBytes, rows: sum.refreshed + sum.unknown + sum.wrong });
    }
    await store.optimize();
    return summary();
  });
}

const ROWS = 5_000;
const SHOWN = 10;

/** 0 for a pipe. */
async function sizeOf(file: string): Promise<number> {
  const stats = await stat(file);
  if (stats.isDirectory()) throw new ProfileFileError(`${file}: expected a CSV file, got a folder.`);
  return stats.size;
}
