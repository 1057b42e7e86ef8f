import type { Mutex } from '../../../engine/databases/mutex.js';
import type { Store } from '../../store/store.js';
import type { ArchiveHour } from '../files/archive-hours.js';
import type { ImportOptions } from '../import-options.js';
import type { FollowProgress } from './follow-progress.js';
import type { ArchiveRole } from './followed-hours.js';

export interface FollowOptions {
  readonly store: Store;
  readonly importing: Pick<
    ImportOptions,
    'stagingDirectory' | 'downloadDirectory' | 'archiveUrl' | 'stallMs' | 'onProgress'
  >;
  /** The archive of `importing`, if it is one of several. */
  readonly archive?: ArchiveRole;
  /** Runs the imports of followers in this process one at a time. */
  readonly imports?: Pick<Mutex, 'run'>;
  /** Decides which hours have ended. A fixed clock follows up to its time. Pauses use the time of the system. */
  readonly clock: () => Date;
  /** The first hour. Default: see `startFollowing`. */
  readonly from?: ArchiveHour;
  /** Ends when every missing hour was requested once, and fails if the database does. */
  readonly once?: boolean;
  /** Shortens all pauses, for tests. */
  readonly pauseScale?: number;
  readonly onEvent?: (event: FollowEvent) => void;
  /** Called after the progress of the follower has changed. */
  readonly onChange?: () => void;
}

/** What an operator wants to know. Events about the same problem are not repeated. `hour` is `2026-01-31-5`. */
export type FollowEvent =
  | { readonly kind: 'imported'; readonly hour: string; readonly events: number }
  | { readonly kind: 'gap'; readonly hour: string }
  | { readonly kind: 'failed'; readonly hour: string; readonly message: string }
  | { readonly kind: 'standby'; readonly message: string }
  | { readonly kind: 'error'; readonly message: string };

export interface FollowSummary extends FollowProgress {
  /** The number of events that this follower has added. */
  readonly events: number;
  /** The hours that the archive does not have, although it has later ones. */
  readonly gaps: readonly string[];
  /** The hours that could not be downloaded or read. */
  readonly failed: readonly { readonly hour: string; readonly message: string }[];
}
