import { DAY_SECONDS } from './world/growth.js';

export interface DemoOptions {
  /** Where the files are written; created when it does not exist. */
  readonly directory: string;
  /** The end of the demo: no event is later. */
  readonly now: Date;
  /** An integer, of which 32 bits count; the default is 1. Equal options give files that are equal to the byte. */
  readonly seed?: number;
  /** About how many events, the default being 300,000; more where days are many, for no day is without any. */
  readonly events?: number;
  /** The default is one for 2,500 events, but at least 24. */
  readonly repositories?: number;
  /** The default is one for 15 events, but at least 500. */
  readonly people?: number;
  /** Days before that of `now`; the default is two years, or one day for 100 events, but at least 120. */
  readonly days?: number;
  readonly onProgress?: (progress: DemoProgress) => void;
  /** Ends the work between two days; the file being written is removed, those that are whole stay. */
  readonly signal?: AbortSignal;
}

export interface DemoProgress {
  readonly events: number;
  readonly total: number;
  /** The day just written, `YYYY-MM-DD`. */
  readonly day: string;
}

/** The options with every default decided. */
export interface Plan {
  readonly seed: number;
  readonly events: number;
  readonly repositories: number;
  readonly people: number;
  readonly days: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Throws a RangeError that names the option when one is out of range. */
export function planOf(options: DemoOptions): Plan {
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
    const least = LEAST[name];
    if (!Number.isSafeInteger(value) || value < least)
      throw new RangeError(`demo: expected ${name} to be an integer from ${least} on, got ${value}`);
  }
  return plan;
}

/** Fewer cannot fill a collection, a team or a day. */
const LEAST = { seed: -(2 ** 31), events: 1, repositories: 6, people: 100, days: 1 } as const;
const OPTIONS = ['seed', 'events', 'repositories', 'people', 'days'] as const;
