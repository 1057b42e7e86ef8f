import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { EmbeddedDatabase } from '../databases/duckdb/embedded.js';
import { translateDdl } from '../databases/duckdb/translate.js';
import { UNKEYED_TABLES } from './derived/refresh.js';
import { WAREHOUSE_FOLDER } from './folder.js';
import { SEEDS } from './seeds.js';

/** The tables were made by a later version of this program. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** Brings the tables to this program's version; all steps or none. Returns the names of the steps it took. */
export async function migrate(database: EmbeddedDatabase): Promise<string[]> {
  const steps = await migrations();
  return database.write(async (connection) => {
    await connection.run(VERSIONS);
    const reader = await connection.runAndReadAll('SELECT version FROM schema_versions ORDER BY version');
    const done = reader.getRowsJS().map(([version]) => Number(version));
    refuseNewer(done, steps);
    const missing = steps.filter((step) => !done.includes(step.version));
    for (const step of missing) await take(connection, step);
    return missing.map((step) => step.name);
  });
}

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

const VERSIONS =
  'CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER NOT NULL PRIMARY KEY, name VARCHAR NOT NULL)';

async function migrations(): Promise<Migration[]> {
  const folder = join(WAREHOUSE_FOLDER, 'migrations');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => ({
      version: Number.parseInt(file, 10),
      name: file.replace(/\.sql$/, ''),
      sql: await readFile(join(folder, file), 'utf8'),
    })),
  );
}

function refuseNewer(done: readonly number[], steps: readonly Migration[]): void {
  const newest = Math.max(0, ...done);
  const known = Math.max(0, ...steps.map((step) => step.version));
  if (newest <= known) return;
  throw new NewerSchemaError(
    `The tables are of version ${newest}, made by a later version of this program; this one knows versions up to ` +
      `${known}. Use the later program.`,
  );
}

async function take(connection: DuckDBConnection, step: Migration): Promise<void> {
  for (const statement of step.sql.split(/;\s*$/m)) {
    if (statement.trim() === '') continue;
    for (const text of translateDdl(statement, { keepKeys: (table) => !UNKEYED_TABLES.has(table) })) {
      await connection.run(text);
    }
  }
  await SEEDS[step.version]?.(connection);
  await connection.run(`INSERT INTO schema_versions VALUES (${step.version}, '${step.name}')`);
}
