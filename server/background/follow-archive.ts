import type { Logger } from 'pino';
import { parseArchiveHour } from '../../warehouse/import/files/archive-hours.js';
import type { FollowProgress } from '../../warehouse/import/follow/follow-progress.js';
import { FollowStartError } from '../../warehouse/import/follow/followed-hours.js';
import { type ArchiveEvent, createFollowers } from '../../warehouse/import/follow/followers.js';
import type { ImportOptions } from '../../warehouse/import/import-options.js';
import type { Store } from '../../warehouse/store/store.js';
import type { Settings } from '../settings/settings.js';
import { isLate } from './repeat.js';

/** The number of imported events, and the number of problems of each kind. */
export interface FollowCounts {
  events: number;
  gap: number;
  failed: number;
  error: number;
}

export interface ArchiveFollower {
  /** Returns the current state. The call is cheap: nothing is read from the database. */
  progress(): FollowProgress;
  /** The events and problems since the start. */
  readonly counts: Readonly<FollowCounts>;
  /** Finds the first hour. Throws `FollowStartError` if no archive can be followed. Logs other problems and retries. */
  prepare(): Promise<void>;
  start(): void;
  /** Resolves when the current batch is stored. Hours that were only read in part are imported by the next start. */
  stop(): Promise<void>;
}

export interface FollowParts {
  readonly settings: Pick<Settings, 'archiveUrl' | 'followArchive'>;
  /** Without write access (undefined), the archive is not followed. */
  readonly store: Store | undefined;
  readonly folders: Pick<ImportOptions, 'stagingDirectory' | 'downloadDirectory'>;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Called after the progress has changed. */
  readonly onChange: () => void;
}

/**
 * Follows the archives in the background if `FOLLOW_ARCHIVE` is set. Problems are logged and retried; they never stop a running service.
 * The progress is that of the first archive, but its hours are those of all archives.
 */
export function followArchive(parts: FollowParts): ArchiveFollower | undefined {
  const { store, folders, clock, logger, onChange } = parts;
  const { archiveUrl, followArchive: start } = parts.settings;
  if (start === 'no' || store === undefined) return undefined;
  const from = parseArchiveHour(start);
  const counts: FollowCounts = { events: 0, gap: 0, failed: 0, error: 0 };
  const [follower, ...others] = createFollowers({
    store,
    importing: { ...folders, archiveUrl },
    clock,
    ...(from !== undefined && { from }),
    onEvent: (event) => {
      if (event.kind === 'imported') counts.events += event.events;
      else if (event.kind !== 'standby') counts[event.kind] += 1;
      logEvent(event, logger);
    },
    onChange,
  });
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const prepare = () =>
    follower.prepare().catch((error: unknown) => {
      if (error instanceof FollowStartError) throw error;
      logger.error({ err: error }, 'the first hour of the archive could not be read; it is retried');
    });
  return {
    progress: () => follower.progress(),
    counts,
    prepare: async () => {
      if (await isLate(prepare(), PREPARE_MS)) logger.warn('the first hour of the archive is not known yet');
    },
    start: () => {
      running = Promise.all(
        [follower, ...others].map((one) =>
          one
            .run(stopping.signal)
            .catch((error: unknown) => logger.error({ err: error }, 'the archive is not followed')),
        ),
      );
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** The maximum time that the start of the service waits for the database. */
const PREPARE_MS = 5_000;

function logEvent({ kind, ...facts }: ArchiveEvent, logger: Logger): void {
  if (kind === 'imported') logger.info(facts, 'an hour of the archive was imported');
  else if (kind === 'standby')
    logger.info(facts, 'another process imports or downloads; the archive is followed after it');
  else if (kind === 'gap') logger.warn(facts, 'the archive does not have this hour, but later ones; it is retried');
  else if (kind === 'failed') logger.warn(facts, 'an hour of the archive could not be imported; it is retried');
  else logger.error(facts, 'following the archive failed; it is retried');
}
