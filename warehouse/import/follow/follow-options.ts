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
  /** The archive of `importing`, if several archives are followed. */
  readonly archive?: ArchiveRole;
  /** The mutex with which followers in this process import one at a time. */
  readonly imports?: Pick<Mutex, 'run'>;
  /**
   * The clock that determines which hours have ended. With a fixed clock, hours are followed up to its time. Pauses use the system clock.
   */
  readonly clock: () => Date;
  /** The first hour to follow. Default: see `startFollowing`. */
  readonly from?: ArchiveHour;
  /** Ends after every missing hour was requested once. Database errors are thrown instead of retried. */
  readonly once?: boolean;
  /** A factor for all pauses. Tests use the factor to shorten pauses. */
  readonly pauseScale?: number;
  readonly onEvent?: (event: FollowEvent) => void;
  /** Called after the progress of the follower has changed. */
  readonly onChange?: () => void;
}

/** An event for the operator. The same problem is only reported once. `hour` has the form `2026-01-31-5`. */
export type FollowEvent =
  | { readonly kind: 'imported'; readonly hour: string; readonly events: number }
  | { readonly kind: 'gap'; readonly hour: string }
  | { readonly kind: 'failed'; readonly hour: string; readonly message: string }
  | { readonly kind: 'standby'; readonly message: string }
  | { readonly kind: 'error'; readonly message: string };

export interface FollowSummary extends FollowProgress {
  /** The number of events that this follower has added. */
  readonly events: number;
  /** The hours that the archive does not have although it has later hours. */
  readonly gaps: readonly string[];
  /** The hours that could not be downloaded or read. */
  readonly failed: readonly { readonly hour: string; readonly message: string }[];
}
