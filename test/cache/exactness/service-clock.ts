const DAY = 86_400_000;

/** The time of the test: the real time, or a fixed time in which events are only ordered by marks. */
export interface TestTime {
  /** Returns milliseconds since 1970, without the offset of the service's clock. */
  now(): number;
  /** Returns a number that increases with each call. */
  mark(): number;
  /** Returns the milliseconds since a call of `mark`. */
  msSince(mark: number): number;
}

/** Creates a time that never advances without an offset. */
export function fixedTime(): TestTime {
  let marks = 0;
  return {
    now: () => Date.parse('2026-06-30T21:30:00Z'),
    mark: () => {
      marks += 1;
      return marks;
    },
    msSince: () => 0,
  };
}

/** The clock of the service processes. The time is the time of the test plus an offset, which the test changes. */
export class ServiceClock {
  offsetMs = 0;
  readonly #time: TestTime;
  /** The offsets that may be in use, with the marks at which their use can have begun and ended. */
  readonly #offsets: { readonly offsetMs: number; readonly from: number; to: number }[] = [
    { offsetMs: 0, from: 0, to: Number.POSITIVE_INFINITY },
  ];

  constructor(time: TestTime) {
    this.#time = time;
  }

  /** Moves the clock forward. `setAll` sets the offset of all processes. */
  async moveBy(ms: number, setAll: (offsetMs: number) => Promise<void>): Promise<void> {
    const before = this.#offsets.at(-1);
    this.offsetMs += ms;
    const { offsetMs } = this;
    this.#offsets.push({ offsetMs, from: this.#time.mark(), to: Number.POSITIVE_INFINITY });
    await setAll(offsetMs);
    if (before !== undefined) before.to = this.#time.mark();
  }

  /** Moves the clock to a few milliseconds before midnight. */
  moveToMidnight(setAll: (offsetMs: number) => Promise<void>): Promise<void> {
    const now = this.#time.now() + this.offsetMs;
    return this.moveBy(DAY - (now % DAY) - BEFORE_MIDNIGHT_MS, setAll);
  }

  /** Returns the times of the service's clock that an answer may have used since a mark, as `YYYY-MM-DD HH:MM:SS`. */
  timesSince(sentAt: number): string[] {
    const now = this.#time.now();
    const elapsed = this.#time.msSince(sentAt);
    return this.#offsets
      .filter(({ to }) => to >= sentAt)
      .flatMap(({ offsetMs }) => [now - elapsed + offsetMs, now + offsetMs])
      .map((time) => new Date(time).toISOString().replace('T', ' '));
  }
}

const BEFORE_MIDNIGHT_MS = 150;
