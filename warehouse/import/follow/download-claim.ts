import { AlreadyRunningError, type Claim, type Store } from '../../store/store.js';
import type { ArchiveHour } from '../files/archive-hours.js';

/** Thrown if another follower is downloading. */
export class DownloadRunningError extends Error {
  override readonly name = 'DownloadRunningError';

  constructor(holder: string) {
    super(`Another follower downloads hours for this database, in ${holder}. This one continues after it.`);
  }
}

/**
 * A lock with which only one of several followers downloads at a time; the other followers then find its hours in the database. The claim
 * only avoids unnecessary downloads: the lock of imports already ensures that each hour is imported once. So a follower does not wait long
 * for another one that makes no progress, for example because its machine lost power.
 */
export class DownloadClaim {
  readonly #store: Pick<Store, 'claim'>;
  readonly #work: string;
  readonly #stopwatch: () => number;
  #held: Claim | undefined;
  #waiting: { readonly hour: ArchiveHour; readonly sinceMs: number } | undefined;

  /** `work` is the name of the lock. Followers of different archives use different names, because they download different files. */
  constructor(store: Pick<Store, 'claim'>, stopwatch = () => performance.now(), work = 'download') {
    this.#store = store;
    this.#work = work;
    this.#stopwatch = stopwatch;
  }

  /**
   * Acquires the lock. Throws `DownloadRunningError` while another follower downloads. `next` is the first hour that this follower would
   * download.
   */
  async take(next: ArchiveHour): Promise<void> {
    if (this.#held !== undefined) return;
    try {
      this.#held = await this.#store.claim(this.#work);
      this.#waiting = undefined;
    } catch (error) {
      // If the lock cannot be acquired for another reason, for example without a connection for it, the follower downloads without it.
      if (!(error instanceof AlreadyRunningError)) return;
      const nowMs = this.#stopwatch();
      if (this.#waiting?.hour !== next) this.#waiting = { hour: next, sinceMs: nowMs };
      if (nowMs - this.#waiting.sinceMs < PATIENCE_MS) throw new DownloadRunningError(error.holder);
    }
  }

  async release(): Promise<void> {
    const claim = this.#held;
    this.#held = undefined;
    await claim?.release();
  }
}

const PATIENCE_MS = 5 * 60_000;
