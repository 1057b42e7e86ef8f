import { collectionRepositories, collections, hotCollections } from './collections.js';
import { deeds, issueCreators, pullRequestCreators, type Role, type Row } from './creators.js';
import { history, type Interval } from './history.js';
import { organizationOf } from './organizations.js';
import { type Measure, type RankingPeriod, ranking } from './rankings.js';
import { countryOf, type Share, shares } from './shares.js';
import { type TrendPeriod, trends } from './trends.js';
import { repositoryNamed, type Universe } from './universe.js';
import type { Profile } from './world.js';
import type { Request } from './world-database.js';

/** The rows that the service must answer with, by nothing but the facts. All parameters must be given. */
export function expectedRows(universe: Universe, { operation, parameters }: Request, now: string): Row[] {
  const { collection_id: id = '', period = '', language = '' } = parameters;
  switch (operation) {
    case 'list-collections':
      return collections(universe);
    case 'list-hot-collections':
      return hotCollections(universe, now);
    case 'list-repos-of-collection':
      return collectionRepositories(universe, id);
    case 'list-trending-repos':
      return trends(universe, period as TrendPeriod, language, now);
  }
  const [, measure] = /^collection-repo-ranking-by-(.*)$/.exec(operation) ?? [];
  if (measure !== undefined) return ranking(universe, id, measure as Measure, period as RankingPeriod, now);
  return rowsOfRepository(universe, operation, parameters);
}

function rowsOfRepository(universe: Universe, operation: string, parameters: Request['parameters']): Row[] {
  const { owner, repo, sort = '', exclude_bots, page, page_size, per, from = '', to = '' } = parameters;
  const repository = repositoryNamed(universe, `${owner}/${repo}`);
  if (repository === undefined) return [];
  const pageOf = (rows: Row[]) => rows.slice((Number(page) - 1) * Number(page_size), Number(page) * Number(page_size));
  const excludeBots = exclude_bots === 'true';
  if (operation === 'list-issue-creators') return pageOf(issueCreators(universe, repository, sort, excludeBots));
  if (operation === 'list-pull-request-creators') {
    return pageOf(pullRequestCreators(universe, repository, sort, excludeBots));
  }
  const own = deeds(repository, roleOf(operation));
  if (operation.endsWith('-history')) return history(own, per as Interval, from, to, universe.newest);
  const groupOf = operation.startsWith('list-countries')
    ? countryOf
    : (profile?: Profile) => organizationOf(profile?.organization ?? '');
  const excludeUnknown = parameters.exclude_unknown === 'true';
  return shares(universe, own, { from, to, groupOf, excludeUnknown }).map(shareRow(operation));
}

function roleOf(operation: string): Role {
  if (operation.includes('stargazers')) return 'stargazers';
  return operation.includes('issue') ? 'issue_creators' : 'pull_request_creators';
}

/** One operation has its columns in another order than the rest. */
function shareRow(operation: string): (share: Share) => Row {
  if (operation === 'list-countries-of-issue-creators') {
    return ({ group, count, percentage }) => [group, percentage, count];
  }
  return ({ group, count, percentage }) => [group, count, percentage];
}
