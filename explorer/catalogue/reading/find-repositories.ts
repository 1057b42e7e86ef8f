import type { Database } from '../../../engine/index.js';
import { NAME_TIERS } from '../../../warehouse/rules/name-tiers.js';
import { isRepositoryName } from './catalogue-names.js';

/** Finds repositories by their exact name (`owner/name`, or only the name), the most popular first. */
export type FindRepositories = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Creates a search that reads one short range of the table of names. The lookup is cheaper than the search in `warehouse/search.ts`, which
 * also finds similar names and needs several queries.
 */
export function createFindRepositories(database: Database): FindRepositories {
  const query = database.prepare(`
    SELECT repo_id, MIN(repo_name) AS repo_name, MAX(stars) AS stars
    FROM mv_repo_names
    WHERE tier = :p1 AND name = :p2
    GROUP BY repo_id
    ORDER BY stars DESC, repo_name
    LIMIT ${MAX_FOUND}`);
  return async (name, signal) => {
    const options = { maxRows: MAX_FOUND, timeoutMs: TIMEOUT_MS, signal };
    const { rows } = await database.query(query, [Math.min(...NAME_TIERS), name.toLowerCase()], options);
    return rows.map(([, fullName]) => String(fullName)).filter(isRepositoryName);
  };
}

const MAX_FOUND = 4;
const TIMEOUT_MS = 2_000;
