import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { EmbeddedDatabase } from '../../databases/duckdb/embedded.js';
import type { Chunk } from './chunks.js';
import { selectEventRows, type StagedChunk } from './event-rows.js';
import { repairLine } from './repair.js';

/** The rows of a batch: the columns of github_events, `chunk`, `file`, and what the events tell beside. */
export const STAGED_EVENTS = 'staged_events';

/** A line that is no event. `line` counts from 1. */
export interface BrokenLine {
  readonly file: number;
  readonly line: number;
  readonly reason: string;
}

/** Reads chunk files into a temporary table of the writing connection, from which a batch is loaded. */
export class Staging {
  readonly #database: EmbeddedDatabase;
  readonly #folder: string;
  #chunks = 0;
  #repairs = 0;

  constructor(database: EmbeddedDatabase, folder: string) {
    this.#database = database;
    this.#folder = folder;
  }

  /** An empty table, for the next batch. */
  clear(): Promise<void> {
    return this.#database.maintain(async (connection) => {
      await connection.run(EMPTY);
    });
  }

  /** Reads the chunks of source number `file`, deletes their files, and tells the lines that are no events. */
  async add(chunks: readonly (Chunk & { readonly file: number })[]): Promise<BrokenLine[]> {
    const staged = chunks.map((chunk) => ({ ...chunk, number: this.#chunks++ }));
    const refused = await this.#database.maintain((connection) => readChunks(connection, staged));
    const broken: BrokenLine[] = [];
    const repaired: (Chunk & { file: number })[] = [];
    for (const chunk of staged) {
      const rows = refused.get(chunk.number);
      if (rows !== undefined) {
        const path = join(this.#folder, `repaired-${this.#repairs++}.json`);
        const result = repairLines(await readFile(chunk.path), rows);
        broken.push(...result.broken.map((line) => ({ ...line, file: chunk.file, line: chunk.firstLine + line.line })));
        if (result.events.length > 0) {
          await writeFile(path, `${result.events.join('\n')}\n`);
          repaired.push({ path, bytes: 0, firstLine: 0, refused: 0, file: chunk.file });
        }
      }
      await unlink(chunk.path);
    }
    if (repaired.length > 0) broken.push(...(await this.#addRepaired(repaired)));
    return broken;
  }

  /** Takes the rows of a source out again. */
  drop(file: number): Promise<void> {
    return this.#database.maintain(async (connection) => {
      await connection.run(`DELETE FROM ${STAGED_EVENTS} WHERE file = ${file}`);
    });
  }

  /** What is refused twice stays out. */
  async #addRepaired(chunks: readonly (Chunk & { readonly file: number })[]): Promise<BrokenLine[]> {
    const staged = chunks.map((chunk) => ({ ...chunk, number: this.#chunks++ }));
    const refused = await this.#database.maintain((connection) => readChunks(connection, staged));
    for (const chunk of staged) await unlink(chunk.path);
    return staged.flatMap((chunk) =>
      (refused.get(chunk.number) ?? []).map(() => ({
        file: chunk.file,
        line: 0,
        reason: 'not an event that the database can read',
      })),
    );
  }
}

const EMPTY = `
  CREATE OR REPLACE TEMP TABLE ${STAGED_EVENTS} AS
  SELECT
    0::INTEGER AS chunk,
    0::INTEGER AS file,
    *,
    '' AS creator_type,
    NULL::STRUCT(
      details STRUCT(description VARCHAR, language VARCHAR, license VARCHAR, size BIGINT, is_archived TINYINT),
      is_fork TINYINT, stars BIGINT, forks BIGINT, created_at TIMESTAMP, pushed_at TIMESTAMP,
      owner STRUCT(id BIGINT, login VARCHAR, type VARCHAR)
    ) AS repository,
    NULL::STRUCT(type VARCHAR, name VARCHAR, email VARCHAR, organization VARCHAR, address VARCHAR) AS profile,
    NULL::TIMESTAMP AS began_at,
    NULL::TIMESTAMP AS released_at,
    NULL::STRUCT(id BIGINT, name VARCHAR, created_at TIMESTAMP) AS fork
  FROM github_events
  LIMIT 0`;

/** Row numbers from 0, within their chunk, of the lines that are no events; their rows are taken out. */
async function readChunks(
  connection: DuckDBConnection,
  chunks: readonly StagedChunk[],
): Promise<Map<number, readonly number[]>> {
  const first = chunks[0]?.number ?? 0;
  await connection.run(`INSERT INTO ${STAGED_EVENTS} BY NAME ${selectEventRows(chunks)}`);
  const reader = await connection.runAndReadAll(`
    SELECT chunk, list(position ORDER BY position)
    FROM (
      SELECT chunk, type, created_at, rowid - MIN(rowid) OVER (PARTITION BY chunk) AS position
      FROM ${STAGED_EVENTS}
      WHERE chunk >= ${first}
    )
    WHERE ${REFUSED}
    GROUP BY chunk`);
  const refused = new Map<number, readonly number[]>();
  for (const [chunk, positions] of reader.getRowsJS()) refused.set(Number(chunk), (positions as bigint[]).map(Number));
  if (refused.size > 0) await connection.run(`DELETE FROM ${STAGED_EVENTS} WHERE ${REFUSED}`);
  return refused;
}

const REFUSED = `(type IS NULL OR created_at IS NULL OR type NOT LIKE '%Event')`;

/** DuckDB keeps the order of the lines and skips blank ones, so that row n is the n-th line that is not blank. */
function repairLines(text: Buffer, rows: readonly number[]): { events: string[]; broken: Omit<BrokenLine, 'file'>[] } {
  const wanted = new Set(rows);
  const events: string[] = [];
  const broken: Omit<BrokenLine, 'file'>[] = [];
  let row = 0;
  for (let start = 0, line = 0; start < text.length; line++) {
    const end = text.indexOf(LINE_BREAK, start);
    const bytes = text.subarray(start, end === -1 ? text.length : end);
    start = end === -1 ? text.length : end + 1;
    if (isBlank(bytes) || !wanted.has(row++)) continue;
    const repair = repairLine(bytes);
    if ('events' in repair) events.push(...repair.events);
    else broken.push({ line, reason: repair.broken });
  }
  return { events, broken };
}

const LINE_BREAK = 0x0a;

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}
