import fc from 'fast-check';
import type { Shape } from './world.js';

/**
 * A description of a world with small numbers, which fast-check can create and shrink. People, repositories and words are indexes into
 * lists. A time is a number of seconds after a moment near which errors are likely.
 */
export interface Sketch {
  /** The current time of the world, as an argument of `selectClock`. */
  readonly now: number;
  readonly people: readonly SketchedPerson[];
  readonly repositories: readonly SketchedRepository[];
  readonly events: readonly SketchedEvent[];
  readonly threads: readonly SketchedThread[];
  readonly collections: readonly SketchedCollection[];
}

export interface SketchedPerson {
  readonly login: number;
  readonly newLogin: number;
  readonly hasLargeId: boolean;
  readonly isHidden: boolean;
  /** Whether GitHub's API returns the profile. */
  readonly isEnriched: boolean;
  readonly organization: number;
  readonly country: number;
}

export interface SketchedRepository {
  readonly name: number;
  /** The index of the name that the repository gets when it is renamed. */
  readonly newName: number;
  readonly renamed: Moment;
  readonly hasLargeId: boolean;
  readonly isHidden: boolean;
  readonly isDeleted: boolean;
  readonly isEnriched: boolean;
  /** The index of a number of stars near the thresholds of the trends. */
  readonly popularity: number;
  readonly language: number;
  readonly created: Moment;
  /** Whether GitHub's API returns the creation time. */
  readonly isAgeKnown: boolean;
  /** GitHub's counts of stars, if the repository is tracked. */
  readonly counts?: SketchedCounts | undefined;
  /** Whether GitHub's list of its issues and pull requests was read. The list contains all threads with a number. */
  readonly isListed?: boolean;
}

export interface SketchedCounts {
  /** The time of the newest request to GitHub. */
  readonly until: Moment;
  readonly days: readonly { readonly at: Moment; readonly stars: number }[];
}

/** A time: `seconds` after the element `moment` of `listMoments`. */
export interface Moment {
  readonly moment: number;
  readonly seconds: number;
}

interface SketchedOccurrence {
  readonly at: Moment;
  readonly shape: Shape;
  readonly repository: number;
  /** The index of the actor. −1 means that the event has no actor. */
  readonly person: number;
  /** The number of copies of the line in the file. A number above 1 simulates an error of the feed. */
  readonly times: number;
  readonly isRepeated: boolean;
}

export interface SketchedEvent extends SketchedOccurrence {
  readonly type:
    | 'WatchEvent'
    | 'ForkEvent'
    | 'PushEvent'
    | 'CreateEvent'
    | 'IssueCommentEvent'
    | 'PullRequestReviewEvent'
    | 'PullRequestReviewCommentEvent';
}

export interface SketchedThread extends SketchedOccurrence {
  readonly type: 'IssuesEvent' | 'PullRequestEvent';
  readonly hasNumber: boolean;
  readonly isOpeningSeen: boolean;
  readonly ends: readonly SketchedEnd[];
}

export interface SketchedEnd {
  readonly action: 'closed' | 'reopened' | 'merged';
  readonly seconds: number;
  readonly person: number;
  readonly times: number;
  /** The number of seconds between the merge and the event that reports it. */
  readonly late: number;
}

export interface SketchedCollection {
  readonly isPublic: boolean;
  readonly repositories: readonly number[];
  readonly visits: readonly { readonly daysAgo: number; readonly visits: number }[];
}

const flag = (weight: number) => fc.nat({ max: 99 }).map((percent) => percent >= 100 - weight);
const DAY = 86_400;

const seconds = fc.oneof(
  fc.constantFrom(0, -1, 1),
  fc.integer({ min: -2 * DAY, max: 2 * DAY }),
  fc.integer({ min: -25 * DAY, max: 0 }),
  fc.integer({ min: -200 * DAY, max: 0 }),
);
const moment: fc.Arbitrary<Moment> = fc.record({ moment: fc.nat({ max: 15 }), seconds });
const times = fc.oneof(
  { weight: 9, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 3 }) },
);
const person = fc.integer({ min: -1, max: 11 });

const occurrence = {
  at: moment,
  shape: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom<Shape>('2015', '2026', '2013', '2011') },
    { weight: 2, arbitrary: fc.constant<Shape>('2012') },
  ),
  repository: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat({ max: 4 }) }),
  person,
  times,
  isRepeated: flag(10),
};

const event: fc.Arbitrary<SketchedEvent> = fc.record({
  ...occurrence,
  type: fc.oneof(
    { weight: 6, arbitrary: fc.constant('WatchEvent' as const) },
    { weight: 3, arbitrary: fc.constant('PushEvent' as const) },
    { weight: 2, arbitrary: fc.constant('ForkEvent' as const) },
    { weight: 1, arbitrary: fc.constantFrom('CreateEvent' as const, 'IssueCommentEvent' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('PullRequestReviewEvent' as const, 'PullRequestReviewCommentEvent' as const),
    },
  ),
});

const thread: fc.Arbitrary<SketchedThread> = fc.record({
  ...occurrence,
  type: fc.constantFrom('IssuesEvent' as const, 'PullRequestEvent' as const),
  hasNumber: flag(90),
  isOpeningSeen: flag(85),
  ends: fc.array(
    fc.record({
      action: fc.constantFrom('merged' as const, 'closed' as const, 'reopened' as const),
      seconds: fc.nat({ max: 40 * DAY }),
      person,
      times,
      late: fc.constantFrom(0, 1, 3 * DAY),
    }),
    { maxLength: 3 },
  ),
});

export const randomSketch: fc.Arbitrary<Sketch> = fc.record({
  now: fc.oneof(fc.nat({ max: 11 }), fc.integer({ min: 12, max: 11 * 365 * DAY })),
  people: fc.array(
    fc.record({
      login: fc.nat({ max: 11 }),
      newLogin: fc.nat({ max: 23 }),
      hasLargeId: flag(20),
      isHidden: flag(10),
      isEnriched: flag(50),
      organization: fc.nat({ max: 21 }),
      country: fc.nat({ max: 8 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  repositories: fc.array(
    fc.record({
      name: fc.nat({ max: 6 }),
      newName: fc.nat({ max: 19 }),
      renamed: moment,
      hasLargeId: flag(20),
      isHidden: flag(10),
      isDeleted: flag(8),
      isEnriched: flag(50),
      popularity: fc.nat({ max: 3 }),
      language: fc.nat({ max: 5 }),
      created: moment,
      isAgeKnown: flag(80),
      isListed: flag(30),
      counts: fc.oneof(
        { weight: 2, arbitrary: fc.constant(undefined) },
        {
          weight: 1,
          arbitrary: fc.record({
            until: moment,
            days: fc.array(fc.record({ at: moment, stars: fc.integer({ min: 1, max: 6 }) }), { maxLength: 12 }),
          }),
        },
      ),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  events: fc.array(event, { minLength: 10, maxLength: 70, size: 'max' }),
  threads: fc.array(thread, { minLength: 5, maxLength: 40, size: 'max' }),
  collections: fc.array(
    fc.record({
      isPublic: flag(80),
      repositories: fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 6, size: 'max' }),
      visits: fc.array(
        fc.record({ daysAgo: fc.integer({ min: -1, max: 70 }), visits: fc.integer({ min: 1, max: 9 }) }),
        {
          maxLength: 3,
        },
      ),
    }),
    { maxLength: 2 },
  ),
});
