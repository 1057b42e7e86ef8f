import type { Database, PreparedQuery } from '../../../engine/index.js';
import { NAME_TIERS } from '../../../warehouse/rules/name-tiers.js';
import { cleanText } from '../../prompts/clean-text.js';

export interface CollectionName {
  readonly id: number;
  readonly name: string;
}

/** The names from the database that can occur in questions and suggestions. */
export interface CatalogueNames {
  readonly collections: readonly CollectionName[];
  /** The repositories with the most stars, as `owner/name`. */
  readonly popular: readonly string[];
  /** The logins of the people with the most followers. */
  readonly people: readonly string[];
}

/** Reads the public collections and the most popular repositories and people. Throws `EngineError`. */
export function createNamesLoader(database: Database): () => Promise<CatalogueNames> {
  const collections = database.prepare('SELECT id, name FROM collections WHERE public = 1 ORDER BY id');
  // Only the highest tier that has names is sorted. This tier contains the most popular repositories.
  const popular = database.prepare(`
    SELECT repo_id, MIN(repo_name) AS repo_name, MAX(stars) AS stars
    FROM mv_repo_names
    WHERE tier = :p1
    GROUP BY repo_id
    ORDER BY stars DESC, repo_name
    LIMIT ${POPULAR}`);
  const people = database.prepare(`
    SELECT id, MIN(login) AS login, MAX(followers) AS followers
    FROM mv_user_names
    WHERE is_organization = 0 AND tier = :p1
    GROUP BY id
    ORDER BY followers DESC, login
    LIMIT ${POPULAR}`);
  const limits = { maxRows: MAX_COLLECTIONS, timeoutMs: TIMEOUT_MS };
  const readPopular = async (query: PreparedQuery, isName: (text: string) => boolean) => {
    const names = new Set<string>();
    for (const tier of NAME_TIERS) {
      if (names.size >= POPULAR) break;
      for (const [, name] of (await database.query(query, [tier], limits)).rows) names.add(String(name));
    }
    return [...names].filter(isName).slice(0, POPULAR);
  };
  return async () => {
    const { rows } = await database.query(collections, [], limits);
    return {
      collections: rows.map(([id = null, name]) => ({ id: Number(id), name: cleanText(String(name), MAX_NAME) })),
      popular: await readPopular(popular, isRepositoryName),
      people: await readPopular(people, isLogin),
    };
  };
}

/** Whether a text is a valid `owner/name` on GitHub. Imported events from other sources can contain other texts. */
export function isRepositoryName(text: string): boolean {
  return /^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(text);
}

/** Whether a text is a valid login on GitHub. */
export function isLogin(text: string): boolean {
  return /^[a-z\d](?:[a-z\d-]{0,38})$/i.test(text);
}

const MAX_NAME = 100;
const POPULAR = 20;
const MAX_COLLECTIONS = 5_000;
const TIMEOUT_MS = 2_000;
