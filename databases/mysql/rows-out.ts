import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
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
export interface RowsOut {
  send(select: string, target: Target): Promise<void>;
}

/** As a file that the server asks for: the fastest way over the protocol. */
export class FileRowsOut implements RowsOut {
  readonly #from: DuckDBConnection;
  readonly #to: WriteConnection;
  readonly #folder: string;

  /** `folder`: where DuckDB may write files. */
  constructor(from: DuckDBConnection, to: WriteConnection, folder: string) {
    this.#from = from;
    this.#to = to;
    this.#folder = folder;
  }

  async send(select: string, target: Target): Promise<void> {
    const path = join(this.#folder, `${target.table}.csv`);
    try {
      await this.#from.run(copySql(select, path));
      if (typeof target.conflict === 'string') await this.#load(path, target.table, target);
      else await this.#loadAside(path, target, target.conflict.update);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** LOAD DATA can only insert or replace, so rows that change others come to a table of this connection first. */
  async #loadAside(path: string, { table, columns }: Target, update: string): Promise<void> {
    const aside = `aside_${table}`;
    const list = columns.join(', ');
    // One may be left of a transaction that failed: temporary tables are no part of it.
    await this.#to.run(`DROP TEMPORARY TABLE IF EXISTS ${aside}`);
    await this.#to.run(`CREATE TEMPORARY TABLE ${aside} LIKE ${table}`);
    await this.#load(path, aside, { table, columns, conflict: 'never' });
    await this.#to.run(`INSERT INTO ${table} (${list}) SELECT ${list} FROM ${aside} ON DUPLICATE KEY UPDATE ${update}`);
    await this.#to.run(`DROP TEMPORARY TABLE ${aside}`);
  }

  async #load(path: string, into: string, { columns, conflict }: Target): Promise<void> {
    const sql =
      `LOAD DATA LOCAL INFILE 'rows' ${conflict === 'replace' ? 'REPLACE ' : ''}INTO TABLE ${into} CHARACTER SET utf8mb4 ` +
      `FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' ESCAPED BY '' LINES TERMINATED BY '\\n' (${columns.join(', ')})`;
    await this.#to.load(sql, () => createReadStream(path, { highWaterMark: READ_BYTES }));
  }
}

/** A piece goes as one packet, which the server takes only below its `max_allowed_packet`. */
const READ_BYTES = 256 * 1024;

/** As statements that insert many rows each, for servers that take no files. */
export class StatementRowsOut implements RowsOut {
  readonly #from: DuckDBConnection;
  readonly #to: WriteConnection;

  constructor(from: DuckDBConnection, to: WriteConnection) {
    this.#from = from;
    this.#to = to;
  }

  async send(select: string, { table, columns, conflict }: Target): Promise<void> {
    const verb = conflict === 'replace' ? 'REPLACE' : 'INSERT';
    const end = typeof conflict === 'string' ? '' : ` ON DUPLICATE KEY UPDATE ${conflict.update}`;
    const result = await this.#from.stream(valuesSql(select, columns));
    for await (const rows of result.yieldRows()) {
      for (const [values] of rows) {
        await this.#to.run(`${verb} INTO ${table} (${columns.join(', ')}) VALUES ${values}${end}`);
      }
    }
  }
}

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

/**
 * Text in which anything is special stands between quotes, and a quote in it is doubled: MySQL reads that back to the
 * byte. A NULL is the bare word.
 */
function copySql(select: string, path: string): string {
  return (
    `COPY (${select}) TO '${path.replaceAll("'", "''")}' ` +
    `(FORMAT csv, HEADER false, DELIMITER ',', QUOTE '"', ESCAPE '"', NULLSTR 'NULL')`
  );
}
