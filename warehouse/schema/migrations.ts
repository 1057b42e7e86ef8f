import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SOURCE_FOLDER } from '../rules/data-files.js';

/** A version of the tables, and how they get there from the one before. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** In the MySQL dialect. */
  readonly statements: readonly string[];
}

/** The table of the versions that were taken, there before all others. */
export const VERSIONS = `CREATE TABLE IF NOT EXISTS schema_versions (
  version INT NOT NULL PRIMARY KEY,
  name VARCHAR(255) NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin`;

/** All steps, in their order. */
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

/** A file of comments alone has none: its step is one of `migrate`. */
function statementsOf(sql: string): string[] {
  return sql.split(/;\s*$/m).filter((statement) => statement.replace(/^--.*$/gm, '').trim() !== '');
}
