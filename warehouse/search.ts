import type { Cell, Database, PreparedQuery } from '../engine/index.js';
import { NAME_TIERS } from './tables/name-tiers.js';

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
 * Finds names in the tables, without regard to case: first the name that is the keyword, then those that begin with it, by
 * stars or followers, and where these are fewer than ten, popular ones that contain it.
 */
export interface NameSearch {
  /** A keyword without `/` is looked for in both parts of `owner/name`. */
  repositories(keyword: string, signal?: AbortSignal): Promise<FoundRepository[]>;
  users(keyword: string, signal?: AbortSignal): Promise<FoundAccount[]>;
  organizations(keyword: string, signal?: AbortSignal): Promise<FoundAccount[]>;
}

export const MAX_FOUND = 10;

export function createNameSearch(database: Database): NameSearch {
  const repositories = nameQueries(database, REPOSITORY_NAMES);
  const accounts = nameQueries(database, ACCOUNT_NAMES);
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

/** A table of names as the search reads it. */
interface NameTable {
  readonly table: string;
  readonly id: string;
  readonly shown: string;
  readonly popularity: string;
  /** A condition on values that follow those of the search itself, the first of which is `:p4`. */
  readonly among: string;
}

const REPOSITORY_NAMES: NameTable = {
  table: 'mv_repo_names',
  id: 'repo_id',
  shown: 'repo_name',
  popularity: 'stars',
  among: '',
};

const ACCOUNT_NAMES: NameTable = {
  table: 'mv_user_names',
  id: 'id',
  shown: 'login',
  popularity: 'followers',
  among: 'AND is_organization = :p4',
};

interface NameQueries {
  /** Of a tier and names from one up to another. */
  readonly between: PreparedQuery;
  /** Of a tier and names that contain a text; the third value is not used. */
  readonly containing: PreparedQuery;
}

function nameQueries(database: Database, { table, id, shown, popularity, among }: NameTable): NameQueries {
  const select = (condition: string) =>
    database.prepare(`
      SELECT ${id}, MIN(${shown}) AS shown, MAX(${popularity}) AS popularity, MIN(name) AS name
      FROM ${table}
      WHERE tier = :p1 AND ${condition} ${among}
      GROUP BY ${id}
      ORDER BY popularity DESC, name, ${id}
      LIMIT ${MAX_FOUND}`);
  return {
    between: select('name >= :p2 AND name <= :p3'),
    containing: select('POSITION(:p2 IN name) > 0 AND name <> :p3'),
  };
}

/**
 * Asks tier after tier until there are enough: whoever is in a tier is more popular than all that are only in those after
 * it, so that the best are found without looking at all that begin alike.
 */
async function findBest(
  { between, containing }: NameQueries,
  name: string,
  run: (query: PreparedQuery, ...values: readonly (string | number)[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const [lowest, highest] = [Math.min(...NAME_TIERS), Math.max(...NAME_TIERS)];
  const [whole] = await run(between, lowest, name, name);
  let beginning: readonly Row[] = [];
  for (const tier of NAME_TIERS) {
    beginning = await run(between, tier, name, name + LAST_CHARACTER);
    if (beginning.length === MAX_FOUND) break;
  }
  const enough = beginning.length === MAX_FOUND;
  const rest = enough ? [] : await run(containing, highest, name, '');
  const found = new Map<Cell, Row>();
  for (const row of [...(whole === undefined ? [] : [whole]), ...beginning, ...rest]) {
    const [id = null] = row;
    if (!found.has(id)) found.set(id, row);
  }
  return [...found.values()].slice(0, MAX_FOUND);
}

/** Every name that begins with a text is at most that text with the last character of all behind it. */
const LAST_CHARACTER = '\u{10FFFF}';
