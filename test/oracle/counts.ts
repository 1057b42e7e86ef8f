import { findParticipations, type Participation } from './creators.js';
import { dayOf } from './times.js';
import type { KnownRepository } from './universe.js';
import type { StarCounts } from './world.js';

/** Returns the days of the stars that GitHub counts. A day occurs once per star. */
export function countedDays({ until, days }: StarCounts): string[] {
  return [...days].flatMap(([day, stars]) => (day <= until ? Array<string>(stars).fill(day) : []));
}

/** Returns the stars in the events on days that GitHub has not counted. */
export function findUncountedStars(repository: KnownRepository): Participation[] {
  const until = repository.counts?.until ?? '';
  return findParticipations(repository, 'stargazers').filter(({ at }) => dayOf(at) > until);
}

/** Returns the days of all stars: those that GitHub counts, and on other days, stars of people who have not starred on an earlier day. */
export function daysOfStars(repository: KnownRepository): string[] {
  const { counts } = repository;
  const firsts = firstDays(findParticipations(repository, 'stargazers'));
  return counts === undefined ? firsts : [...countedDays(counts), ...firsts.filter((day) => day > counts.until)];
}

/** Returns the day of the first participation of each person. */
export function firstDays(participations: readonly Participation[]): string[] {
  const firsts = new Map<bigint, string>();
  for (const { user, at } of participations) {
    const before = firsts.get(user);
    if (before === undefined || at < before) firsts.set(user, at);
  }
  return [...firsts.values()].map(dayOf);
}
