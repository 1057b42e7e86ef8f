import type { Database } from '../../engine/index.js';
import type { Candidate } from './fetch-profiles.js';

/**
 * Records to refresh: those that were never fetched from GitHub, or were last fetched before `before` (`YYYY-MM-DD HH:MM:SS`). Candidates
 * are ordered by their importance for answers.
 */
export interface Candidates {
  count(before: string): Promise<number>;
  /** Returns at most `limit` candidates, the most important first. */
  first(before: string, limit: number): Promise<Candidate[]>;
}

/**
 * Creates the candidates among accounts, ordered by their number of issues and pull requests, because answers count issues and pull
 * requests by country and organization. Bots are omitted, because neither the GraphQL nor the REST API returns them.
 */
export function createAccountCandidates(database: Database): Candidates {
  return createCandidates(database, {
    from: `
      FROM github_users u
      LEFT JOIN (
        SELECT user_id, COUNT(*) AS created
        FROM (
          SELECT user_id FROM mv_repo_pull_request_creators UNION ALL SELECT user_id FROM mv_repo_issue_creators
        ) creators
        GROUP BY user_id
      ) c ON c.user_id = u.id`,
    where: "u.id > 0 AND u.is_deleted = 0 AND u.login <> '' AND u.login NOT LIKE '%[bot]'",
    table: 'github_users u',
    columns: ['u.id', 'u.login'],
    order: 'COALESCE(c.created, 0) DESC, u.id',
    refreshed: 'u.refreshed_at',
  });
}

/** Creates the candidates among repositories, ordered by their number of stars. */
export function createRepositoryCandidates(database: Database): Candidates {
  return createCandidates(database, {
    from: 'FROM github_repos r',
    where: "r.repo_id > 0 AND r.is_deleted = 0 AND r.repo_name LIKE '%_/_%'",
    table: 'github_repos r',
    columns: ['r.repo_id', 'r.repo_name'],
    order: 'r.stars DESC, r.repo_id',
    refreshed: 'r.refreshed_at',
  });
}

interface CandidateSql {
  readonly from: string;
  readonly where: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly order: string;
  readonly refreshed: string;
}

/** The time limit of the query for candidates. It is long because the query reads whole tables; the query runs once per 20,000 records. */
const TIMEOUT_MS = 600_000;

function createCandidates(
  database: Database,
  { from, where, table, columns, order, refreshed }: CandidateSql,
): Candidates {
  const wanted = `${where} AND (${refreshed} IS NULL OR ${refreshed} < :p1)`;
  const counting = database.prepare(`SELECT COUNT(*) AS candidates FROM ${table} WHERE ${wanted}`);
  const listing = database.prepare(`SELECT ${columns.join(', ')} ${from} WHERE ${wanted} ORDER BY ${order} LIMIT :p2`);
  return {
    count: async (before) => {
      const { rows } = await database.query(counting, [before], { maxRows: 1, timeoutMs: TIMEOUT_MS });
      return Number(rows[0]?.[0]);
    },
    first: async (before, limit) => {
      const { rows } = await database.query(listing, [before, limit], { maxRows: limit, timeoutMs: TIMEOUT_MS });
      return rows.map(([id, name]) => ({ id: Number(id), name: String(name) }));
    },
  };
}
