import { DAY_SECONDS } from './world/growth.js';

export interface DemoOptions {
  /** The directory of the files; it is created if it does not exist. */
  readonly directory: string;
  /** The end of the demo period. No event is later. */
  readonly now: Date;
  /** An integer; only its lowest 32 bits are used. Default 1. Equal options create byte-equal files. */
  readonly seed?: number;
  /** The approximate number of events, default 300,000. If there are many days, there can be more events, because every day has some. */
  readonly events?: number;
  /** The number of repositories. Default: one per 2,500 events, at least 24. */
  readonly repositories?: number;
  /** The number of people. Default: one per 15 events, at least 500. */
  readonly people?: number;
  /** Number of days before the day of `now`. Default: one per 100 events, at least 120 and at most 730. */
  readonly days?: number;
  readonly onProgress?: (progress: DemoProgress) => void;
  /** Stops the generation between two days. The unfinished file is deleted; finished files are kept. */
  readonly signal?: AbortSignal;
}

/** The progress after a day. */
export interface DemoProgress {
  readonly events: number;
  readonly total: number;
  /** The day that was written, `YYYY-MM-DD`. */
  readonly day: string;
}

/** The options with all defaults applied. */
export interface DemoPlan {
  readonly seed: number;
  readonly events: number;
  readonly repositories: number;
  readonly people: number;
  readonly days: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Applies the defaults. Throws a RangeError with the name of the option that is out of range. */
export function createPlan(options: DemoOptions): DemoPlan {
  const events = options.events ?? 300_000;
  const days = options.days ?? Math.min(730, Math.max(120, Math.round(events / 100)));
  const endSeconds = Math.floor(options.now.getTime() / 1000) + 1;
  if (Number.isNaN(endSeconds)) throw new RangeError(`demo: expected now to be a date, got ${options.now}`);
  const plan = {
    seed: options.seed ?? 1,
    events,
    repositories: options.repositories ?? Math.max(24, Math.round(events / 2500)),
    people: options.people ?? Math.max(500, Math.round(events / 15)),
    days,
    startSeconds: (Math.floor((endSeconds - 1) / DAY_SECONDS) - days) * DAY_SECONDS,
    endSeconds,
  };
  for (const name of OPTIONS) {
    const value = plan[name];
    const minimum = MINIMUMS[name];
    if (!Number.isSafeInteger(value) || value < minimum)
      throw new RangeError(`demo: expected ${name} to be an integer of at least ${minimum}, got ${value}`);
  }
  return plan;
}

/** The minimum of each option. A smaller demo cannot fill a collection, a team or a day. */
const MINIMUMS = { seed: -(2 ** 31), events: 1, repositories: 6, people: 100, days: 1 } as const;
const OPTIONS = ['seed', 'events', 'repositories', 'people', 'days'] as const;
