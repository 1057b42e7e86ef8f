import { AlreadyRunningError, type Claim, type Store } from '../../store/store.js';
import type { ArchiveHour } from '../files/archive-hours.js';

/** Another follower downloads. */
export class DownloadRunningError extends Error {
  override readonly name = 'DownloadRunningError';

  constructor(holder: string) {
    super(`Another follower downloads hours for this database, in ${holder}. This one continues after it.`);
  }
}

/**
 * Lets one of several followers download at a time; the others then find its hours in the database. It only saves downloads: every
 * hour is imported once without it, because of the lock of imports. So a follower does not wait long for one that makes no progress,
 * for example because its machine lost power.
 */
export class DownloadClaim {
  readonly #store: Pick<Store, 'claim'>;
  readonly #work: string;
  readonly #stopwatch: () => number;
  #held: Claim | undefined;
  #waiting: { readonly hour: ArchiveHour; readonly sinceMs: number } | undefined;

  /** Followers of several archives have different work. */
  constructor(store: Pick<Store, 'claim'>, stopwatch = () => performance.now(), work = 'download') {
    this.#store = store;
    this.#work = work;
    this.#stopwatch = stopwatch;
  }

  /** Throws `DownloadRunningError` while another follower downloads. `next` is the first hour that this follower would download. */
  async take(next: ArchiveHour): Promise<void> {
    if (this.#held !== undefined) return;
    try {
      this.#held = await this.#store.claim(this.#work);
      this.#waiting = undefined;
    } catch (error) {
      // Without its own connection for the claim, a follower downloads too.
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
