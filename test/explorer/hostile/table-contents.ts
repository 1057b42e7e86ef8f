import { createHash } from 'node:crypto';
import { readMigrations } from '../../../warehouse/schema/migrations.js';
import { TableFit } from '../../../warehouse/schema/table-fit.js';
import type { DemoService } from '../../service/demo-service.js';

/** For each table, the number of rows and a hash of the content; also the names of all tables. */
export type TableContents = Readonly<Record<string, string>>;

/** Reads the content of all tables except those that a question may change. */
export async function contentOf({ database, state }: DemoService): Promise<TableContents> {
  const schema = database.name === 'duckdb' ? "'main'" : 'DATABASE()';
  const select = `SELECT table_name FROM information_schema.tables WHERE table_schema = ${schema} ORDER BY table_name`;
  const tables = await state.transaction((it) => it.rows(select));
  const contents: Record<string, string> = { '': tables.join(' ') };
  for (const table of await tableNames()) {
    const rows = await state.transaction((tables) => tables.rows(`SELECT * FROM ${table}`));
    const lines = rows.map((row) => JSON.stringify(row)).sort();
    contents[table] = `${rows.length} ${createHash('sha256').update(lines.join('\n')).digest('hex')}`;
  }
  return contents;
}

/**
 * Tables that a question may change: its record, its popularity, the audit log and the counter of the queue. Also the visits of
 * collections, which the service stores once per minute.
 */
const CHANGED = new Set([
  'explorer_questions',
  'explorer_popular_questions',
  'explorer_sql_quotas',
  'explorer_model_tokens',
  'sys_audit_log',
  'sys_counters',
  'collection_visits',
  'data_versions',
]);

/** Returns the names of all tables of the migrations. */
async function tableNames(): Promise<string[]> {
  const statements = (await readMigrations()).flatMap((migration) => migration.statements);
  return new TableFit(statements).tables.filter((name) => !CHANGED.has(name));
}
