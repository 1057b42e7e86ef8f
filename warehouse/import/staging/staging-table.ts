import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { hasRows } from '../../../engine/databases/duckdb/connection/read-rows.js';
import type { Store } from '../../store/store.js';
import type { Chunk } from '../files/chunks.js';
import { describeRejected, FIRST_YEAR, LAST_YEAR, repairLine } from '../files/repair.js';
import { eventRowsSql, type StagedChunk } from './event-rows.js';

/**
 * The view of the rows of a batch: `row_id`, `file`, the columns of github_events, and further facts in the events: `creator_type`,
 * `commenter`, `repository`, `profile`, `began_at`, `released_at`, `fork`. The view reads from `STAGED_LINES`.
 */
export const STAGED_EVENTS = 'staged_events';

/** The temporary table of the staged rows. Rows are deleted from it by `rowid` or `file`. */
export const STAGED_LINES = 'staged_lines';

/** A chunk, with the number of its source. */
export type SourceChunk = Chunk & { readonly file: number };

/** The number of staged rows per source, and the lines that are not events. */
export interface StagedLines {
  readonly rows: ReadonlyMap<number, number>;
  readonly broken: readonly BrokenLine[];
}

/** A line that is not an event. `line` is its number from 1; 0 if the number is unknown. */
export interface BrokenLine {
  readonly file: number;
  readonly line: number;
  readonly reason: string;
}

/** Reads chunk files into a temporary table of the staging database. A batch is loaded from this table. */
export class StagingTable {
  readonly #store: Store;
  readonly #folder: string;
  #chunks = 0;
  #repaired = 0;

  constructor(store: Store, folder: string) {
    this.#store = store;
    this.#folder = folder;
  }

  /** Empties the table for the next batch. */
  clear(): Promise<void> {
    return this.#store.useStaging(clearStaged);
  }

  /** Reads the chunks and deletes their files. */
  async add(chunks: readonly SourceChunk[]): Promise<StagedLines> {
    const broken = chunks.flatMap((chunk) =>
      Array.from({ length: chunk.rejected }, () => ({ file: chunk.file, line: chunk.firstLine, reason: TOO_LONG })),
    );
    const rewritten: SourceChunk[] = [];
    for (const chunk of chunks) {
      const { file, firstLine } = chunk;
      const { longest, broken: wrong } = await rewritePayloads(chunk.path);
      broken.push(...wrong.map(({ line, reason }) => ({ file, line: firstLine + line, reason })));
      rewritten.push({ ...chunk, longestLine: Math.max(chunk.longestLine, longest) });
    }
    const result = await this.#read(rewritten);
    const rows = new Map(result.rows);
    const repaired: SourceChunk[] = [];
    const eventsByPath = new Map<string, readonly RepairedEvent[]>();
    for (const [chunk, lines] of result.rejected) {
      const repair = repairLines(await readFile(chunk.path), lines);
      broken.push(
        ...repair.broken.map(({ line, reason }) => ({ file: chunk.file, line: chunk.firstLine + line, reason })),
      );
      if (repair.events.length === 0) continue;
      const path = join(this.#folder, `repaired-${this.#repaired++}.json`);
      const text = Buffer.from(`${repair.events.map((event) => event.text).join('\n')}\n`);
      await writeFile(path, text);
      const sizes = { bytes: text.length, longestLine: text.length };
      repaired.push({ path, ...sizes, firstLine: chunk.firstLine, rejected: 0, file: chunk.file });
      eventsByPath.set(path, repair.events);
    }
    for (const chunk of chunks) await unlink(chunk.path);
    if (repaired.length === 0) return { rows, broken };
    const again = await this.#read(repaired);
    for (const chunk of repaired) await unlink(chunk.path);
    for (const [file, count] of again.rows) rows.set(file, (rows.get(file) ?? 0) + count);
    for (const [chunk, rows] of again.rejected) {
      for (const row of rows) {
        const { line = 0, text = '' } = eventsByPath.get(chunk.path)?.[row] ?? {};
        broken.push({ file: chunk.file, line: chunk.firstLine + line, reason: describeRejected(text) });
      }
    }
    return { rows, broken };
  }

  /** Removes the rows of a source. */
  drop(file: number): Promise<void> {
    return this.#store.useStaging(async (connection) => {
      await connection.run(`DELETE FROM ${STAGED_LINES} WHERE file = ${file}`);
    });
  }

  /**
   * Reads chunks into the table, without the lines that are not events. If a JSON value continues on the next line, DuckDB fails. After
   * such a failure, the incomplete lines are replaced, and the chunks are read again.
   */
  async #read(chunks: readonly SourceChunk[]): Promise<ReadChunks> {
    const first = this.#chunks;
    const numbered = chunks.map((chunk) => ({ ...chunk, number: this.#chunks++ }));
    const read = (suffix: string) =>
      this.#store.useStaging((connection) => readChunks(connection, numbered, first, suffix));
    try {
      return await read('');
    } catch (error) {
      if (!(error instanceof Error && RUNS_OVER_LINES.test(error.message))) throw error;
      await this.#store.useStaging((connection) =>
        connection.run(`DELETE FROM ${STAGED_LINES} WHERE chunk >= ${first}`),
      );
      for (const { path } of numbered) await writeWholeLines(path, path + WHOLE_LINES);
      const result = await read(WHOLE_LINES);
      for (const { path } of numbered) await unlink(path + WHOLE_LINES);
      return result;
    }
  }
}

export async function clearStaged(staging: DuckDBConnection): Promise<void> {
  await staging.run(EMPTY);
  await staging.run(VIEW);
}

/**
 * Sets the repositories and accounts of staged rows. The tables `repos` and `users` have the columns `row_id` and `target_id`.
 */
export async function resolveStaged(staging: DuckDBConnection, repos: string, users: string): Promise<void> {
  // For most batches both tables are empty, and the staged rows need no join.
  if (!(await hasRows(staging, `(FROM ${repos} UNION ALL FROM ${users})`))) return;
  await staging.run(`
    CREATE OR REPLACE TEMP VIEW ${STAGED_EVENTS} AS
    SELECT l.rowid AS row_id, file, event.* REPLACE (
      COALESCE(r.target_id, event.repo_id) AS repo_id,
      COALESCE(u.target_id, event.actor_id) AS actor_id
    )
    FROM ${STAGED_LINES} l
    LEFT JOIN ${repos} r ON r.row_id = l.rowid
    LEFT JOIN ${users} u ON u.row_id = l.rowid`);
}

const TOO_LONG = 'an object longer than 16 MB, or bytes between objects';

/** The error of DuckDB for a value that starts on one line and ends on a later one. `ignore_errors` does not suppress this error. */
const RUNS_OVER_LINES = /Malformed JSON .*unexpected end of data/s;
const WHOLE_LINES = '.lines';

const EMPTY = `
  CREATE OR REPLACE TEMP TABLE ${STAGED_LINES} AS
  SELECT 0::INTEGER AS chunk, 0::INTEGER AS file, event
  FROM (
    SELECT
      *,
      '' AS creator_type,
      NULL::STRUCT(id BIGINT, login VARCHAR, type VARCHAR) AS commenter,
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
  ) event
  LIMIT 0`;

const VIEW = `
  CREATE OR REPLACE TEMP VIEW ${STAGED_EVENTS} AS
  SELECT rowid AS row_id, file, event.* FROM ${STAGED_LINES}`;

interface ReadChunks {
  /** The number of rows, by source. */
  readonly rows: ReadonlyMap<number, number>;
  /** The numbers of the lines that are not events, counted from 0 in their chunk. */
  readonly rejected: ReadonlyMap<SourceChunk, readonly number[]>;
}

async function readChunks(
  connection: DuckDBConnection,
  chunks: readonly (SourceChunk & StagedChunk)[],
  first: number,
  suffix: string,
): Promise<ReadChunks> {
  for (const some of readTogether(chunks)) {
    const files = some.map((chunk) => ({ ...chunk, path: chunk.path + suffix }));
    await connection.run(`INSERT INTO ${STAGED_LINES} ${eventRowsSql(files)}`);
  }
  const reader = await connection.runAndReadAll(`
    SELECT chunk, COUNT(*), MIN(rowid), list(rowid ORDER BY rowid) FILTER (${IS_REJECTED})
    FROM ${STAGED_LINES}
    WHERE chunk >= ${first}
    GROUP BY chunk`);
  const rows = new Map<number, number>();
  const rejected = new Map<SourceChunk, number[]>();
  for (const row of reader.getRowsJS()) {
    const [number, count, firstRow, wrong] = row as [number, bigint, bigint, bigint[] | null];
    const chunk = chunks[number - first] as SourceChunk;
    rows.set(chunk.file, (rows.get(chunk.file) ?? 0) + Number(count) - (wrong?.length ?? 0));
    if (wrong !== null)
      rejected.set(
        chunk,
        wrong.map((id) => Number(id - firstRow)),
      );
  }
  if (rejected.size > 0) await connection.run(`DELETE FROM ${STAGED_LINES} WHERE chunk >= ${first} AND ${IS_REJECTED}`);
  return { rows, rejected };
}

/**
 * Groups chunks that one statement reads. For each file that it reads, DuckDB reserves twice the bytes of the longest line, and
 * keeps a block per column until the end. So a chunk with a long line is read alone, and small files are read in groups.
 */
function readTogether<T extends StagedChunk>(chunks: readonly T[]): readonly (readonly T[])[] {
  const long = chunks.filter(({ longestLine }) => longestLine > LONG_LINE_BYTES);
  const short = chunks.filter(({ longestLine }) => longestLine <= LONG_LINE_BYTES);
  const groups = short.flatMap((_, index) =>
    index % READ_TOGETHER === 0 ? [short.slice(index, index + READ_TOGETHER)] : [],
  );
  return [...groups, ...long.map((chunk) => [chunk])];
}

const LONG_LINE_BYTES = 1024 * 1024;
/** The maximum number of chunks in one statement. The number is enough to keep all threads busy. */
const READ_TOGETHER = 8;

const IS_REJECTED = `(
  event.type IS NULL OR event.type NOT LIKE '%Event' OR event.created_at IS NULL
  OR event.created_at < '${FIRST_YEAR}-01-01' OR event.created_at >= '${LAST_YEAR + 1}-01-01'
)`;

/**
 * Rewrites the lines of a chunk whose payload is not an object: DuckDB would read such a payload as an empty object. Broken lines become
 * empty, and are returned with their numbers, counted from 0. `longest` is the length of the longest new line.
 */
async function rewritePayloads(path: string): Promise<{ longest: number; broken: Omit<BrokenLine, 'file'>[] }> {
  const text = await readFile(path);
  const pieces: Buffer[] = [];
  const broken: Omit<BrokenLine, 'file'>[] = [];
  let kept = 0;
  let longest = 0;
  for (const place of otherPayloads(text)) {
    if (place < kept) continue;
    const start = text.lastIndexOf(LINE_BREAK, place) + 1;
    const end = text.indexOf(LINE_BREAK, place);
    const repair = repairLine(text.subarray(start, end === -1 ? text.length : end));
    pieces.push(text.subarray(kept, start));
    if ('events' in repair) {
      const events = Buffer.from(repair.events.join(''));
      longest = Math.max(longest, events.length + 1);
      pieces.push(events);
    }
    if ('broken' in repair) broken.push({ line: countLines(text, start), reason: repair.broken });
    kept = end === -1 ? text.length : end;
  }
  if (kept > 0) await writeFile(path, [...pieces, text.subarray(kept)]);
  return { longest, broken };
}

/** Finds the keys `payload` whose value is neither an object nor null. */
function* otherPayloads(text: Buffer): Generator<number> {
  for (let at = text.indexOf(PAYLOAD); at !== -1; at = text.indexOf(PAYLOAD, at + PAYLOAD.length)) {
    let value = at + PAYLOAD.length;
    while (VALUE_PREFIX.has(text[value] ?? 0)) value++;
    if (text[value] !== OPENING_BRACE && text[value] !== LETTER_N) yield at;
  }
}

function countLines(text: Buffer, end: number): number {
  let lines = 0;
  for (let at = text.indexOf(LINE_BREAK); at !== -1 && at < end; at = text.indexOf(LINE_BREAK, at + 1)) lines++;
  return lines;
}

const PAYLOAD = Buffer.from('"payload"');
/** Blanks and the colon between a key and its value. */
const VALUE_PREFIX = new Set(Buffer.from(' \t\r:'));
const OPENING_BRACE = 0x7b;
const LETTER_N = 0x6e;

interface RepairedEvent {
  readonly text: string;
  /** The number of its line in the chunk, from 0. */
  readonly line: number;
}

/** Repairs the lines of these rows. DuckDB keeps the order of lines and skips blank ones: row n is the n-th line that is not blank. */
function repairLines(
  text: Buffer,
  rows: readonly number[],
): { events: RepairedEvent[]; broken: Omit<BrokenLine, 'file'>[] } {
  const rejected = new Set(rows);
  const events: RepairedEvent[] = [];
  const broken: Omit<BrokenLine, 'file'>[] = [];
  let row = 0;
  for (let start = 0, line = 0; start < text.length; line++) {
    const end = text.indexOf(LINE_BREAK, start);
    const bytes = text.subarray(start, end === -1 ? text.length : end);
    start = end === -1 ? text.length : end + 1;
    if (isBlank(bytes) || !rejected.has(row++)) continue;
    const repair = repairLine(bytes);
    if ('events' in repair) events.push(...repair.events.map((event) => ({ text: event, line })));
    else broken.push({ line, reason: repair.broken });
  }
  return { events, broken };
}

const LINE_BREAK = 0x0a;

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** Copies a chunk and replaces each line that is not a complete JSON value by `null`. */
async function writeWholeLines(path: string, copy: string): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  await writeFile(copy, lines.map((line) => (line.trim() === '' || isJson(line) ? line : 'null')).join('\n'));
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
