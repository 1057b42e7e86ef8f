import { countedDays, daysOfStars, findUncountedStars } from './counts.js';
import type { Row } from './creators.js';
import { formatDecimal } from './decimal.js';
import { dayOf, daysAfter, monthStart } from './times.js';
import { compare, type KnownRepository, type Universe } from './universe.js';
import type { Fact, NamedRepository } from './world.js';

export type Measure = 'issues' | 'prs' | 'stars';
export type RankingPeriod = 'past_28_days' | 'past_month';

/** A range of days, both ends included. */
interface Days {
  readonly first: string;
  readonly last: string;
}

/**
 * Returns the repositories of a collection with activity in this or the previous period. Repositories without current activity come first.
 */
export function computeRanking(
  universe: Universe,
  collectionId: string,
  measure: Measure,
  period: RankingPeriod,
  now: string,
): Row[] {
  const [current, past] = daysOfPeriods(period, dayOf(now));
  const standings = repositoriesOf(universe, collectionId)
    .map((repository) => ({
      repository,
      current: computeGrowth(repository, measure, current),
      past: computeGrowth(repository, measure, past),
      total: computeGrowth(repository, measure, EVER),
    }))
    .filter((standing) => standing.current > 0 || standing.past > 0);
  const currentRank = computeRanks(standings, (standing) => standing.current);
  const pastRank = computeRanks(standings, (standing) => standing.past);
  return standings
    .map((standing) => ({ ...standing, rank: currentRank(standing), pastRank: pastRank(standing) }))
    .sort((a, b) => a.rank - b.rank || a.pastRank - b.pastRank)
    .map(({ repository, current, past, total, rank, pastRank }) => [
      String(repository.id),
      repository.name,
      String(current),
      String(rank),
      String(past),
      String(pastRank),
      past === 0 ? '0.00' : formatDecimal(BigInt(100 * (current - past)), BigInt(past), 2),
      String(rank === 0 || pastRank === 0 ? 0 : rank - pastRank),
      String(total),
    ]);
}

/** Returns the ranks of the repositories of a collection by their stars in a calendar month. Repositories without stars have no rank. */
export function computeMonthRanks(universe: Universe, collectionId: string, month: string): Map<bigint, number> {
  const days = { first: month, last: daysAfter(monthStart(month, 1), -1) };
  const standings = repositoriesOf(universe, collectionId).map((repository) => ({
    repository,
    current: computeGrowth(repository, 'stars', days),
    total: computeGrowth(repository, 'stars', EVER),
  }));
  const rankOf = computeRanks(standings, ({ current }) => current);
  return new Map(
    standings.filter(({ current }) => current > 0).map((standing) => [standing.repository.id, rankOf(standing)]),
  );
}

/**
 * Returns the repositories of a public collection with their current names. A repository without events has the name from the collection.
 * For a collection that is not public or does not exist, the list is empty.
 */
export function listItems(universe: Universe, collectionId: string): NamedRepository[] {
  const items = universe.collections.find(({ id, isPublic }) => isPublic && String(id) === collectionId)?.items ?? [];
  return items.map(({ id, name }) => ({ id, name: universe.repositories.get(id)?.name ?? name }));
}

function repositoriesOf(universe: Universe, collectionId: string): KnownRepository[] {
  return listItems(universe, collectionId).flatMap(({ id }) => universe.repositories.get(id) ?? []);
}

const EVER: Days = { first: '0000-00-00', last: '9999-12-31' };

function daysOfPeriods(period: RankingPeriod, today: string): readonly [Days, Days] {
  if (period === 'past_28_days') {
    return [
      { first: daysAfter(today, -27), last: today },
      { first: daysAfter(today, -55), last: daysAfter(today, -28) },
    ];
  }
  return [
    { first: monthStart(today), last: today },
    { first: monthStart(today, -1), last: daysAfter(monthStart(today), -1) },
  ];
}

/**
 * Returns the number of distinct issues or pull requests that were opened in the range, or of stars in it: the stars that GitHub counts,
 * and on other days distinct people. The range EVER counts all issues and pull requests with any event, because their openings may be
 * missing, and each person only on the first day.
 */
function computeGrowth(repository: KnownRepository, measure: Measure, days: Days): number {
  const isWithin = (day: string) => day >= days.first && day <= days.last;
  if (measure === 'stars') {
    if (days === EVER) return daysOfStars(repository).length;
    const counted = repository.counts === undefined ? [] : countedDays(repository.counts).filter(isWithin);
    const people = findUncountedStars(repository).filter(({ at }) => isWithin(dayOf(at)));
    return counted.length + new Set(people.map(({ user }) => user)).size;
  }
  const within = repository.threadFacts.filter(({ at }) => isWithin(dayOf(at)));
  const type: Fact['type'] = measure === 'issues' ? 'IssuesEvent' : 'PullRequestEvent';
  const threads = within.filter((fact) => fact.type === type && (days === EVER || fact.action === 'opened'));
  return new Set(threads.map(({ number }) => number)).size;
}

interface Standing {
  readonly repository: KnownRepository;
  readonly total: number;
}

/**
 * Returns a function that returns the rank of a repository by growth. Ties are broken by total, then by name, then by id. The rank is 0 if
 * there is no growth.
 */
function computeRanks<Some extends Standing>(
  standings: readonly Some[],
  growthOf: (standing: Some) => number,
): (standing: Standing) => number {
  const inOrder = standings
    .filter((standing) => growthOf(standing) > 0)
    .sort((a, b) => growthOf(b) - growthOf(a) || b.total - a.total || byName(a.repository, b.repository))
    .map(({ repository }) => repository.id);
  return ({ repository }) => inOrder.indexOf(repository.id) + 1;
}

/** Orders by name, then by id. Two repositories can have the same name if one was renamed and the other one took its former name. */
function byName(a: NamedRepository, b: NamedRepository): number {
  return compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
}
