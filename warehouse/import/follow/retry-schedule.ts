import type { ArchiveHour } from '../files/archive-hours.js';

/**
 * Why an hour is not imported: the archive has neither this hour nor a later one (`unpublished`), has only later hours (`gap`), or its file
 * could not be downloaded or read (`failed`).
 */
export type MissingReason = 'unpublished' | 'gap' | 'failed';

/** Pauses in milliseconds that grow by a factor from the first to the longest pause. */
export interface Pauses {
  readonly firstMs: number;
  readonly factor: number;
  readonly lastMs: number;
}

const MINUTE_MS = 60_000;

/** The pauses before the next attempt of an hour. The archive publishes an hour some minutes after its end. */
const PAUSES: Readonly<Record<MissingReason, Pauses>> = {
  unpublished: { firstMs: MINUTE_MS, factor: 1.2, lastMs: 15 * MINUTE_MS },
  gap: { firstMs: 5 * MINUTE_MS, factor: 2, lastMs: 360 * MINUTE_MS },
  failed: { firstMs: 5_000, factor: 2, lastMs: 15 * MINUTE_MS },
};

/** The longest pause that is accepted from a server (`Retry-After`). */
const MAX_RETRY_AFTER_MS = 60 * MINUTE_MS;

interface Attempt {
  readonly reason: MissingReason;
  readonly message: string;
  readonly count: number;
  readonly nextMs: number;
}

/** The times at which missing hours are requested again. Each hour has separate pauses, so that one hour never blocks another. */
export class RetrySchedule {
  readonly #attempts = new Map<ArchiveHour, Attempt>();
  readonly #scale: number;

  /** Tests use `scale` to shorten all pauses. */
  constructor(scale = 1) {
    this.#scale = scale;
  }

  /**
   * Returns those of the missing hours that can be requested at this time, in the same order. Times are milliseconds of a monotonic clock.
   */
  due(missing: readonly ArchiveHour[], nowMs: number): ArchiveHour[] {
    return missing.filter((hour) => (this.#attempts.get(hour)?.nextMs ?? 0) <= nowMs);
  }

  /** Returns the milliseconds until the first of these hours can be requested; Infinity if there are no hours. */
  pauseMs(missing: readonly ArchiveHour[], nowMs: number): number {
    const waits = missing.map((hour) => (this.#attempts.get(hour)?.nextMs ?? 0) - nowMs);
    return Math.max(
      0,
      waits.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    );
  }

  /** Schedules the next attempt of an hour. Returns whether the reason or the message is new. */
  postpone(hour: ArchiveHour, reason: MissingReason, nowMs: number, message = '', retryAfterMs = 0): boolean {
    const last = this.#attempts.get(hour);
    const count = last?.reason === reason ? last.count + 1 : 0;
    const asked = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
    const pause = Math.max(asked, jittered(PAUSES[reason], count) * this.#scale);
    this.#attempts.set(hour, { reason, message, count, nextMs: nowMs + pause });
    return last?.reason !== reason || last.message !== message;
  }

  forget(hour: ArchiveHour): void {
    this.#attempts.delete(hour);
  }

  /** Returns the hours with this reason, oldest first, each with its message. */
  withReason(reason: MissingReason): (readonly [ArchiveHour, string])[] {
    return [...this.#attempts]
      .filter(([, attempt]) => attempt.reason === reason)
      .map(([hour, { message }]) => [hour, message] as const)
      .sort(([a], [b]) => a - b);
  }
}

/** Returns the pause after `count` earlier pauses, multiplied by a random factor of 0.75 to 1.25. */
export function jittered({ firstMs, factor, lastMs }: Pauses, count: number): number {
  return Math.min(firstMs * factor ** count, lastMs) * (0.75 + Math.random() / 2);
}
