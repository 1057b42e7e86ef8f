import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { LoadedTable, LoadOptions } from '../../../warehouse/own-tables/load-own-table.js';
import { loadOwnTable } from '../../../warehouse/own-tables/load-own-table.js';
import type { TestWarehouse } from '../test-warehouse.js';

export const LOADED_AT = new Date('2026-02-03T04:05:06Z');

/** A file with columns of all types, and its documentation. */
export const CITIES = {
  rows: `code,name,people,share,area,note,capital,founded,seen_at
BE,"Berlin, Stadt",3700000,0.25,891.70,,true,1237-10-28,2024-01-02T03:04:05Z
PA,"Paris ""Ville""",-1,1e3,105.4,"",0,1000-01-01,2024-01-02
`,
  document: `description: Cities of a survey.
columns:
  code: { type: VARCHAR(2), description: Code of the city. }
  name: { type: TEXT, description: Name. }
  people: { type: INT, description: Inhabitants, unit: people }
  share: { type: DOUBLE, description: Share of the country. }
  area:
    type: DECIMAL(8,2)
    description: Area.
  note: { type: VARCHAR(20), description: A remark., nullable: true }
  capital: { type: BOOLEAN, description: Whether it is a capital. }
  founded: { type: DATE, description: First mention. }
  seen_at: { type: DATETIME, description: Time of the survey. }
key: [code]
`,
};

/** Returns the options for loading a file in a test. */
export function optionsOf({ folder }: Pick<TestWarehouse, 'folder'>, file: string): LoadOptions {
  return {
    file: join(folder, file),
    replace: false,
    stagingDirectory: join(folder, 'staging'),
    now: LOADED_AT,
    signal: new AbortController().signal,
    onStep: () => undefined,
  };
}

/** Writes a file, and its documentation if given, to the folder of a warehouse. */
export async function writeTable(
  { folder }: Pick<TestWarehouse, 'folder'>,
  file: string,
  rows: string | Buffer,
  document?: string,
): Promise<void> {
  await writeFile(join(folder, file), rows);
  if (document !== undefined) await writeFile(join(folder, file.replace(/\.\w+$/, '.table.yaml')), document);
}

/** Writes a Parquet file with the rows of a DuckDB SELECT. */
export async function writeParquet(file: string, select: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}

/** Loads a file in the folder of a warehouse. */
export function loadFile(
  warehouse: TestWarehouse,
  file: string,
  more: Partial<LoadOptions> = {},
): Promise<LoadedTable> {
  return loadOwnTable(warehouse.store, { ...optionsOf(warehouse, file), ...more });
}

/** Returns the message of the error with which a promise rejects. */
export async function messageOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: Error) => error.message,
  );
}
