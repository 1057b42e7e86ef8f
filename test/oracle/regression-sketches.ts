import type { Sketch, SketchedEvent, SketchedPerson, SketchedRepository, SketchedThread } from './sketch.js';

/** Small worlds for which an earlier version of an operation returned a wrong answer. Every run tests these worlds first. */
export function createRegressionSketches(): Sketch[] {
  return [
    createIssueOpenedLaterToday(),
    createPullRequestOpenedLaterToday(),
    createVisitsOfTomorrow(),
    createEqualStarsAfterRename(),
    createScoreNearRoundingLimit(),
    createRenamedPerson(),
    createUnknownTimes(),
    createPrivateCollection(),
    createCountedStars(),
  ];
}

/** The index in `CLOCKS` of the time 2024-05-17 12:34:56. */
const NOON = 0;
const PLAIN = { moment: NOON, seconds: 0 };
const HOUR = 3600;
const DAY = 24 * HOUR;

/** An earlier bug: rankings counted stars of the whole current day, but issues only until the current time. */
function createIssueOpenedLaterToday(): Sketch {
  return createSketch({
    threads: [{ ...thread, at: { moment: NOON, seconds: HOUR } }],
    collections: [{ isPublic: true, repositories: [0], visits: [] }],
  });
}

function createPullRequestOpenedLaterToday(): Sketch {
  return createSketch({
    threads: [{ ...thread, type: 'PullRequestEvent', at: { moment: NOON, seconds: HOUR } }],
    collections: [{ isPublic: true, repositories: [0], visits: [] }],
  });
}

/** An earlier bug: visits on days after the current day counted as visits of the last month. */
function createVisitsOfTomorrow(): Sketch {
  return createSketch({
    collections: [
      { isPublic: true, repositories: [0], visits: [{ daysAgo: 0, visits: 1 }] },
      { isPublic: true, repositories: [0], visits: [{ daysAgo: -1, visits: 9 }] },
    ],
  });
}

/** A score of exactly 202.00175. The nearest binary floating point number is smaller, so it would be rounded incorrectly. */
function createScoreNearRoundingLimit(): Sketch {
  return createSketch({
    repositories: [{ ...repository, isEnriched: true, created: { moment: NOON, seconds: -40 * DAY } }],
    events: [
      { ...star, at: { moment: NOON, seconds: -30 * DAY + 1512 } },
      { ...star, type: 'PushEvent', at: { moment: NOON, seconds: -10 * DAY } },
    ],
  });
}

/**
 * An earlier bug: trends used the login in the event. A renamed person appeared twice, and a bot appeared as a contributor under its former
 * login.
 */
function createRenamedPerson(): Sketch {
  const before = { moment: NOON, seconds: -30 * DAY };
  return createSketch({
    people: [{ ...person, login: 7, newLogin: 0 }],
    repositories: [{ ...repository, isEnriched: true, created: { moment: NOON, seconds: -40 * DAY } }],
    events: [
      { ...star, at: before },
      { ...star, type: 'PushEvent', at: before },
      { ...star, type: 'IssueCommentEvent' },
    ],
  });
}

/**
 * An earlier bug: trends omitted a repository with an unknown last push, and gave the bonus for new repositories to a repository of unknown
 * age.
 */
function createUnknownTimes(): Sketch {
  return createSketch({
    repositories: [
      { ...repository, isEnriched: true, created: { moment: NOON, seconds: -400 * DAY } },
      { ...repository, isEnriched: true, name: 1, isAgeKnown: false },
    ],
    events: [star, { ...star, repository: 1 }, { ...star, type: 'PushEvent', repository: 1 }],
  });
}

/** An earlier bug in the oracle: it expected the repositories of a collection that is not public. */
function createPrivateCollection(): Sketch {
  return createSketch({
    threads: [thread, { ...thread, type: 'PullRequestEvent' }],
    collections: [{ isPublic: false, repositories: [0], visits: [] }],
  });
}

/** A repository with stars that GitHub counts, and people in the events before and after the day of the newest request. */
function createCountedStars(): Sketch {
  const daysAgo = (days: number) => ({ moment: NOON, seconds: -days * DAY });
  const counts = {
    until: daysAgo(10),
    days: [40, 30, 12, 10, 9].map((days, index) => ({ at: daysAgo(days), stars: index + 1 })),
  };
  return createSketch({
    people: [person, { ...person, login: 1 }],
    repositories: [
      { ...repository, counts },
      { ...repository, name: 1, counts: { ...counts, days: [] } },
      { ...repository, name: 2 },
    ],
    events: [30, 11, 10, 9, 1].flatMap((days, index) =>
      [0, 1, 2].map((repository) => ({ ...star, at: daysAgo(days), repository, person: index % 2 })),
    ),
    collections: [{ isPublic: true, repositories: [0, 1, 2], visits: [{ daysAgo: 1, visits: 9 }] }],
  });
}

/** An earlier bug: ties were broken by the names in the collection, although newer names may be displayed. */
function createEqualStarsAfterRename(): Sketch {
  const lastMonth = { moment: NOON, seconds: -30 * DAY };
  const renamed = { moment: NOON, seconds: -60 * DAY };
  return createSketch({
    repositories: [
      { ...repository, name: 0, newName: 1, renamed },
      { ...repository, name: 1, newName: 0, renamed },
    ],
    events: [
      { ...star, at: lastMonth, repository: 0 },
      { ...star, at: lastMonth, repository: 1 },
    ],
    collections: [{ isPublic: true, repositories: [0, 1], visits: [{ daysAgo: 1, visits: 9 }] }],
  });
}

function createSketch(parts: Partial<Sketch>): Sketch {
  return {
    now: NOON,
    people: [person],
    repositories: [repository],
    events: [star],
    threads: [],
    collections: [],
    ...parts,
  };
}

const person: SketchedPerson = {
  login: 0,
  newLogin: 23,
  hasLargeId: false,
  isHidden: false,
  isEnriched: false,
  organization: 0,
  country: 0,
};

const repository: SketchedRepository = {
  name: 0,
  newName: 19,
  renamed: PLAIN,
  hasLargeId: false,
  isHidden: false,
  isDeleted: false,
  isEnriched: false,
  popularity: 0,
  language: 0,
  created: PLAIN,
  isAgeKnown: true,
};

const occurrence = { at: PLAIN, shape: '2015', repository: 0, person: 0, times: 1, isRepeated: false } as const;

const star: SketchedEvent = { ...occurrence, type: 'WatchEvent' };

const thread: SketchedThread = { ...occurrence, type: 'IssuesEvent', hasNumber: true, isOpeningSeen: true, ends: [] };
