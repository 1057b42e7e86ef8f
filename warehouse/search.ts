import type { Cell, Database, PreparedQuery } from '../engine/index.js';
import { NAME_TIERS } from './rules/name-tiers.js';

export interface FoundRepository {
  readonly id: number;
  /** `owner/name` */
  readonly fullName: string;
}

export interface FoundAccount {
  readonly id: number;
  readonly login: string;
}

/**
 * Searches names, case-insensitively. First comes the name that equals the keyword, then names that start with it, sorted by stars or
 * followers. If there are fewer than ten of these, popular names that contain the keyword follow.
 */
export interface NameSearch {
  /** A keyword without `/` matches both `owner/name` and the name alone. */
  repositories(keyword: string, signal?: AbortSignal): Promise<FoundRepository[]>;
  users(keyword: string, signal?: AbortSignal): Promise<FoundAccount[]>;
  organizations(keyword: string, signal?: AbortSignal): Promise<FoundAccount[]>;
}

export const MAX_FOUND = 10;

export function createNameSearch(database: Database): NameSearch {
  const repositories = prepareQueries(database, REPOSITORY_NAMES);
  const accounts = prepareQueries(database, ACCOUNT_NAMES);
  const search = async (queries: NameQueries, keyword: string, fixed: readonly number[], signal?: AbortSignal) => {
    const name = keyword.trim().toLowerCase();
    if (name === '') return [];
    const run = async (query: PreparedQuery, ...values: readonly (string | number)[]) => {
      const options = { maxRows: MAX_FOUND, timeoutMs: TIMEOUT_MS, ...(signal && { signal }) };
      return (await database.query(query, [...values, ...fixed], options)).rows;
    };
    return findBest(queries, name, run);
  };
  const findAccounts = async (keyword: string, isOrganization: 0 | 1, signal?: AbortSignal) => {
    const rows = await search(accounts, keyword, [isOrganization], signal);
    return rows.map(([id = null, login]) => ({ id: Number(id), login: String(login) }));
  };
  return {
    repositories: async (keyword, signal) => {
      const rows = await search(repositories, keyword, [], signal);
      return rows.map(([id = null, name]) => ({ id: Number(id), fullName: String(name) }));
    },
    users: (keyword, signal) => findAccounts(keyword, 0, signal),
    organizations: (keyword, signal) => findAccounts(keyword, 1, signal),
  };
}

const TIMEOUT_MS = 2_000;

type Row = readonly Cell[];

/** The columns of a table of names that the search reads. */
interface NameTable {
  readonly table: string;
  readonly id: string;
  /** The column with the name in its original case. */
  readonly label: string;
  readonly popularity: string;
  /** An additional condition. The bound values of the condition start at `:p4`. */
  readonly filter: string;
}

const REPOSITORY_NAMES: NameTable = {
  table: 'mv_repo_names',
  id: 'repo_id',
  label: 'repo_name',
  popularity: 'stars',
  filter: '',
};

const ACCOUNT_NAMES: NameTable = {
  table: 'mv_user_names',
  id: 'id',
  label: 'login',
  popularity: 'followers',
  filter: 'AND is_organization = :p4',
};

interface NameQueries {
  /** Finds names in a range. Bound values: a tier, the first and the last name of the range. */
  readonly between: PreparedQuery;
  /** Finds names that contain a text. Bound values: a tier, the text, and a name to exclude. */
  readonly containing: PreparedQuery;
}

function prepareQueries(database: Database, { table, id, label, popularity, filter }: NameTable): NameQueries {
  const select = (condition: string) =>
    database.prepare(`
      SELECT ${id}, MIN(${label}) AS label, MAX(${popularity}) AS popularity, MIN(name) AS name
      FROM ${table}
      WHERE tier = :p1 AND ${condition} ${filter}
      GROUP BY ${id}
      ORDER BY popularity DESC, name, ${id}
      LIMIT ${MAX_FOUND}`);
  return {
    between: select('name >= :p2 AND name <= :p3'),
    containing: select('POSITION(:p2 IN name) > 0 AND name <> :p3'),
  };
}

/**
 * Searches the tiers from the highest to the lowest until it has enough names. Each name in a tier is more popular than all names that are
 * only in lower tiers. So the search finds the best names without reading all names with the prefix.
 */
async function findBest(
  { between, containing }: NameQueries,
  name: string,
  run: (query: PreparedQuery, ...values: readonly (string | number)[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const [lowest, highest] = [Math.min(...NAME_TIERS), Math.max(...NAME_TIERS)];
  const [exact] = await run(between, lowest, name, name);
  let withPrefix: readonly Row[] = [];
  for (const tier of NAME_TIERS) {
    withPrefix = await run(between, tier, name, name + LAST_CHARACTER);
    if (withPrefix.length === MAX_FOUND) break;
  }
  const isEnough = withPrefix.length === MAX_FOUND;
  const rest = isEnough ? [] : await run(containing, highest, name, '');
  const found = new Map<Cell, Row>();
  for (const row of [...(exact === undefined ? [] : [exact]), ...withPrefix, ...rest]) {
    const [id = null] = row;
    if (!found.has(id)) found.set(id, row);
  }
  return [...found.values()].slice(0, MAX_FOUND);
}

/** The end of the range of names that start with a text: these names are between the text and the text followed by this character. */
const LAST_CHARACTER = '\u{10FFFF}';
