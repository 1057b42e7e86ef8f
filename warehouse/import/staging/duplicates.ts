import type { DuckDBConnection } from '@duckdb/node-api';
import { isFeedEventSql, isSameEventSql, REPO_FEED_EVENTS } from '../../schema/repo-feed-events.js';
import type { Tables } from '../../store/store.js';
import { KINDS } from './named-kind.js';
import type { ReplacedFiles, Window } from './replaced-files.js';
import { STAGED_EVENTS, STAGED_LINES } from './staging-table.js';

/** The times of the first and the last event of a staged file, `YYYY-MM-DD HH:MM:SS`. */
export interface FileSpan {
  readonly file: number;
  readonly first: string;
  readonly last: string;
}

export interface RemovedDuplicates {
  /** The number of removed rows by file. Rows in `ARCHIVED_FEED_EVENTS` are not counted. */
  readonly counts: ReadonlyMap<number, number>;
  /** Whether the table `ARCHIVED_FEED_EVENTS` exists. */
  readonly hasArchived: boolean;
}

/**
 * Removes the staged rows that are duplicates of rows in github_events or in another staged file. The result does not depend on the order
 * of imports: an event that occurs n times in one file is stored n times, for the largest n of all files. Two rows are the same event if
 * they have the same id, time, type, repository and account. Names can differ, because GitHub sends the names at the time of the request.
 * Events of some eras have no ids; for these, all columns are compared. Only times that two files share are compared.
 *
 * With `replaced`, stored rows get the values of the equal staged rows. Other stored rows in the windows of replaced files are deleted,
 * except those of feeds of repositories. `REPLACED_REPOS` then contains the repositories of the changed rows.
 */
export async function removeDuplicates(
  tables: Tables,
  spans: readonly FileSpan[],
  replaced: ReplacedFiles | undefined,
): Promise<RemovedDuplicates> {
  const imported = await findSharedWithImported(tables, spans);
  const feeds = await findSharedWithFeeds(tables, [...spans, ...(replaced?.windows ?? [])]);
  const windows = joinWindows([...findShared(spans), ...imported, ...feeds, ...(replaced?.windows ?? [])]);
  if (windows.length === 0 && replaced === undefined) return { counts: new Map(), hasArchived: false };
  const shared = withinSql(windows);
  await tables.loadRowsWhere('github_events', [shared]);
  if (feeds.length > 0) await tables.loadRowsWhere(REPO_FEED_EVENTS.name, [withinSql(joinWindows(feeds))]);
  if (replaced !== undefined) await tables.loadRowsWhere('repo_feed_ranges', ['TRUE']);
  const columns = await readEventColumns(tables.staging);
  if (replaced !== undefined) await replaceStored(tables, columns, `(${shared})`, withinSql(replaced.removable));
  const hasArchived = feeds.length > 0;
  return { counts: await removeShared(tables, columns, `(${shared})`, hasArchived), hasArchived };
}

/** Removes the staged rows of feeds that are already in github_events or on another page. */
export async function removeStored(tables: Tables): Promise<void> {
  await tables.loadRowsWhere('github_events', await sameTimesSql(tables.staging));
  await removeShared(tables, await readEventColumns(tables.staging), SAME_TIMES, false);
}

/**
 * The temporary table of staged rows that github_events already had, but only from a feed. From now on, they also count as events of files.
 */
export const ARCHIVED_FEED_EVENTS = 'archived_feed_events';

async function removeShared(
  tables: Tables,
  columns: EventColumns,
  shared: string,
  hasFeeds: boolean,
): Promise<RemovedDuplicates['counts']> {
  const { staging } = tables;
  await staging.run(duplicatesSql(columns, shared));
  if (hasFeeds) {
    await staging.run(ARCHIVED);
    await tables.removeGroups(REPO_FEED_EVENTS, ARCHIVED_FEED_EVENTS);
  }
  const others = hasFeeds ? `WHERE row_id NOT IN (SELECT row_id FROM ${ARCHIVED_FEED_EVENTS})` : '';
  const reader = await staging.runAndReadAll(`SELECT file, COUNT(*) FROM duplicate_rows ${others} GROUP BY file`);
  const counts = new Map(reader.getRowsJS().map(([file, rows]) => [Number(file), Number(rows)]));
  await staging.run(`DELETE FROM ${STAGED_LINES} WHERE rowid IN (SELECT row_id FROM duplicate_rows)`);
  await staging.run('DROP TABLE duplicate_rows');
  return counts;
}

const FEED_KEYS = REPO_FEED_EVENTS.keys.map((key) => `e.${key}`).join(', ');

/** If several files contain an event, only the row of the first file is new to the coverage. */
const ARCHIVED = `
  CREATE OR REPLACE TEMP TABLE ${ARCHIVED_FEED_EVENTS} AS
  SELECT e.row_id, ${FEED_KEYS}, e.event_day
  FROM ${STAGED_EVENTS} e
  JOIN duplicate_rows d ON d.row_id = e.row_id
  WHERE ${isFeedEventSql('e')}
  QUALIFY ROW_NUMBER() OVER (PARTITION BY ${FEED_KEYS} ORDER BY e.row_id) = 1`;

/** A temporary table with the ids of the repositories whose stored events were replaced or deleted. */
export const REPLACED_REPOS = 'replaced_repos';

function withinSql(windows: readonly Window[]): string {
  const conditions = windows.map(
    ({ first, last }) => `created_at BETWEEN TIMESTAMP '${first}' AND TIMESTAMP '${last}'`,
  );
  return conditions.join(' OR ') || 'FALSE';
}

/** Returns the time windows that several staged files have in common. */
function findShared(spans: readonly FileSpan[]): Window[] {
  const shared: Window[] = [];
  const sorted = [...spans].sort((a, b) => (a.first < b.first ? -1 : 1));
  let last = '';
  for (const span of sorted) {
    if (span.first <= last) shared.push({ first: span.first, last: earlier(span.last, last) });
    if (span.last > last) last = span.last;
  }
  return shared;
}

/** Returns the windows, within the times of staged or replaced files, in which github_events has rows that are only from feeds. */
async function findSharedWithFeeds(tables: Tables, spans: readonly Window[]): Promise<Window[]> {
  const shared: Window[] = [];
  for (const { first, last } of spans) {
    const [[from = null, to = null] = []] = await tables.rows(
      'SELECT MIN(created_at), MAX(created_at) FROM repo_feed_events WHERE created_at >= :p1 AND created_at <= :p2',
      [first, last],
    );
    if (from !== null && to !== null) shared.push({ first: String(from), last: String(to) });
  }
  return shared;
}

/**
 * Returns conditions that select the stored events with the times and repositories of the staged events. Each condition has few enough
 * times for a server to use its index.
 */
async function sameTimesSql(staging: DuckDBConnection): Promise<string[]> {
  const select = (column: string) => `SELECT DISTINCT ${column}::VARCHAR AS value FROM ${STAGED_EVENTS} ORDER BY value`;
  const [times, repos] = [
    (await staging.runAndReadAll(select('created_at'))).getRowsJS().flat(),
    (await staging.runAndReadAll(select('repo_id'))).getRowsJS().flat(),
  ];
  const conditions: string[] = [];
  for (let start = 0; start < times.length; start += TIMES_PER_CONDITION) {
    const some = times.slice(start, start + TIMES_PER_CONDITION).map((time) => `TIMESTAMP '${time}'`);
    conditions.push(`(created_at IN (${some.join(', ')}) AND repo_id IN (${repos.join(', ')}))`);
  }
  return conditions;
}

const TIMES_PER_CONDITION = 500;

/** The same condition for the staging database. The test is one condition, because DuckDB needs much memory for long lists of values. */
const SAME_TIMES = `(
  created_at IN (SELECT created_at FROM ${STAGED_EVENTS}) AND repo_id IN (SELECT repo_id FROM ${STAGED_EVENTS})
)`;

/** Returns the time windows that staged files have in common with files of earlier imports. */
async function findSharedWithImported(tables: Tables, spans: readonly FileSpan[]): Promise<Window[]> {
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

/** Joins overlapping windows. */
function joinWindows(windows: readonly Window[]): Window[] {
  const result: Window[] = [];
  for (const window of [...windows].sort((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = result.at(-1);
    if (before === undefined || window.first > before.last) result.push(window);
    else if (window.last > before.last) result[result.length - 1] = { first: before.first, last: window.last };
  }
  return result;
}

/** The columns of github_events. */
interface EventColumns {
  readonly all: readonly string[];
  /**
   * The SQL of one value that identifies an event. The value combines the id with a few columns, because ids are not unique, or all columns
   * if there is no id. NULL is replaced by 0, '' and 1970, because earlier program versions stored these values instead. Statements with
   * one value are shorter and planned faster than statements with 31 columns.
   */
  readonly identity: string;
}

/** Columns that are not compared, because earlier program versions computed them by other rules. */
const CHANGED_COLUMNS: ReadonlySet<string> = new Set(['pr_merged', 'pr_merged_at', 'push_distinct_size']);

async function readEventColumns(staging: DuckDBConnection): Promise<EventColumns> {
  const reader = await staging.runAndReadAll(
    "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'github_events' ORDER BY column_index",
  );
  const columns = reader.getRowsJS().map(([name, type]) => ({ name: String(name), type: String(type) }));
  const fieldOf = ({ name, type }: (typeof columns)[number]) =>
    `${name}: COALESCE(${name}, ${NULL_VALUES[type] ?? '0'})`;
  const isKey = ({ name }: (typeof columns)[number]) => REPO_FEED_EVENTS.keys.includes(name);
  const others = columns.filter((column) => !isKey(column) && !CHANGED_COLUMNS.has(column.name)).map(fieldOf);
  return {
    all: columns.map(({ name }) => name),
    identity: `{
      ${columns.filter(isKey).map(fieldOf).join(', ')},
      others: CASE WHEN COALESCE(id, 0) = 0 THEN { ${others.join(', ')} } END
    }`,
  };
}

const NULL_VALUES: Readonly<Record<string, string>> = {
  VARCHAR: "''",
  TIMESTAMP: "TIMESTAMP '1970-01-01 00:00:00'",
  DATE: "DATE '1970-01-01'",
};

/**
 * Returns common table expressions. `nth` numbers equal rows within a file. `copy` numbers the files that contain the n-th of some equal
 * rows.
 */
function nthRowsSql({ identity }: EventColumns, shared: string): string {
  return `
    nth_in_file AS (
      SELECT *, ROW_NUMBER() OVER (PARTITION BY file, event ORDER BY row_id) AS nth
      FROM (SELECT row_id, file, ${identity} AS event FROM ${STAGED_EVENTS} WHERE ${shared})
    ),
    nth_of_all AS (
      SELECT *, ROW_NUMBER() OVER (PARTITION BY nth, event ORDER BY file) AS copy FROM nth_in_file
    )`;
}

/**
 * Selects the duplicates. The n-th of some equal rows in a file is new if no earlier file has n such rows and github_events has fewer than
 * n. All other rows are duplicates.
 */
function duplicatesSql(columns: EventColumns, shared: string): string {
  return `
    CREATE OR REPLACE TEMP TABLE duplicate_rows AS
    WITH ${nthRowsSql(columns, shared)},
    existing AS (
      SELECT ${columns.identity} AS event, COUNT(*) AS times FROM ${storedRowsSql(shared)} GROUP BY event
    )
    SELECT row_id, file
    FROM nth_of_all
    LEFT JOIN existing USING (event)
    WHERE copy > 1 OR nth <= COALESCE(times, 0)`;
}

/**
 * Returns the stored rows with their original ids of the repository and the actor: the id in the event, or the provisional one.
 * Staged rows only have these ids.
 */
function storedRowsSql(shared: string): string {
  return `(
    SELECT
      * REPLACE (
        CASE WHEN provisional_repo_id <> 0 THEN provisional_repo_id ELSE repo_id END AS repo_id,
        CASE WHEN provisional_actor_id <> 0 THEN provisional_actor_id ELSE actor_id END AS actor_id
      ),
      github_events AS row
    FROM github_events
    WHERE ${shared})`;
}

/** Whether a feed contains all events of the row's repository at its time, so that the feed also contains this row. */
function isInRangeSql(row: string): string {
  return `EXISTS (
    SELECT 1 FROM repo_feed_ranges g
    WHERE ${row}.id > 0 AND g.repo_id = ${row}.repo_id AND g.first_at < ${row}.created_at AND g.last_at >= ${row}.created_at
  )`;
}

/**
 * Rewrites the stored rows of the shared times. Rows that are equal to staged rows get the values of the staged rows. Stored rows that are
 * not staged are kept, unless they are in `removable` times.
 */
async function replaceStored(tables: Tables, columns: EventColumns, shared: string, removable: string): Promise<void> {
  const { all, identity } = columns;
  // A row with a provisional id keeps the real repository or account that was found for it.
  const isKept = (name: string) => {
    const kind = KINDS.find(({ id }) => id === name);
    return kind === undefined ? 'e.row_id IS NULL' : `e.row_id IS NULL OR s.row.${kind.provisionalId} < 0`;
  };
  const replaced = all.map((name) => `CASE WHEN ${isKept(name)} THEN s.row.${name} ELSE e.${name} END AS ${name}`);
  await tables.staging.run(
    `CREATE OR REPLACE TEMP TABLE ${REPLACED_REPOS} AS SELECT DISTINCT repo_id FROM github_events WHERE ${shared}`,
  );
  await tables.staging.run(`
    CREATE OR REPLACE TEMP TABLE replaced_rows AS
    WITH ${nthRowsSql(columns, shared)},
    stored AS (
      SELECT *, ROW_NUMBER() OVER (PARTITION BY event) AS nth
      FROM (SELECT ${identity} AS event, row FROM ${storedRowsSql(shared)})
    )
    SELECT ${replaced.join(', ')}
    FROM stored s
    LEFT JOIN (SELECT * FROM nth_of_all WHERE copy = 1) n USING (nth, event)
    LEFT JOIN ${STAGED_EVENTS} e ON e.row_id = n.row_id
    WHERE e.row_id IS NOT NULL
      OR NOT (${removable.replaceAll('created_at', 's.row.created_at')})
      OR ${isFeedEventSql('s.row')} OR ${isInRangeSql('s.row')}`);
  // Rows that a feed has confirmed are kept, even if the new file no longer contains them.
  await tables.append(
    REPO_FEED_EVENTS.name,
    `SELECT ${REPO_FEED_EVENTS.keys.join(', ')}, COALESCE(action, '') AS action, COALESCE(number, 0) AS number
     FROM github_events s
     WHERE ${shared} AND (${removable}) AND ${isInRangeSql('s')} AND NOT ${isFeedEventSql('s')}
       AND NOT EXISTS (SELECT 1 FROM ${STAGED_EVENTS} e WHERE ${isSameEventSql('e', 's')})`,
  );
  await tables.run(`DELETE FROM github_events WHERE ${shared}`);
  await tables.append('github_events', 'SELECT * FROM replaced_rows');
  await tables.staging.run('DROP TABLE replaced_rows');
}
