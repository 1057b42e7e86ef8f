import { findParticipations, type Participation } from './creators.js';
import { dayOf } from './times.js';
import type { KnownRepository } from './universe.js';
import type { StarCounts } from './world.js';

/** The days of the stars that GitHub counts, each day as often as it has stars. */
export function countedDays({ until, days }: StarCounts): string[] {
  return [...days].flatMap(([day, stars]) => (day <= until ? Array<string>(stars).fill(day) : []));
}

/** The stars of people in the events that GitHub does not count. */
export function findUncountedStars(repository: KnownRepository): Participation[] {
  const until = repository.counts?.until ?? '';
  return findParticipations(repository, 'stargazers').filter(({ at }) => dayOf(at) > until);
}

/** The days of all stars: those that GitHub counts, and for other days, those of people who have not starred on an earlier day. */
export function daysOfStars(repository: KnownRepository): string[] {
  const { counts } = repository;
  const firsts = firstDays(findParticipations(repository, 'stargazers'));
  return counts === undefined ? firsts : [...countedDays(counts), ...firsts.filter((day) => day > counts.until)];
}

/** The day of the first participation of each person. */
export function firstDays(participations: readonly Participation[]): string[] {
  const firsts = new Map<bigint, string>();
  for (const { user, at } of participations) {
    const before = firsts.get(user);
    if (before === undefined || at < before) firsts.set(user, at);
  }
  return [...firsts.values()].map(dayOf);
}
