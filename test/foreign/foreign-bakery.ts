import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { copyEmptyFile } from '../service/demo-data.js';

/** The folder with definitions of other tools. */
export const FOREIGN = fileURLToPath(new URL('../../../test/fixtures/foreign', import.meta.url));

/** The tables that the foreign definitions read, in SQL that all databases accept. */
export const BAKERY_TABLES = [
  'CREATE TABLE ovens (id BIGINT, name VARCHAR(40), opened DATE)',
  "INSERT INTO ovens VALUES (1, 'stone', '2020-01-01'), (2, 'steel', '2022-05-01')",
  'CREATE TABLE loaves (id BIGINT, oven_id BIGINT, kind VARCHAR(40), weight DECIMAL(8,2), baked_at TIMESTAMP)',
  `INSERT INTO loaves VALUES (1, 1, 'rye', 900, '2024-01-01 05:00:00'),
   (2, 1, 'spelt', 700.5, '2024-01-02 05:00:00'), (3, 2, 'rye', 850, '2024-02-01 05:00:00')`,
];

/** Creates a database file with the tables of the service and of the bakery. */
export async function createBakeryFile(file: string): Promise<void> {
  await copyEmptyFile(file);
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const statement of BAKERY_TABLES) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

/** Compares a text with the recorded text in `test/fixtures/foreign/reports/<name>`. With `UPDATE_IMPORTS=1`, it is recorded again. */
export async function expectRecorded(name: string, text: string): Promise<void> {
  const file = `${FOREIGN}/reports/${name}`;
  if (process.env.UPDATE_IMPORTS !== undefined) await writeFile(file, text);
  expect(text).to.equal(await readFile(file, 'utf8'));
}
