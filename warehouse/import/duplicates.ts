import type { DuckDBConnection } from '@duckdb/node-api';
import type { Tables } from '../store/store.js';
import { STAGED_EVENTS, STAGED_LINES } from './staging.js';

/** The time from the first to the last event of a staged file, `YYYY-MM-DD HH:MM:SS`. */
export interface FileSpan {
  readonly file: number;
  readonly first: string;
  readonly last: string;
}

/**
 * Takes out of the staged rows what is there already, in github_events or in another staged file, and tells how many rows
 * of which file those were. The rule needs no event id, which whole eras lack, and no order: after any imports each
 * distinct row is there as often as in that file which has it most often. Only times that two files share are looked at.
 */
export async function removeDuplicates(tables: Tables, spans: readonly FileSpan[]): Promise<Map<number, number>> {
  const { bench } = tables;
  const windows = joined([...sharedAmong(spans), ...(await sharedWithImported(tables, spans))]);
  if (windows.length === 0) return new Map();
  const shared = windows
    .map(({ first, last }) => `created_at BETWEEN TIMESTAMP '${first}' AND TIMESTAMP '${last}'`)
    .join(' OR ');
  await tables.bringWhere('github_events', shared);
  await bench.run(duplicatesSql(await eventColumns(bench), `(${shared})`));
  const reader = await bench.runAndReadAll('SELECT file, COUNT(*) FROM duplicate_rows GROUP BY file');
  const counts = new Map(reader.getRowsJS().map(([file, rows]) => [Number(file), Number(rows)]));
  if (counts.size > 0) {
    await bench.run(`DELETE FROM ${STAGED_LINES} WHERE rowid IN (SELECT row_id FROM duplicate_rows)`);
  }
  await bench.run('DROP TABLE duplicate_rows');
  return counts;
}

interface Window {
  readonly first: string;
  readonly last: string;
}

function sharedAmong(spans: readonly FileSpan[]): Window[] {
  const shared: Window[] = [];
  const sorted = [...spans].sort((a, b) => (a.first < b.first ? -1 : 1));
  let last = '';
  for (const span of sorted) {
    if (span.first <= last) shared.push({ first: span.first, last: earlier(span.last, last) });
    if (span.last > last) last = span.last;
  }
  return shared;
}

async function sharedWithImported(tables: Tables, spans: readonly FileSpan[]): Promise<Window[]> {
  const shared: Window[] = [];
  for (const { first, last } of spans) {
    const files = await tables.rows(
      'SELECT DISTINCT first_event_at, last_event_at FROM import_files WHERE first_event_at <= :p2 AND last_event_at >= :p1',
      [first, last],
    );
    for (const [from = first, to = last] of files.map((times) => times.map(String))) {
      shared.push({ first: later(from, first), last: earlier(to, last) });
    }
  }
  return shared;
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function earlier(a: string, b: string): string {
  return a > b ? b : a;
}

/** The windows as few as possible. */
function joined(windows: readonly Window[]): Window[] {
  const result: Window[] = [];
  for (const window of [...windows].sort((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = result.at(-1);
    if (before === undefined || window.first > before.last) result.push(window);
    else if (window.last > before.last) result[result.length - 1] = { first: before.first, last: window.last };
  }
  return result;
}

async function eventColumns(bench: DuckDBConnection): Promise<string> {
  const reader = await bench.runAndReadAll(
    "SELECT column_name FROM duckdb_columns() WHERE table_name = 'github_events' ORDER BY column_index",
  );
  return reader.getRowsJS().flat().join(', ');
}

/** The n-th equal row of a file is kept when no earlier file has as many and fewer than n are in the table. */
function duplicatesSql(columns: string, shared: string): string {
  return `
    CREATE OR REPLACE TEMP TABLE duplicate_rows AS
    WITH nth_in_file AS (
      SELECT row_id, file, ${columns}, ROW_NUMBER() OVER (PARTITION BY file, ${columns}) AS nth
      FROM ${STAGED_EVENTS}
      WHERE ${shared}
    ),
    nth_of_all AS (
      SELECT *, ROW_NUMBER() OVER (PARTITION BY nth, ${columns} ORDER BY file) AS copy FROM nth_in_file
    ),
    existing AS (
      SELECT ${columns}, COUNT(*) AS times
      FROM (SELECT * REPLACE (${TOLD_REPO_ID} AS repo_id) FROM github_events WHERE ${shared})
      GROUP BY ALL
    )
    SELECT row_id, file
    FROM nth_of_all
    LEFT JOIN existing USING (${columns})
    WHERE copy > 1 OR nth <= COALESCE(times, 0)`;
}

/** The id that the event carried, or that was made from its name: staged rows have no other yet. */
const TOLD_REPO_ID = 'CASE WHEN provisional_repo_id <> 0 THEN provisional_repo_id ELSE repo_id END';
