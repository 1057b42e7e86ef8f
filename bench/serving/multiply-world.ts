import { requireStore, type Warehouse } from '../../server/databases/warehouse.js';
import { CLUSTERED_TABLES } from '../../warehouse/tables/tables.js';

/**
 * Multiplies the repositories and users in the tables that operations read, in a DuckDB file. The copies have other names, and ids in
 * between the existing ids. Collections and trends are not multiplied, because these lists do not become longer with more repositories. The
 * answers of both worlds are equal, except for ids.
 */
export async function multiplyWorld(warehouse: Warehouse, tables: ReadonlySet<string>, factor: number): Promise<void> {
  await requireStore(warehouse).write(async ({ staging }) => {
    const reader = await staging.runAndReadAll(
      `SELECT table_name, list(column_name) FROM duckdb_columns()
       WHERE database_name = current_database() AND NOT internal GROUP BY table_name`,
    );
    for (const [table, columns] of reader.getRowsJS() as [string, string[]][]) {
      if (!tables.has(table) || !columns.includes('repo_id')) continue;
      const copies = LISTS.has(table) ? 1 : factor;
      const changed = Object.entries(changedColumns(factor)).filter(([column]) => columns.includes(column));
      const replace = changed.map(([column, expression]) => `${expression} AS ${column}`).join(', ');
      const order = CLUSTERED_TABLES.find(({ name }) => name === table)?.order ?? ['copy'];
      await staging.run(`
        CREATE OR REPLACE TEMP TABLE multiplied AS
        SELECT t.* REPLACE (${replace}), copy FROM ${table} t, range(${copies}) copies(copy)`);
      await staging.run(`DELETE FROM ${table}`);
      await staging.run(`INSERT INTO ${table} SELECT * EXCLUDE (copy) FROM multiplied ORDER BY ${order.join(', ')}`);
      await staging.run('DROP TABLE multiplied');
    }
  });
}

const LISTS: ReadonlySet<string> = new Set(['collection_items', 'mv_trending_repos']);

/** Returns the expressions for the columns that differ in each copy. The user id 0 means an unknown user. */
function changedColumns(factor: number): Readonly<Record<string, string>> {
  const name = (column: string) => `CASE copy WHEN 0 THEN ${column} ELSE ${column} || '-' || copy END`;
  return {
    repo_id: `repo_id * ${factor} + copy`,
    user_id: `CASE user_id WHEN 0 THEN 0 ELSE user_id * ${factor} + copy END`,
    repo_name: name('repo_name'),
    repo_name_lower: name('repo_name_lower'),
  };
}
