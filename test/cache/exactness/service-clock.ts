const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The clock of the processes of the service. It differs from the real clock by an offset that changes. */
export class ServiceClock {
  offsetMs = 0;
  /** The offsets that may be in use, with the times of the monotonic clock at which their use could begin and end. */
  readonly #offsets: { readonly offsetMs: number; readonly from: number; to: number }[] = [
    { offsetMs: 0, from: 0, to: Number.POSITIVE_INFINITY },
  ];

  /** Moves the clock forwards. `setAll` sets the offset of all processes. */
  async moveBy(ms: number, setAll: (offsetMs: number) => Promise<void>): Promise<void> {
    const before = this.#offsets.at(-1);
    this.offsetMs += ms;
    const { offsetMs } = this;
    this.#offsets.push({ offsetMs, from: performance.now(), to: Number.POSITIVE_INFINITY });
    await setAll(offsetMs);
    if (before !== undefined) before.to = performance.now();
  }

  /** Moves the clock to some milliseconds before midnight. */
  moveToMidnight(setAll: (offsetMs: number) => Promise<void>): Promise<void> {
    const now = Date.now() + this.offsetMs;
    return this.moveBy(DAY - (now % DAY) - BEFORE_MIDNIGHT_MS, setAll);
  }

  /** The times of the service that an answer may have used since a time of the monotonic clock: `YYYY-MM-DD HH:MM:SS`. */
  timesSince(sentAt: number): string[] {
    const now = Date.now();
    const elapsed = performance.now() - sentAt;
    return this.#offsets
      .filter(({ to }) => to >= sentAt)
      .flatMap(({ offsetMs }) => [now - elapsed + offsetMs, now + offsetMs])
      .map((time) => new Date(time).toISOString().replace('T', ' '));
  }
}

const BEFORE_MIDNIGHT_MS = 150;
