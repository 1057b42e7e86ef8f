import { withExactCollation } from '../../databases/mysql/connection/flavor.js';
import type { WriteConnection } from '../../databases/mysql/write-connection.js';
import { TableFit } from '../schema/table-fit.js';
import { relaxColumns } from './relax-columns.js';

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
