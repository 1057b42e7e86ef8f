import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The content of the tables that the commits of this test change. */
export interface Content {
  /** The name of each collection, by id. */
  readonly names: Readonly<Record<number, string>>;
  /** The repositories of each collection, by its id, in ascending order. */
  readonly items: Readonly<Record<number, readonly number[]>>;
}

export type Row = Readonly<Record<string, string>>;

/** A definition, with a function that computes its expected result from the content. */
export interface Definition {
  readonly name: string;
  /** The values of its parameter; empty if it has no parameter. */
  readonly values: readonly number[];
  readonly parameter?: string;
  readonly yaml: string;
  /** Whether the rows depend on the day or hour of the request. */
  readonly clock?: 'day' | 'hour';
  rows(content: Content, value: number | undefined): readonly Row[];
}

export const COLLECTIONS = [1, 2, 3, 4, 5] as const;

const column = (col: string, type = 'VARCHAR') =>
  `  - { col: ${col}, data_type: ${type}, nullable: true, description: A value }\n`;

function head(name: string, columns: string): string {
  return `name: ${name}\npath: /v1/${name}/\nsummary: A test\ncolumns:\n${columns}serve_stale: 30s\n`;
}

const PARAMETER = 'params:\n  group: { in: query, type: integer, default: 1, description: A collection }\n';

/** Definitions on one or both tables, with and without a dependency on the time. */
export const DEFINITIONS: readonly Definition[] = [
  {
    name: 'items',
    parameter: 'group',
    values: [...COLLECTIONS, 9],
    yaml: `${head('items', column('repo_id', 'BIGINT'))}${PARAMETER}sql: SELECT repo_id FROM collection_items WHERE collection_id = {{ group }} ORDER BY repo_id\n`,
    rows: ({ items }, group = 1) => (items[group] ?? []).map((id) => ({ repo_id: String(id) })),
  },
  {
    name: 'names',
    values: [],
    yaml: `${head('names', column('id', 'BIGINT') + column('name'))}sql: SELECT id, name FROM collections ORDER BY id\n`,
    rows: ({ names }) => Object.entries(names).map(([id, name]) => ({ id, name })),
  },
  {
    name: 'sizes',
    values: [],
    clock: 'day',
    yaml: `${head('sizes', column('name') + column('size', 'BIGINT') + column('at'))}sql: |
  SELECT c.name, COUNT(i.id) AS size, {{ today }} AS at
  FROM collections c
  LEFT JOIN collection_items i ON i.collection_id = c.id
  GROUP BY c.id, c.name
  ORDER BY c.id\n`,
    rows: ({ names, items }) =>
      Object.entries(names).map(([id, name]) => ({ name, size: String((items[Number(id)] ?? []).length) })),
  },
  {
    name: 'sums',
    parameter: 'group',
    values: COLLECTIONS,
    clock: 'hour',
    yaml: `${head('sums', column('total', 'BIGINT') + column('at'))}${PARAMETER}sql: |
  SELECT COALESCE(SUM(repo_id), 0) AS total, {{ hour }} AS at
  FROM collection_items
  WHERE collection_id = {{ group }}\n`,
    rows: ({ items }, group = 1) => [{ total: String((items[group] ?? []).reduce((sum, id) => sum + id, 0)) }],
  },
];

/** Writes the definitions to a new folder and returns its path. */
export async function writeDefinitions(folder: string): Promise<string> {
  const path = join(folder, 'definitions');
  await mkdir(path);
  for (const { name, yaml } of DEFINITIONS) await writeFile(join(path, `${name}.yaml`), yaml);
  return path;
}
