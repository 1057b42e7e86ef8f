import { listCollectionRepositories, listCollections, listHotCollections } from './collections.js';
import { daysOfStars, firstDays } from './counts.js';
import { findParticipations, listIssueCreators, listPullRequestCreators, type Role, type Row } from './creators.js';
import { computeHistory, type Interval } from './history.js';
import { organizationOf } from './organizations.js';
import { computeRanking, type Measure, type RankingPeriod } from './rankings.js';
import { computeShares, countryOf, type Share } from './shares.js';
import { dayOf } from './times.js';
import { computeTrends, type TrendPeriod } from './trends.js';
import { findRepository, laterOf, type Universe } from './universe.js';
import type { Profile } from './world.js';
import type { Request } from './world-database.js';

/** Computes the rows of the correct answer only from the facts. All parameters must be given. */
export function computeExpectedRows(universe: Universe, { operation, parameters }: Request, now: string): Row[] {
  const { collection_id: id = '', period = '', language = '' } = parameters;
  switch (operation) {
    case 'list-collections':
      return listCollections(universe);
    case 'list-hot-collections':
      return listHotCollections(universe, now);
    case 'list-repos-of-collection':
      return listCollectionRepositories(universe, id);
    case 'list-trending-repos':
      return computeTrends(universe, period as TrendPeriod, language, now);
  }
  const [, measure] = /^collection-repo-ranking-by-(.*)$/.exec(operation) ?? [];
  if (measure !== undefined) return computeRanking(universe, id, measure as Measure, period as RankingPeriod, now);
  return computeRepositoryRows(universe, operation, parameters);
}

function computeRepositoryRows(universe: Universe, operation: string, parameters: Request['parameters']): Row[] {
  const { owner, repo, sort = '', exclude_bots, page, page_size, per, from = '', to = '' } = parameters;
  const repository = findRepository(universe, `${owner}/${repo}`);
  if (repository === undefined) return [];
  const selectPage = (rows: Row[]) =>
    rows.slice((Number(page) - 1) * Number(page_size), Number(page) * Number(page_size));
  const excludeBots = exclude_bots === 'true';
  if (operation === 'list-issue-creators')
    return selectPage(listIssueCreators(universe, repository, sort, excludeBots));
  if (operation === 'list-pull-request-creators') {
    return selectPage(listPullRequestCreators(universe, repository, sort, excludeBots));
  }
  const own = findParticipations(repository, roleOf(operation));
  if (operation.endsWith('-history')) {
    const newest = dayOf(universe.newest);
    const until = repository.counts?.until ?? '';
    return operation === 'stargazers-history'
      ? computeHistory(daysOfStars(repository), per as Interval, from, to, laterOf(until, newest))
      : computeHistory(
          firstDays(own),
          per as Interval,
          from,
          to,
          firstDays(own).reduce(laterOf, laterOf(newest, repository.listedUntil)),
        );
  }
  const groupOf = operation.startsWith('list-countries')
    ? countryOf
    : (profile?: Profile) => organizationOf(profile?.organization ?? '');
  const excludeUnknown = parameters.exclude_unknown === 'true';
  return computeShares(universe, own, { from, to, groupOf, excludeUnknown }).map(shareRow(operation));
}

function roleOf(operation: string): Role {
  if (operation.includes('stargazers')) return 'stargazers';
  return operation.includes('issue') ? 'issue_creators' : 'pull_request_creators';
}

/**
 * Returns the function that writes a row. `list-countries-of-issue-creators` has `percentage` before `count`; all other operations have it
 * after `count`.
 */
function shareRow(operation: string): (share: Share) => Row {
  if (operation === 'list-countries-of-issue-creators') {
    return ({ group, count, percentage }) => [group, percentage, count];
  }
  return ({ group, count, percentage }) => [group, count, percentage];
}
