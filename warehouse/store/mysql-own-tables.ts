import { withExactCollation } from '../../engine/databases/mysql/connection/flavor.js';
import type { MysqlParts, MysqlTables } from './mysql-tables.js';
import { foreignTableError, type TableReplacement, type Tables } from './store.js';

/** A connection to a server, for work that creates and drops tables. The server commits these statements immediately. */
export interface ServerTables extends MysqlParts {
  transaction<T>(work: (tables: MysqlTables) => Promise<T>): Promise<T>;
}

/**
 * Replaces a table on a server: loads the rows into a new table, then swaps the names with one statement. If the process ends before the
 * swap, the old table is unchanged. If the process ends after the swap, the new table is complete but has no version.
 */
export async function replaceOnServer(server: ServerTables, replacement: TableReplacement): Promise<void> {
  const { connection, staging, writeRows } = server;
  const { name, isKnown, stage, record } = replacement;
  const exists = await hasTable(server, name);
  if (exists && !isKnown) throw foreignTableError(name);
  const [next, previous] = [`${name}__next`, `${name}__previous`];
  const removeOthers = () => connection.run(`DROP TABLE IF EXISTS ${next}, ${previous}`);
  // Tables of an earlier process that was killed.
  await removeOthers();
  try {
    const { create, columns, rows } = await stage(staging);
    await connection.run(withExactCollation(create(next), connection.flavor));
    for (const part of rows) await writeRows(part, { table: next, columns, conflict: 'never' });
    const isNew = isKnown ? undefined : record;
    const others = exists ? `${name} TO ${previous}, ` : '';
    await changeTable(server, name, `RENAME TABLE ${others}${next} TO ${name}`, record, isNew);
  } finally {
    if (connection.isOpen) await removeOthers();
  }
}

export async function dropOnServer(
  server: ServerTables,
  name: string,
  record: (tables: Tables) => Promise<void>,
): Promise<void> {
  await changeTable(server, name, `DROP TABLE IF EXISTS ${name}`, record);
}

/**
 * Runs a statement that swaps or drops a table. Removes the version of the table before the statement, and stores a new version after it.
 * After an interruption in between, the table has no version, so its answers are not cached. `before` runs in the first transaction, and
 * `record` in the last one.
 */
async function changeTable(
  { connection, transaction }: ServerTables,
  name: string,
  statement: string,
  record: (tables: Tables) => Promise<void>,
  before?: (tables: Tables) => Promise<void>,
): Promise<void> {
  await transaction(async (tables) => {
    await before?.(tables);
    await tables.run('DELETE FROM data_versions WHERE table_name = :p1', [name]);
  });
  try {
    await connection.run(statement);
  } catch (error) {
    const restore = async (tables: MysqlTables) => tables.written.add(name);
    if (connection.isOpen) await transaction(restore).catch(() => undefined);
    if ((error as { errno?: unknown }).errno !== LOCK_TIMEOUT) throw error;
    const message = `The table ${name} was not changed, because a query on it runs for too long. Try again when it has ended.`;
    throw new Error(message, { cause: error });
  }
  await transaction(async (tables) => {
    await record(tables);
    tables.written.add(name);
  });
}

/** The error if another connection blocks the table for longer than `lock_wait_timeout`. */
const LOCK_TIMEOUT = 1205;

async function hasTable({ connection }: ServerTables, name: string): Promise<boolean> {
  const [[count] = []] = await connection.rows(
    'SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = :p1',
    [name],
  );
  return Number(count) > 0;
}
