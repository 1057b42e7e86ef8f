import { readDefinedTables } from '../../engine/sql/analysis/defined-tables.js';
import type { TableFacts } from '../../engine/sql/analysis/table-facts.js';
import { readMigrations, VERSIONS } from './migrations.js';

/** Reads the columns and keys of the tables of this program. Tables that the migrations do not create are not included. */
export async function readTableFacts(): Promise<TableFacts> {
  const steps = await readMigrations();
  return readDefinedTables([VERSIONS, ...steps.flatMap(({ statements }) => statements)]);
}
