import { Readable } from 'node:stream';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { WriteConnection } from './write-connection.js';

/**
 * What to do if the key of a written row already exists. `never`: this is an error. `replace`: the new row replaces the
 * existing row. `update`: these assignments change the existing row.
 */
export type Conflict = 'never' | 'replace' | { readonly update: string };

/** The table on the server into which the rows are written. */
export interface Target {
  readonly table: string;
  readonly columns: readonly string[];
  readonly conflict: Conflict;
}

/** Writes the rows that a SELECT of DuckDB returns into the target. The columns of both must be in the same order. */
export type WriteRows = (select: string, target: Target) => Promise<void>;

/** The source and target connections of a copy. */
export interface CopyEnds {
  readonly from: DuckDBConnection;
  readonly to: WriteConnection;
}

/**
 * Writes rows with LOAD DATA LOCAL, the fastest way that the protocol offers. No file is created: DuckDB produces the
 * lines while the server reads them, and waits if the server is slower.
 */
export function createFileWriter(ends: CopyEnds): WriteRows {
  return async (select, target) => {
    if (typeof target.conflict === 'string') await load(ends, select, target.table, target);
    else await loadThroughTemporaryTable(ends, select, target, target.conflict.update);
  };
}

/** Writes rows with INSERT or REPLACE statements of many rows, for servers that do not allow LOAD DATA LOCAL. */
export function createStatementWriter({ from, to }: CopyEnds): WriteRows {
  return async (select, { table, columns, conflict }) => {
    const verb = conflict === 'replace' ? 'REPLACE' : 'INSERT';
    const end = typeof conflict === 'string' ? '' : ` ON DUPLICATE KEY UPDATE ${conflict.update}`;
    const result = await from.stream(valuesSql(select, columns));
    for await (const rows of result.yieldRows()) {
      for (const [values] of rows) {
        await to.run(`${verb} INTO ${table} (${columns.join(', ')}) VALUES ${values}${end}`);
      }
    }
  };
}

/**
 * Loads rows that must update existing rows. LOAD DATA can only insert or replace rows, so they are first loaded into a
 * temporary table.
 */
async function loadThroughTemporaryTable(
  ends: CopyEnds,
  select: string,
  { table, columns }: Target,
  update: string,
): Promise<void> {
  const { to } = ends;
  const temporary = `incoming_${table}`;
  const list = columns.join(', ');
  // A rollback does not drop temporary tables, so one may exist from a transaction that failed.
  await to.run(`DROP TEMPORARY TABLE IF EXISTS ${temporary}`);
  await to.run(`CREATE TEMPORARY TABLE ${temporary} LIKE ${table}`);
  await load(ends, select, temporary, { columns, conflict: 'never' });
  await to.run(`INSERT INTO ${table} (${list}) SELECT ${list} FROM ${temporary} ON DUPLICATE KEY UPDATE ${update}`);
  await to.run(`DROP TEMPORARY TABLE ${temporary}`);
}

async function load(
  { from, to }: CopyEnds,
  select: string,
  into: string,
  { columns, conflict }: Omit<Target, 'table'>,
): Promise<void> {
  const sql =
    `LOAD DATA LOCAL INFILE 'rows' ${conflict === 'replace' ? 'REPLACE ' : ''}INTO TABLE ${into} CHARACTER SET utf8mb4 ` +
    `FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' ESCAPED BY '' LINES TERMINATED BY '\\n' (${columns.join(', ')})`;
  const lines = Readable.from(readLines(from, linesSql(select, columns)), STREAM_OPTIONS);
  // `load` rejects with this error. Without a listener, an error after the loss of the connection would end the process.
  lines.on('error', () => undefined);
  try {
    await to.load(sql, () => lines);
  } finally {
    await close(lines);
  }
}

/** Closes a stream. Resolves when DuckDB has stopped producing lines. */
function close(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once('close', resolve).destroy();
  });
}

/** Yields the first column of a SELECT, one line per row, in buffers of limited size. */
async function* readLines(from: DuckDBConnection, select: string): AsyncGenerator<Buffer> {
  const result = await from.stream(select);
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const text = Buffer.from(`${chunk.getColumnValues(0).join('\n')}\n`);
    for (let start = 0; start < text.length; start += MAX_PACKET_BYTES)
      yield text.subarray(start, start + MAX_PACKET_BYTES);
  }
}

/** The maximum size of a buffer. Each buffer becomes one packet, and the server rejects packets above its `max_allowed_packet`. */
const MAX_PACKET_BYTES = 256 * 1024;
/** `highWaterMark` limits the bytes that DuckDB produces before the server reads them. */
const STREAM_OPTIONS = { objectMode: false, highWaterMark: 4 * 1024 * 1024 };

/**
 * Returns a SELECT that produces one line of text per row. Text is quoted, and quotes inside text are doubled, so that
 * MySQL reads exactly the same bytes. NULL is not quoted. DuckDB evaluates `typeof` once per column, not once per row.
 */
function linesSql(select: string, columns: readonly string[]): string {
  const names = columns.map((_, index) => `c${index}`);
  const texts = names.map(
    (name) => `COALESCE(
      CASE WHEN typeof(${name}) IN (${UNQUOTED_TYPES}) THEN ${name}::VARCHAR
      ELSE '"' || replace(${name}::VARCHAR, '"', '""') || '"' END, 'NULL')`,
  );
  return `SELECT concat_ws(',', ${texts.join(', ')}) FROM (${select}) selected(${names.join(', ')})`;
}

/** Types whose text needs no quotes. */
const UNQUOTED_TYPES = ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'DATE', 'TIMESTAMP'].map(
  (type) => `'${type}'`,
);

/**
 * The number of rows per INSERT statement. With this number, parsing is fast, and statements are much smaller than
 * `max_allowed_packet` usually is.
 */
const ROWS_PER_STATEMENT = 500;

/**
 * Returns a SELECT that produces one row per INSERT statement: the text after VALUES. Every value is a text literal,
 * which MySQL converts to the type of the column.
 */
function valuesSql(select: string, columns: readonly string[]): string {
  const names = columns.map((_, index) => `c${index}`);
  const texts = names.map(
    (name) => `COALESCE('''' || replace(replace(${name}::VARCHAR, '\\', '\\\\'), '''', '''''') || '''', 'NULL')`,
  );
  return `
    SELECT string_agg('(' || concat_ws(',', ${texts.join(', ')}) || ')', ',' ORDER BY number)
    FROM (SELECT *, row_number() OVER () - 1 AS number FROM (${select}) selected(${names.join(', ')}))
    GROUP BY number // ${ROWS_PER_STATEMENT}
    ORDER BY number // ${ROWS_PER_STATEMENT}`;
}
