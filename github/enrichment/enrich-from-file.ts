import { stat } from 'node:fs/promises';
import { sqlTime } from '../../engine/index.js';
import type { Store } from '../../warehouse/store/store.js';
import { ProfileFileError, readProfiles, type WrongRow } from './profile-file.js';
import type { Profile, ProfileTarget } from './profile-target.js';
import { storeProfiles } from './store-profiles.js';

export interface FileOptions {
  /** Adds values that are derived from a profile, for example the country. */
  readonly complete: (profile: Profile) => Profile;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
  readonly onProgress?: (state: { readonly bytes: number; readonly totalBytes: number; readonly rows: number }) => void;
}

export interface FileSummary {
  /** The number of records with a profile in the file. */
  readonly refreshed: number;
  /** The number of rows for records that are not in the tables. */
  readonly unknown: number;
  /** The number of rows with errors. */
  readonly wrong: number;
  /** The first ten rows with errors. */
  readonly wrongRows: readonly WrongRow[];
  readonly seconds: number;
  readonly stopped?: string;
}

/**
 * Stores the profiles of a CSV file, 5,000 rows per transaction. The function is idempotent. Rejects with `ProfileFileError` if the whole
 * file is unreadable.
 */
export async function enrichFromFile(
  store: Store,
  target: ProfileTarget,
  file: string,
  { complete, clock, signal, onProgress }: FileOptions,
): Promise<FileSummary> {
  const started = performance.now();
  const totalBytes = await readSize(file);
  const sum = { refreshed: 0, unknown: 0, wrong: 0 };
  const wrongRows: WrongRow[] = [];
  const summary = () => ({ ...sum, wrongRows, seconds: (performance.now() - started) / 1000 });
  const refreshedAt = sqlTime(clock());
  return store.runExclusively(`enrichment of ${target.table}`, 0, async () => {
    for await (const { profiles, wrong, bytes } of readProfiles(file, target, ROWS_PER_TRANSACTION)) {
      if (signal.aborted) return { ...summary(), stopped: (signal.reason as Error).message };
      if (profiles.length > 0) {
        const { known } = await storeProfiles(store, target, profiles.map(complete), refreshedAt);
        sum.refreshed += known;
        sum.unknown += profiles.length - known;
      }
      sum.wrong += wrong.length;
      wrongRows.push(...wrong.slice(0, MAX_LISTED_ROWS - wrongRows.length));
      onProgress?.({ bytes, totalBytes, rows: sum.refreshed + sum.unknown + sum.wrong });
    }
    await store.optimize();
    return summary();
  });
}

const ROWS_PER_TRANSACTION = 5_000;
const MAX_LISTED_ROWS = 10;

/** Returns the size of a file in bytes; 0 for a pipe, whose size is unknown. */
async function readSize(file: string): Promise<number> {
  const stats = await stat(file);
  if (stats.isDirectory()) throw new ProfileFileError(`${file}: expected a CSV file, got a folder.`);
  return stats.size;
}
