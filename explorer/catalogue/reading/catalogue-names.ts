import type { Database } from '../../../engine/index.js';
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
}

/** Reads the public collections and the most popular repositories. Throws `EngineError`. */
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
  return async () => {
    const limits = { maxRows: MAX_COLLECTIONS, timeoutMs: TIMEOUT_MS };
    const { rows } = await database.query(collections, [], limits);
    const names: string[] = [];
    for (const tier of NAME_TIERS) {
      if (names.length >= POPULAR) break;
      const found = await database.query(popular, [tier], limits);
      names.push(...found.rows.map(([, name]) => String(name)).filter((name) => !names.includes(name)));
    }
    return {
      collections: rows.map(([id = null, name]) => ({ id: Number(id), name: cleanText(String(name), MAX_NAME) })),
      popular: names.filter(isRepositoryName).slice(0, POPULAR),
    };
  };
}

/** Whether a text is a valid `owner/name` on GitHub. Imported events from other sources can contain other texts. */
export function isRepositoryName(text: string): boolean {
  return /^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(text);
}

const MAX_NAME = 100;
const POPULAR = 20;
const MAX_COLLECTIONS = 5_000;
const TIMEOUT_MS = 2_000;
