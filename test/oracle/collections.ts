import type { Row } from './creators.js';
import { computeMonthRanks, listItems } from './rankings.js';
import { dayOf, monthStart, monthsBefore } from './times.js';
import type { Universe } from './universe.js';

export function listCollections(universe: Universe): Row[] {
  return publicCollections(universe).map(({ id, name }) => [String(id), name]);
}

/** Returns the repositories of a collection in the order in which they were added. */
export function listCollectionRepositories(universe: Universe, collectionId: string): Row[] {
  return listItems(universe, collectionId).map(({ id, name }) => [String(id), name]);
}

const HOT_COLLECTIONS = 20;
const HOT_REPOSITORIES = 3;

/**
 * Returns the 20 public collections with the most visits in the last month, without empty collections. Each collection has its 3 best
 * repositories of the last calendar month. Repositories without a rank come last, in the order in which they were added.
 */
export function listHotCollections(universe: Universe, now: string): Row[] {
  const today = dayOf(now);
  const visitsOf = (id: number) =>
    universe.visits
      .filter(({ collection, day }) => collection === id && day > monthsBefore(today, 1) && day <= today)
      .reduce((sum, { visits }) => sum + visits, 0);
  return publicCollections(universe)
    .filter(({ items }) => items.length > 0)
    .map((collection) => ({ ...collection, visits: visitsOf(collection.id) }))
    .sort((a, b) => b.visits - a.visits || a.id - b.id)
    .slice(0, HOT_COLLECTIONS)
    .flatMap(({ id, name }) => selectBest(universe, String(id), today).map((row) => [String(id), name, ...row]));
}

function selectBest(universe: Universe, id: string, today: string): Row[] {
  const repositories = listItems(universe, id);
  const current = computeMonthRanks(universe, id, monthStart(today, -1));
  const past = computeMonthRanks(universe, id, monthStart(today, -2));
  return repositories
    .map((repository) => ({ ...repository, rank: current.get(repository.id), pastRank: past.get(repository.id) }))
    .sort((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY))
    .slice(0, HOT_REPOSITORIES)
    .map(({ id: repository, name, rank, pastRank }) => [
      String(repositories.length),
      String(repository),
      name,
      String(rank ?? ''),
      String(pastRank ?? ''),
      rank === undefined || pastRank === undefined ? '' : String(pastRank - rank),
    ]);
}

function publicCollections(universe: Universe) {
  return universe.collections.filter(({ isPublic }) => isPublic).sort((a, b) => a.id - b.id);
}
