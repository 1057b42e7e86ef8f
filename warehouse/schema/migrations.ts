import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SOURCE_FOLDER } from '../rules/data-files.js';

/** A version of the tables, with the statements that upgrade the previous version. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** The statements in the MySQL dialect. */
  readonly statements: readonly string[];
}

/** Creates the table of applied versions. This table must be created first. */
export const VERSIONS = `CREATE TABLE IF NOT EXISTS schema_versions (
  version INT NOT NULL PRIMARY KEY,
  name VARCHAR(255) NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin`;

/** Reads all migrations, in the order of their versions. */
export async function readMigrations(): Promise<Migration[]> {
  const folder = join(SOURCE_FOLDER, 'warehouse/migrations');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => ({
      version: Number.parseInt(file, 10),
      name: file.replace(/\.sql$/, ''),
      statements: statementsOf(await readFile(join(folder, file), 'utf8')),
    })),
  );
}

/** Returns the statements of a file; empty if the file contains only comments, because code in `migrate` does this step. */
function statementsOf(sql: string): string[] {
  return sql.split(/;\s*$/m).filter((statement) => statement.replace(/^--.*$/gm, '').trim() !== '');
}
