import { readFile } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { Ajv, type ErrorObject } from 'ajv';
import type { EmbeddedDatabase } from '../databases/duckdb/embedded.js';
import { formatProblem, type Problem } from '../engine/definition/problem.js';
import { insertRows } from './insert-rows.js';
import { type LocatedValue, readLocated } from './located-list.js';

export interface Collection {
  readonly id: number;
  readonly name: string;
  /** Default true. */
  readonly public?: boolean;
  readonly items: readonly CollectionItem[];
}

export interface CollectionItem {
  /** `owner/name`. */
  readonly repo_name: string;
  /** Looked up by the name when it is left out. */
  readonly repo_id?: number;
}

/** The file is not a list of collections; `problems` has every fault with its line. */
export class CollectionsError extends Error {
  override readonly name = 'CollectionsError';

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'));
  }
}

export interface StoredCollections {
  readonly collections: number;
  readonly items: number;
  /** Names that came without an id and that no event has told either. Their items are left out. */
  readonly unknown: readonly string[];
}

/** Puts the collections of a YAML or JSON file in the place of all that are there. Throws `CollectionsError`. */
export async function importCollections(database: EmbeddedDatabase, file: string): Promise<StoredCollections> {
  return storeCollections(database, readCollections(file, await readFile(file, 'utf8')));
}

/** The collections that a text describes. `file` is for messages. Throws `CollectionsError`. */
export function readCollections(file: string, text: string): readonly Collection[] {
  const located = readLocated(file, text);
  if (!('value' in located)) throw new CollectionsError([located]);
  const collections = located.value;
  if (!isCollections(collections)) {
    // `if` only says that `then` failed, which tells more.
    const errors = (isCollections.errors ?? []).filter(({ keyword }) => keyword !== 'if');
    throw new CollectionsError(errors.map(shapeProblem(located)));
  }
  const repeated = [...repeats(located, collections, 'id'), ...repeats(located, collections, 'name')];
  if (repeated.length > 0) throw new CollectionsError(repeated);
  return collections;
}

/** Puts the collections in the place of all that are there. Ranks are kept where the repository stays. */
export async function storeCollections(
  database: EmbeddedDatabase,
  collections: readonly Collection[],
): Promise<StoredCollections> {
  return database.write(async (connection) => {
    await connection.run('CREATE OR REPLACE TEMP TABLE old_items AS SELECT * FROM collection_items');
    await connection.run('DELETE FROM collection_items');
    await connection.run('DELETE FROM collections');
    await insertRows(
      connection,
      'collections',
      collections.map((collection) => [collection.id, collection.name, collection.public === false ? 0 : 1]),
    );
    await connection.run(
      'CREATE OR REPLACE TEMP TABLE new_items (position INTEGER, collection_id BIGINT, repo_name VARCHAR, repo_id BIGINT)',
    );
    const items = collections.flatMap(({ id, items }) =>
      items.map((item) => [id, item.repo_name, item.repo_id ?? null]),
    );
    await insertRows(
      connection,
      'new_items',
      items.map((item, index) => [index + 1, ...item]),
    );
    await connection.run(STORE_ITEMS);
    const unknown = await unknownNames(connection);
    return { collections: collections.length, items: items.length - unknown.length, unknown };
  });
}

const MAX_ID = Number.MAX_SAFE_INTEGER;

const isCollections = new Ajv({ allErrors: true, verbose: true }).compile<readonly Collection[]>({
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'name', 'items'],
    additionalProperties: false,
    properties: {
      id: { type: 'integer', minimum: 1, maximum: MAX_ID },
      name: { type: 'string', minLength: 1, maxLength: 255 },
      public: { type: 'boolean' },
      items: {
        type: 'array',
        items: {
          type: 'object',
          required: ['repo_name'],
          additionalProperties: false,
          properties: {
            repo_name: { type: 'string', pattern: '^\\S+$', maxLength: 140 },
            repo_id: { type: 'integer', minimum: 1, maximum: MAX_ID },
          },
          // A name alone must be whole, because the repository is looked up by it.
          if: { not: { required: ['repo_id'] } },
          // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
          then: { properties: { repo_name: { type: 'string', pattern: '^[^/\\s]+/[^/\\s]+$' } } },
        },
      },
    },
  },
});

function shapeProblem(located: LocatedValue): (error: ErrorObject) => Problem {
  return ({ keyword, instancePath, params, message = '', data }) => {
    if (keyword === 'required') return located.problem(instancePath, `the key "${params.missingProperty}" is missing`);
    if (keyword === 'additionalProperties') {
      return located.problem(`${instancePath}/${params.additionalProperty}`, 'unknown key');
    }
    const expected = keyword === 'pattern' ? 'owner/name' : message.replace(/^must (be|have|NOT have) /, '');
    const got = typeof data === 'object' ? 'a list or mapping' : JSON.stringify(data);
    return located.problem(instancePath, 'not a value that this key takes', { expected, got });
  };
}

function repeats(located: LocatedValue, collections: readonly Collection[], key: 'id' | 'name'): Problem[] {
  const seen = new Set<string>();
  return collections.flatMap((collection, index) => {
    const value = String(collection[key]).toLowerCase();
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [located.problem(`/${index}/${key}`, `the ${key} ${collection[key]} is taken by a collection before it`)];
  });
}

/** Among repositories of the same name, the one that answers about it: not deleted, then the most recently active. */
const STORE_ITEMS = `
  INSERT INTO collection_items (id, collection_id, repo_name, repo_id, last_month_rank, last_2nd_month_rank)
  SELECT n.position, n.collection_id, n.repo_name, n.repo_id, o.last_month_rank, o.last_2nd_month_rank
  FROM (
    SELECT position, collection_id, repo_name, COALESCE(repo_id, (
      SELECT r.repo_id
      FROM github_repos r
      WHERE lower(r.repo_name) = lower(new_items.repo_name)
      ORDER BY r.is_deleted, r.last_event_at DESC, r.repo_id DESC
      LIMIT 1
    )) AS repo_id
    FROM new_items
  ) n
  LEFT JOIN old_items o ON o.collection_id = n.collection_id AND o.repo_id = n.repo_id
  WHERE n.repo_id IS NOT NULL`;

async function unknownNames(connection: DuckDBConnection): Promise<string[]> {
  const reader = await connection.runAndReadAll(`
    SELECT repo_name FROM new_items
    WHERE position NOT IN (SELECT id FROM collection_items)
    ORDER BY position`);
  return reader.getRowsJS().flat().map(String);
}
