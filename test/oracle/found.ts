import type { Sketch, SketchedDeed, SketchedPerson, SketchedRepository, SketchedThread } from './any-world.js';

/** Worlds in which an operation was once wrong, made small. They come first in every run. */
export function found(): Sketch[] {
  return [
    issueOpenedLaterToday(),
    pullRequestOpenedLaterToday(),
    collectionAskedForTomorrow(),
    equalStarsAfterRename(),
    scoreBetweenTwo(),
    personWithFormerLogin(),
    unknownTimes(),
  ];
}

/** 2024-05-17 12:34:56. */
const NOON = 0;
const PLAIN = { moment: NOON, seconds: 0 };
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Rankings counted stars of the whole day, but issues up to the minute. */
function issueOpenedLaterToday(): Sketch {
  return world({
    threads: [{ ...thread, at: { moment: NOON, seconds: HOUR } }],
    collections: [{ isPublic: true, repositories: [0], visits: [] }],
  });
}

function pullRequestOpenedLaterToday(): Sketch {
  return world({
    threads: [{ ...thread, type: 'PullRequestEvent', at: { moment: NOON, seconds: HOUR } }],
    collections: [{ isPublic: true, repositories: [0], visits: [] }],
  });
}

/** Visits of days after the clock counted as visits of the last month. */
function collectionAskedForTomorrow(): Sketch {
  return world({
    collections: [
      { isPublic: true, repositories: [0], visits: [{ daysAgo: 0, visits: 1 }] },
      { isPublic: true, repositories: [0], visits: [{ daysAgo: -1, visits: 9 }] },
    ],
  });
}

/** The score is 202.00175 without rounding; a binary fraction is less than that. */
function scoreBetweenTwo(): Sketch {
  return world({
    repositories: [{ ...repository, isTold: true, created: { moment: NOON, seconds: -40 * DAY } }],
    deeds: [
      { ...star, at: { moment: NOON, seconds: -30 * DAY + 1512 } },
      { ...star, type: 'PushEvent', at: { moment: NOON, seconds: -10 * DAY } },
    ],
  });
}

/** Trends showed the login of the event: a person was two, and a bot's login that was given up a contributor. */
function personWithFormerLogin(): Sketch {
  const before = { moment: NOON, seconds: -30 * DAY };
  return world({
    people: [{ ...person, login: 7, newLogin: 0 }],
    repositories: [{ ...repository, isTold: true, created: { moment: NOON, seconds: -40 * DAY } }],
    deeds: [
      { ...star, at: before },
      { ...star, type: 'PushEvent', at: before },
      { ...star, type: 'IssueCommentEvent' },
    ],
  });
}

/** Trends left out a repository of unknown last push, and gave the bonus of new repositories to one of unknown age. */
function unknownTimes(): Sketch {
  return world({
    repositories: [
      { ...repository, isTold: true, created: { moment: NOON, seconds: -400 * DAY } },
      { ...repository, isTold: true, name: 1, isAgeKnown: false },
    ],
    deeds: [star, { ...star, repository: 1 }, { ...star, type: 'PushEvent', repository: 1 }],
  });
}

/** Equal ranks were decided by names in the collection, which may be older than those shown. */
function equalStarsAfterRename(): Sketch {
  const lastMonth = { moment: NOON, seconds: -30 * DAY };
  const renamed = { moment: NOON, seconds: -60 * DAY };
  return world({
    repositories: [
      { ...repository, name: 0, newName: 1, renamed },
      { ...repository, name: 1, newName: 0, renamed },
    ],
    deeds: [
      { ...star, at: lastMonth, repository: 0 },
      { ...star, at: lastMonth, repository: 1 },
    ],
    collections: [{ isPublic: true, repositories: [0, 1], visits: [{ daysAgo: 1, visits: 9 }] }],
  });
}

function world(parts: Partial<Sketch>): Sketch {
  return {
    now: NOON,
    people: [person],
    repositories: [repository],
    deeds: [star],
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
  isTold: false,
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
  isTold: false,
  popularity: 0,
  language: 0,
  created: PLAIN,
  isAgeKnown: true,
};

const happening = { at: PLAIN, shape: '2015', repository: 0, person: 0, times: 1, isRepeated: false } as const;

const star: SketchedDeed = { ...happening, type: 'WatchEvent' };

const thread: SketchedThread = { ...happening, type: 'IssuesEvent', hasNumber: true, isOpeningSeen: true, ends: [] };
