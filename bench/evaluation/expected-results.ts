import type { Endpoint } from '../../engine/index.js';
import type { ChosenDefinition } from '../../explorer/questions/question.js';
import type { Expectation } from './compare-results.js';
import type { EvaluationQuestion } from './evaluation-question.js';
import type { Execute, ExecutedResult } from './executor.js';

/**
 * Runs the correct answers of a question. The result of a proposal is correct if it equals one of these results. Returns an empty list for
 * a question that must be declined.
 */
export async function expectedResults(
  question: EvaluationQuestion,
  execute: Execute,
  signal: AbortSignal,
): Promise<Expectation[]> {
  if (question.group === 'none') return [];
  if (question.group === 'sql') {
    const { queries, columns, order } = question;
    return Promise.all(
      queries.map(async (sql) => {
        const result = await execute({ engine: 'model', sql }, signal);
        return { result, columns, order, isOpenEnded: false, isCut: reachesLimit(sql, result) };
      }),
    );
  }
  return Promise.all(
    question.accepted.map(async (definition) => {
      const result = await execute({ engine: 'catalogue', definition }, signal);
      return { result, isCut: result.truncated, ...comparedPart(definition) };
    }),
  );
}

/** For each definition, the columns that an answer must contain. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'list-collections': ['name'],
  'list-hot-collections': ['name', 'repo_name'],
  'list-repos-of-collection': ['repo_name'],
  'collection-repo-ranking-by-stars': ['repo_name', 'current_period_growth'],
  'collection-repo-ranking-by-prs': ['repo_name', 'current_period_growth'],
  'collection-repo-ranking-by-issues': ['repo_name', 'current_period_growth'],
  'list-trending-repos': ['repo_name'],
  'list-issue-creators': ['login', 'issues'],
  'list-pull-request-creators': ['login', 'prs'],
  'issue-creators-history': ['date', 'issue_creators'],
  'pull-request-creators-history': ['date', 'pull_request_creators'],
  'stargazers-history': ['date', 'stargazers'],
  'list-countries-of-stargazers': ['country_or_area', 'count'],
  'list-countries-of-issue-creators': ['country_code', 'issue_creators'],
  'list-countries-of-pr-creators': ['country_code', 'pull_request_creators'],
  'list-organizations-of-stargazers': ['org_name', 'stargazers'],
  'list-organizations-of-issue-creators': ['org_name', 'issue_creators'],
  'list-organizations-of-pr-creators': ['org_name', 'pull_request_creators'],
  'collection-languages': ['language', 'repos'],
  'collection-overview': ['repos'],
  'collection-people': ['login'],
  'collection-stars-history': ['date', 'repo_name', 'stars'],
  'collections-by-growth': ['collection_name', 'current_period_growth'],
  'collections-growth-history': ['date', 'collection_name', 'stars'],
  'data-coverage': ['day', 'events'],
  'data-event-types': ['type', 'events'],
  'data-gaps': ['first_hour', 'last_hour'],
  'data-shares': ['month', 'share'],
  'owner-repositories': ['repo_name', 'stars'],
  'person-activity': ['date', 'pull_requests'],
  'person-languages': ['language'],
  'person-overview': ['login'],
  'person-repositories': ['repo_name'],
  'compare-stargazers-by-age': ['age', 'repo_name', 'stargazers'],
  'compare-stargazers-history': ['date', 'repo_name', 'stargazers'],
  'compare-repositories': ['repo_name', 'stars'],
  'contribution-concentration': ['people_for_half'],
  'repository-contributors': ['date', 'new_contributors'],
  'contributor-retention': ['date', 'within_365_days'],
  'pull-request-lead-times': ['date', 'median_hours'],
  'pull-request-outcomes': ['date', 'merged_share'],
  'repository-activity': ['date', 'pull_requests'],
  'changes-of-repositories': ['repo_name', 'new_stars'],
  'repository-hours': ['weekday', 'hour', 'opened'],
  'repository-overview': ['repo_name', 'stars'],
  'star-movers': ['repo_name'],
};

/** Returns the endpoints for which `COLUMNS` has no entry. */
export function endpointsWithoutColumns(endpoints: readonly Endpoint[]): string[] {
  return endpoints.map(({ definition }) => definition.name).filter((name) => !Object.hasOwn(COLUMNS, name));
}

function reachesLimit(sql: string, { rows, truncated }: ExecutedResult): boolean {
  const [, limit] = /\bLIMIT (\d+)\s*$/i.exec(sql) ?? [];
  return truncated || (limit !== undefined && rows.length === Number(limit));
}

/**
 * Returns the columns and the order to compare. Trending repositories have no rank column, so their order is compared. A list of creators
 * is ordered by the column in `sort`.
 */
function comparedPart({ name, parameters }: ChosenDefinition): Omit<Expectation, 'result' | 'isCut'> {
  const columns = COLUMNS[name];
  if (columns === undefined) throw new Error(`Add the columns of ${name} that an answer must contain to COLUMNS.`);
  if (name === 'list-trending-repos') return { columns, order: 'repo_name', isOpenEnded: true };
  const [login = '', count = ''] = columns;
  if (login !== 'login') return { columns, order: undefined, isOpenEnded: false };
  const order = parameters.sort?.replace(/-desc$/, '') ?? count;
  const isOpenEnded = parameters.page_size === undefined;
  return { columns: order === login ? columns : [login, order], order, isOpenEnded };
}
