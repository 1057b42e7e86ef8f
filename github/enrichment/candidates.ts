import type { Database } from '../../engine/index.js';
import type { Candidate } from './ask.js';

/** Records that the platform has never told of, or not since a time, those first that most answers count on. */
export interface Candidates {
  count(before: string): Promise<number>;
  /** The first so many. */
  first(before: string, most: number): Promise<Candidate[]>;
}

/** Accounts by what they created, as those are counted by country and organisation. GraphQL and the REST interface know no bots. */
export function accountCandidates(database: Database): Candidates {
  return candidates(database, {
    from: `
      FROM github_users u
      LEFT JOIN (
        SELECT user_id, COUNT(*) AS created
        FROM (
          SELECT user_id FROM mv_repo_pull_request_creators UNION ALL SELECT user_id FROM mv_repo_issue_creators
        ) creators
        GROUP BY user_id
      ) c ON c.user_id = u.id`,
    where: "u.is_deleted = 0 AND u.login <> '' AND u.login NOT LIKE '%[bot]'",
    table: 'github_users u',
    columns: ['u.id', 'u.login'],
    order: 'COALESCE(c.created, 0) DESC, u.id',
    refreshed: 'u.refreshed_at',
  });
}

export function repositoryCandidates(database: Database): Candidates {
  return candidates(database, {
    from: 'FROM github_repos r',
    where: "r.is_deleted = 0 AND r.repo_name LIKE '%_/_%'",
    table: 'github_repos r',
    columns: ['r.repo_id', 'r.repo_name'],
    order: 'r.stars DESC, r.repo_id',
    refreshed: 'r.refreshed_at',
  });
}

interface Parts {
  readonly from: string;
  readonly where: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly order: string;
  readonly refreshed: string;
}

/** Over a large warehouse it reads whole tables, once for many thousands of records. */
const TIMEOUT_MS = 600_000;

function candidates(database: Database, { from, where, table, columns, order, refreshed }: Parts): Candidates {
  const wanted = `${where} AND (${refreshed} IS NULL OR ${refreshed} < :p1)`;
  const counting = database.prepare(`SELECT COUNT(*) AS candidates FROM ${table} WHERE ${wanted}`);
  const listing = database.prepare(`SELECT ${columns.join(', ')} ${from} WHERE ${wanted} ORDER BY ${order} LIMIT :p2`);
  return {
    count: async (before) => {
      const { rows } = await database.query(counting, [before], { maxRows: 1, timeoutMs: TIMEOUT_MS });
      return Number(rows[0]?.[0]);
    },
    first: async (before, most) => {
      const { rows } = await database.query(listing, [before, most], { maxRows: most, timeoutMs: TIMEOUT_MS });
      return rows.map(([id, name]) => ({ id: Number(id), name: String(name) }));
    },
  };
}
