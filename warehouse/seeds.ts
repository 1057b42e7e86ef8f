import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { WAREHOUSE_FOLDER } from './folder.js';
import { insertRows } from './insert-rows.js';

/** Rows that belong to a table from its making on, by the version that makes it. */
export const SEEDS: Readonly<Record<number, (connection: DuckDBConnection) => Promise<void>>> = {
  1: seedCalendar,
  3: seedCountryNames,
};

/** Every day that a `from` or `to` may sensibly name. */
async function seedCalendar(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    INSERT INTO calendar_days
    SELECT day::DATE, date_trunc('week', day)::DATE, date_trunc('month', day)::DATE
    FROM range(DATE '2000-01-01', DATE '2100-01-01', INTERVAL 1 DAY) days(day)`);
}

/** A line has a code and the names of one country, as people write it in many languages, between tabs. */
async function seedCountryNames(connection: DuckDBConnection): Promise<void> {
  const text = await readFile(join(WAREHOUSE_FOLDER, 'country-names.tsv'), 'utf8');
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([code = '', ...names]) => names.map((name) => [name, code]));
  await insertRows(connection, 'country_names', rows);
}
