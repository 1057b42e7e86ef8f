import { withExactCollation } from '../../engine/databases/mysql/connection/flavor.js';
import type { WriteConnection } from '../../engine/databases/mysql/write-connection.js';
import { TableFit } from '../schema/table-fit.js';

/**
 * Runs a statement that creates or changes a table. If an earlier process ran the statement and was then killed, the
 * resulting error is ignored.
 */
export async function defineOnce(connection: WriteConnection, statement: string): Promise<void> {
  try {
    const change = await relaxColumns(connection, withExactCollation(statement, connection.flavor));
    if (change !== undefined) await connection.run(change);
  } catch (error) {
    const number = Number((error as { errno?: unknown }).errno);
    if (!ALREADY_DONE.has(number)) throw error;
    if (number !== TABLE_EXISTS) return;
    const fit = new TableFit([statement]);
    fit.require(await connection.rows(fit.select));
  }
}

/** The error if the table exists: from an earlier run of this statement, or from another program. */
const TABLE_EXISTS = 1050;

/**
 * Errors that mean that the change was already made: the table, column or key already exists, or the one to drop does
 * not exist.
 */
const ALREADY_DONE = new Set([TABLE_EXISTS, 1060, 1061, 1091]);

/**
 * Rewrites an ALTER TABLE with `MODIFY COLUMN name type` actions. In the migrations, these actions only mean that the column may be
 * NULL, and that its text can have at least this length. So the new statement keeps the type of a column that another program created
 * with a longer text type. Returns undefined if no column changes. Returns any other statement unchanged.
 */
async function relaxColumns(connection: WriteConnection, statement: string): Promise<string | undefined> {
  const [, table, actions] = /^(?:--[^\n]*\n|\s)*ALTER TABLE (\w+)\s+(MODIFY COLUMN .*)$/s.exec(statement) ?? [];
  if (table === undefined || actions === undefined) return statement;
  const written = new Map(
    [...actions.matchAll(/MODIFY COLUMN (\w+) ([\w()]+)/g)].map(([, name = '', type = '']) => [name, type]),
  );
  const rows = await connection.rows(
    `SELECT column_name, column_type, collation_name, is_nullable FROM information_schema.columns
     WHERE table_schema = DATABASE() AND table_name = :p1`,
    [table],
  );
  const changes = rows.flatMap(([name, type, collation, isNullable]) => {
    const [wanted, current] = [written.get(String(name)), String(type)];
    if (wanted === undefined) return [];
    const isShort = lengthOf(current) < lengthOf(wanted);
    if (isNullable === 'YES' && !isShort) return [];
    return [`MODIFY COLUMN ${name} ${isShort ? wanted : current}${collation === null ? '' : ` COLLATE ${collation}`}`];
  });
  return changes.length === 0 ? undefined : `ALTER TABLE ${table} ${changes.join(', ')}`;
}

/** Returns the length of a VARCHAR. Other types have no length that counts here. */
function lengthOf(type: string): number {
  return Number(/^varchar\((\d+)\)/i.exec(type)?.[1] ?? Number.POSITIVE_INFINITY);
}
