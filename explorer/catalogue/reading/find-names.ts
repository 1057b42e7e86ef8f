import type { Database } from '../../../engine/index.js';
import { NAME_TIERS } from '../../../warehouse/rules/name-tiers.js';
import { isLogin, isRepositoryName } from './catalogue-names.js';

/** Finds names in the data. Each search reads one short range of a table, which is cheaper than the search in `warehouse/search.ts`. */
export interface FindNames {
  /** Finds repositories by their exact name (`owner/name`, or only the name), the most popular first. */
  repositories(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Finds the login of a person or an organization by the same login in any case. */
  account(login: string, signal: AbortSignal): Promise<string | undefined>;
}

export function createFindNames(database: Database): FindNames {
  const repositories = database.prepare(`
    SELECT repo_id, MIN(repo_name) AS repo_name, MAX(stars) AS stars
    FROM mv_repo_names
    WHERE tier = :p1 AND name = :p2
    GROUP BY repo_id
    ORDER BY stars DESC, repo_name
    LIMIT ${MAX_FOUND}`);
  const account = database.prepare(`
    SELECT MIN(login) AS login
    FROM mv_user_names
    WHERE is_organization IN (0, 1) AND tier = :p1 AND name = :p2
    HAVING COUNT(*) > 0`);
  const tier = Math.min(...NAME_TIERS);
  return {
    repositories: async (name, signal) => {
      const options = { maxRows: MAX_FOUND, timeoutMs: TIMEOUT_MS, signal };
      const { rows } = await database.query(repositories, [tier, name.toLowerCase()], options);
      return rows.map(([, fullName]) => String(fullName)).filter(isRepositoryName);
    },
    account: async (login, signal) => {
      if (!isLogin(login)) return undefined;
      const options = { maxRows: 1, timeoutMs: TIMEOUT_MS, signal };
      const [row] = (await database.query(account, [tier, login.toLowerCase()], options)).rows;
      return row && String(row[0]);
    },
  };
}

const MAX_FOUND = 4;
const TIMEOUT_MS = 2_000;
