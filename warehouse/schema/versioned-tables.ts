import { isVersioned } from '../versions/written-tables.js';
import { readMigrations, VERSIONS } from './migrations.js';
import { TableFit } from './table-fit.js';

/** Returns the names of all tables of this program that have a version. */
export function readVersionedTables(): Promise<readonly string[]> {
  names ??= readNames();
  return names;
}

/** A cache: each step of a migration needs the names, and they do not change while the program runs. */
let names: Promise<readonly string[]> | undefined;

async function readNames(): Promise<readonly string[]> {
  const steps = await readMigrations();
  const { tables } = new TableFit([VERSIONS, ...steps.flatMap(({ statements }) => statements)]);
  return tables.map((table) => table.toLowerCase()).filter(isVersioned);
}

/** Whether a statement that defines tables may change stored rows. `CREATE TABLE IF NOT EXISTS`, which each start runs, does not. */
export function changesStoredRows(statement: string): boolean {
  return !/^\s*CREATE TABLE IF NOT EXISTS\b/.test(statement);
}
