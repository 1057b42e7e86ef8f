import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { type Cell, formatProblem, type Problem } from '../engine/index.js';
import { markOutdated } from './derived/refresh-as-of.js';
import { type LocatedValue, readLocated, schemaProblem } from './located-list.js';
import { repositoriesByNameSql } from './rules/repository-names.js';
import type { PlainValue, Store, Tables } from './store/store.js';

export interface Collection {
  readonly id: number;
  readonly name: string;
  /** Whether the collection is public. Default true. */
  readonly public?: boolean;
  readonly items: readonly CollectionItem[];
}

export interface CollectionItem {
  /** The name of the repository, `owner/name`. */
  readonly repo_name: string;
  /** The id of the repository. If the id is missing, the import finds the repository by its name. */
  readonly repo_id?: number;
}

/** The error for a file that is not a list of collections. `problems` contains all problems with their positions in the file. */
export class CollectionsError extends Error {
  override readonly name = 'CollectionsError';

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'));
  }
}

export interface StoredCollections {
  readonly collections: number;
  readonly items: number;
  /** The names of items without an id that match no stored repository. These items were not stored. */
  readonly unknown: readonly string[];
}

/** Replaces all collections with those of a YAML or JSON file. Throws `CollectionsError`. */
export async function importCollections(store: Store, file: string): Promise<StoredCollections> {
  return storeCollections(store, readCollections(file, await readFile(file, 'utf8')));
}

/** Parses collections from YAML or JSON text. `file` is for messages. Throws `CollectionsError`. */
export function readCollections(file: string, text: string): readonly Collection[] {
  const located = readLocated(file, text);
  if (!('value' in located)) throw new CollectionsError([located]);
  const collections = located.value;
  if (!isCollections(collections)) {
    // The errors for the keyword `if` are omitted, because they only repeat that `then` failed.
    const errors = (isCollections.errors ?? []).filter(({ keyword }) => keyword !== 'if');
    throw new CollectionsError(errors.map((error) => schemaProblem(located, error)));
  }
  const duplicates = [...findDuplicates(located, collections, 'id'), ...findDuplicates(located, collections, 'name')];
  if (duplicates.length > 0) throw new CollectionsError(duplicates);
  return collections;
}

/** Replaces all collections. An item whose repository was already in the collection keeps its ranks. */
export async function storeCollections(store: Store, collections: readonly Collection[]): Promise<StoredCollections> {
  const items = collections.flatMap(({ id, items }) => items.map((item) => ({ ...item, collection: id })));
  return store.write(async (tables) => {
    const idOf = await readIds(tables, items);
    const ranksOf = await readRanks(tables);
    await tables.run('DELETE FROM collection_items');
    await tables.run('DELETE FROM collections');
    await tables.insertRows(
      'collections',
      collections.map((collection) => [collection.id, collection.name, collection.public === false ? 0 : 1]),
    );
    const numbered = items.map((item, index) => ({
      ...item,
      id: index + 1,
      repo: item.repo_id ?? idOf(item.repo_name),
    }));
    const rows = numbered.flatMap(({ id, collection, repo_name: name, repo }) =>
      repo === undefined ? [] : [[id, collection, name, repo, ...ranksOf(collection, repo)]],
    );
    await tables.insertRows('collection_items', rows);
    await markOutdated(tables);
    const unknown = numbered.filter(({ repo }) => repo === undefined).map(({ repo_name: name }) => name);
    return { collections: collections.length, items: rows.length, unknown };
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
          // An item without an id needs the full name, by which the import finds the repository.
          if: { not: { required: ['repo_id'] } },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: { properties: { repo_name: { type: 'string', pattern: '^[^/\\s]+/[^/\\s]+$' } } },
        },
      },
    },
  },
});

function findDuplicates(located: LocatedValue, collections: readonly Collection[], key: 'id' | 'name'): Problem[] {
  const seen = new Set<string>();
  return collections.flatMap((collection, index) => {
    const value = String(collection[key]).toLowerCase();
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [located.problem(`/${index}/${key}`, `an earlier collection already has the ${key} ${collection[key]}`)];
  });
}

/** Finds the repository ids of the items without an id, by name. */
async function readIds(
  tables: Tables,
  items: readonly CollectionItem[],
): Promise<(name: string) => PlainValue | undefined> {
  const names = [
    ...new Set(items.filter((item) => item.repo_id === undefined).map((item) => item.repo_name.toLowerCase())),
  ];
  const ids = new Map<Cell, PlainValue>();
  for (let start = 0; start < names.length; start += NAMES_PER_QUERY) {
    const some = names.slice(start, start + NAMES_PER_QUERY);
    const rows = await tables.rows(
      repositoriesByNameSql((column) => `${column} IN (${some.map((_, index) => `:p${index + 1}`).join(', ')})`),
      some,
    );
    for (const [name = null, id = null] of rows) if (!ids.has(name)) ids.set(name, id);
  }
  return (name) => ids.get(name.toLowerCase());
}

const NAMES_PER_QUERY = 500;

async function readRanks(tables: Tables): Promise<(collection: number, repo: PlainValue) => readonly PlainValue[]> {
  const rows = await tables.rows(
    'SELECT collection_id, repo_id, last_month_rank, last_2nd_month_rank FROM collection_items',
  );
  const ranks = new Map(rows.map(([collection, repo, ...rest]) => [`${collection} ${repo}`, rest]));
  return (collection, repo) => ranks.get(`${collection} ${repo}`) ?? [null, null];
}
