import { Readable } from 'node:stream';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { WriteConnection } from './write-connection.js';

/** What becomes of a row whose key is there already: never so, or it replaces that one, or changes it by these assignments. */
export type Conflict = 'never' | 'replace' | { readonly update: string };

/** A table that takes rows. */
export interface Target {
  readonly table: string;
  readonly columns: readonly string[];
  readonly conflict: Conflict;
}

/** Sends the rows that DuckDB selects, whose columns stand in the order of the target's, to a table of the server. */
export type RowsOut = (select: string, target: Target) => Promise<void>;

/** Where rows come from, and where they go. */
export interface Ends {
  readonly from: DuckDBConnection;
  readonly to: WriteConnection;
}

/**
 * As a file that the server asks for: the fastest way over the protocol. There is none: DuckDB writes its lines while the
 * server reads them, and waits where the server is slower.
 */
export function rowsAsFile(ends: Ends): RowsOut {
  return async (select, target) => {
    if (typeof target.conflict === 'string') await load(ends, select, target.table, target);
    else await loadAside(ends, select, target, target.conflict.update);
  };
}

/** As statements that insert many rows each, for servers that take no files. */
export function rowsAsStatements({ from, to }: Ends): RowsOut {
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

/** LOAD DATA can only insert or replace, so rows that change others come to a table of this connection first. */
async function loadAside(ends: Ends, select: string, { table, columns }: Target, update: string): Promise<void> {
  const { to } = ends;
  const aside = `aside_${table}`;
  const list = columns.join(', ');
  // One may be left of a transaction that failed: temporary tables are no part of it.
  await to.run(`DROP TEMPORARY TABLE IF EXISTS ${aside}`);
  await to.run(`CREATE TEMPORARY TABLE ${aside} LIKE ${table}`);
  await load(ends, select, aside, { columns, conflict: 'never' });
  await to.run(`INSERT INTO ${table} (${list}) SELECT ${list} FROM ${aside} ON DUPLICATE KEY UPDATE ${update}`);
  await to.run(`DROP TEMPORARY TABLE ${aside}`);
}

async function load(
  { from, to }: Ends,
  select: string,
  into: string,
  { columns, conflict }: Omit<Target, 'table'>,
): Promise<void> {
  const sql =
    `LOAD DATA LOCAL INFILE 'rows' ${conflict === 'replace' ? 'REPLACE ' : ''}INTO TABLE ${into} CHARACTER SET utf8mb4 ` +
    `FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' ESCAPED BY '' LINES TERMINATED BY '\\n' (${columns.join(', ')})`;
  const lines = Readable.from(linesOf(from, linesSql(select, columns)), LINES);
  // Who loads hears of it; after the connection was lost, nobody does.
  lines.on('error', () => undefined);
  try {
    await to.load(sql, () => lines);
  } finally {
    await closed(lines);
  }
}

/** Ends a stream; resolves when DuckDB does no more for it. */
function closed(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once('close', resolve).destroy();
  });
}

/** The first column of a SELECT, a line a row, in pieces. */
async function* linesOf(from: DuckDBConnection, select: string): AsyncGenerator<Buffer> {
  const result = await from.stream(select);
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const text = Buffer.from(`${chunk.getColumnValues(0).join('\n')}\n`);
    for (let start = 0; start < text.length; start += PIECE_BYTES) yield text.subarray(start, start + PIECE_BYTES);
  }
}

/** A piece goes as one packet, which the server takes only below its `max_allowed_packet`. */
const PIECE_BYTES = 256 * 1024;
/** Bytes that DuckDB may be ahead of the server. */
const LINES = { objectMode: false, highWaterMark: 4 * 1024 * 1024 };

/**
 * SELECT of a line for each row. Text stands between quotes, and a quote in it is doubled: MySQL reads that back to the
 * byte. A NULL is the bare word. DuckDB asks for the type of a column once and not for every row.
 */
function linesSql(select: string, columns: readonly string[]): string {
  const names = columns.map((_, index) => `c${index}`);
  const texts = names.map(
    (name) => `COALESCE(
      CASE WHEN typeof(${name}) IN (${BARE}) THEN ${name}::VARCHAR
      ELSE '"' || replace(${name}::VARCHAR, '"', '""') || '"' END, 'NULL')`,
  );
  return `SELECT concat_ws(',', ${texts.join(', ')}) FROM (${select}) selected(${names.join(', ')})`;
}

/** Types in whose text nothing is special. */
const BARE = ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'DATE', 'TIMESTAMP'].map((type) => `'${type}'`);

/** Rows of a statement: as many as parse quickly and stay far below the `max_allowed_packet` of any server. */
const ROWS_A_STATEMENT = 500;

/** SELECT of the text behind VALUES, a row for each statement. Every value is text, which MySQL takes for all types. */
function valuesSql(select: string, columns: readonly string[]): string {
  const names = columns.map((_, index) => `c${index}`);
  const texts = names.map(
    (name) => `COALESCE('''' || replace(replace(${name}::VARCHAR, '\\', '\\\\'), '''', '''''') || '''', 'NULL')`,
  );
  return `
    SELECT string_agg('(' || concat_ws(',', ${texts.join(', ')}) || ')', ',' ORDER BY number)
    FROM (SELECT *, row_number() OVER () - 1 AS number FROM (${select}) selected(${names.join(', ')}))
    GROUP BY number // ${ROWS_A_STATEMENT}
    ORDER BY number // ${ROWS_A_STATEMENT}`;
}
