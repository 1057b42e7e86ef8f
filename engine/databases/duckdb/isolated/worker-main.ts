/**
 * The program of a worker process. It runs untrusted queries, so that the service can always stop a query by killing
 * the process. It receives requests over the IPC channel of its parent process and ends when the parent ends.
 */

import { chmod, copyFile, constants as files, writeFile } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName } from '../../../sql/duckdb/tree/quote.js';
import { EngineError } from '../../interface/errors.js';
import { lowerPriority } from '../../lower-priority.js';
import { IN_MEMORY } from '../connection/options.js';
import { Reader } from '../connection/reader.js';
import { createMacros, instanceOptions, prepareInstance } from '../connection/settings.js';
import { DuckDBInstance } from '../driver/node-api.js';
import { checkBlocks } from './block-checksums.js';
import { countRows } from './count-rows.js';
import type {
  Interrupt,
  Message,
  PublishedTable,
  PublishedViews,
  ReportedError,
  RequestKind,
  Requests,
  Results,
  WorkerLimits,
} from './protocol.js';
import { ViewsOfFiles } from './published-views.js';

// New files are private, because a copy contains private data until `publish` removes it.
process.umask(0o077);
// If memory runs out, Linux kills this process before others.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);

let reader: Reader | undefined;
/** The views of a database in memory; undefined if the process reads a copy. */
let views: ViewsOfFiles | undefined;
let running: AbortController | undefined;
let maxResidentBytes = Number.POSITIVE_INFINITY;

const HANDLERS: { readonly [Kind in RequestKind]: (request: Requests[Kind]) => Promise<Results[Kind]> } = {
  copy: async ({ from, to }) => {
    await copyFile(from, to, files.COPYFILE_EXCL | files.COPYFILE_FICLONE);
    // A copy gets the file mode of its source, and the source can belong to another account.
    await chmod(to, 0o600);
    return undefined;
  },
  verify: ({ file, only }) => checkBlocks(file, only),
  count: async ({ file }) => {
    const { instance, connection } = await openFile(file, { memoryLimit: COUNTING_MEMORY }, 'read_only');
    const counts = await countRows(connection);
    connection.closeSync();
    instance.closeSync();
    return counts;
  },
  publish: async ({ file, tables, limits }) => {
    const { instance, connection } = await openFile(file, limits, 'read_write');
    await publish(connection, tables);
    connection.closeSync();
    instance.closeSync();
    return undefined;
  },
  open: async ({ from, limits }) => {
    const { connection } =
      typeof from === 'string' ? await openFile(from, limits, 'read_only') : await openViews(from, limits);
    reader = new Reader(connection, { statements: 1, maxBytes: limits.maxResultBytes, keptPlans: 0 });
    maxResidentBytes = limits.maxResidentBytes;
    // Untrusted queries must not slow down the service. The lower priority starts only here, because opening the
    // database has a short time limit.
    lowerPriority();
    return undefined;
  },
  query: async ({ sql, values, maxRows, timeoutMs }) => {
    if (reader === undefined) throw new Error('No database is open in this process.');
    const watch = setInterval(checkMemory, CHECK_MEMORY_EVERY_MS);
    running = new AbortController();
    try {
      const { signal } = running;
      const read = () => (reader as Reader).read(sql, values, { maxRows, timeoutMs, signal });
      return await (views === undefined ? read() : views.run(sql, read));
    } finally {
      clearInterval(watch);
      reader.clearStatements();
    }
  },
};

const COUNTING_MEMORY = '128MB';

/** DuckDB allocates about 1 MB per millisecond, so a query cannot exceed the limit by much between two checks. */
const CHECK_MEMORY_EVERY_MS = 10;

process.on('message', (message: Message | Interrupt) => {
  if (message.kind === 'interrupt') running?.abort();
  else void answer(message).then((reply) => send(reply));
});
// The channel closes when the parent process has ended.
process.on('disconnect', killSelf);

function send(reply: Answer, onSent?: () => void): void {
  process.send?.({ ...reply, residentBytes: process.memoryUsage.rss() }, undefined, undefined, onSent);
}

type Answer = { readonly result: unknown } | { readonly error: ReportedError };

async function answer({ kind, request }: Message): Promise<Answer> {
  try {
    return { result: await (HANDLERS[kind] as (request: unknown) => Promise<unknown>)(request) };
  } catch (error) {
    return { error: toReportedError(error) };
  }
}

function toReportedError(error: unknown): ReportedError {
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? { cause: error.cause.message } : {};
  return { code: error instanceof EngineError ? error.code : undefined, message, ...cause };
}

async function openFile(file: string, limits: Pick<WorkerLimits, 'memoryLimit'>, access: 'read_only' | 'read_write') {
  const opened = await createInstance(file, limits, access);
  await lock(opened.connection, []);
  return opened;
}

/** Opens a database in memory for views of files. */
async function openViews(from: PublishedViews, limits: WorkerLimits) {
  const opened = await createInstance(IN_MEMORY, limits, 'read_write');
  views = new ViewsOfFiles(opened.connection, from);
  await views.attach();
  await lock(opened.connection, from.paths);
  return opened;
}

async function createInstance(
  file: string,
  { memoryLimit }: Pick<WorkerLimits, 'memoryLimit'>,
  access: 'read_only' | 'read_write',
) {
  const options = { memoryLimit, threads: 1, tempDirectory: undefined, access };
  const instance = await DuckDBInstance.create(file, instanceOptions(options));
  const connection: DuckDBConnection = await instance.connect();
  await createMacros(connection);
  return { instance, connection };
}

/** Forbids access to other files, and changes of settings. */
async function lock(connection: DuckDBConnection, sourcePaths: readonly string[]): Promise<void> {
  await prepareInstance(connection, { sourcePaths });
  await connection.run('SET lock_configuration = true');
}

/**
 * Ends the process if it uses too much memory. It sends a reply first, so that the parent can distinguish this from a
 * kill by the operating system.
 */
function checkMemory(): void {
  if (process.memoryUsage.rss() > maxResidentBytes) send({ error: TOO_MUCH_MEMORY }, killSelf);
}

const TOO_MUCH_MEMORY: ReportedError = {
  code: 'query_failed',
  message: 'The query was stopped: it needs too much memory. Join, group or sort less.',
};

/** Kills this process immediately. A normal exit would wait for the threads of DuckDB, and so for a running query. */
function killSelf(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Removes all unpublished data from an open database file, so that even a query that passes all checks by mistake finds
 * no private data. Removing tables and columns takes the same time for any number of rows. Only tables with unpublished
 * rows are rewritten.
 */
async function publish(connection: DuckDBConnection, tables: readonly PublishedTable[]): Promise<void> {
  const published = new Map(tables.map((table) => [table.name, table]));
  for (const table of tables.filter(({ select }) => select !== undefined)) {
    await connection.run(`CREATE TEMP TABLE ${quoteName(temporaryName(table))} AS ${table.select}`);
  }
  for (const [name, columns] of await columnsByTable(connection)) {
    const table = published.get(name);
    if (table === undefined || table.select !== undefined) await connection.run(`DROP TABLE ${quoteName(name)}`);
    else await dropColumns(connection, table, columns);
  }
  for (const table of tables.filter(({ select }) => select !== undefined)) {
    await connection.run(`CREATE TABLE ${quoteName(table.name)} AS FROM temp.${quoteName(temporaryName(table))}`);
  }
  await connection.run('CHECKPOINT');
}

function temporaryName({ name }: PublishedTable): string {
  return `published_${name}`;
}

async function columnsByTable(connection: DuckDBConnection): Promise<Map<string, string[]>> {
  const reader = await connection.runAndReadAll(
    `SELECT table_name, list(column_name) FROM duckdb_columns()
     WHERE database_name = current_database() AND NOT internal GROUP BY table_name`,
  );
  return new Map(reader.getRowsJS().map(([table, columns]) => [String(table), columns as string[]]));
}

/**
 * Drops columns. Drops the indexes of the table first, because DuckDB cannot drop columns of a table that has an index.
 */
async function dropColumns(connection: DuckDBConnection, table: PublishedTable, columns: readonly string[]) {
  const unpublished = columns.filter((name) => !table.columns.includes(name));
  if (unpublished.length === 0) return;
  const indexes = await connection.runAndReadAll(
    'SELECT index_name FROM duckdb_indexes() WHERE database_name = current_database() AND table_name = $1',
    [table.name],
  );
  for (const [index] of indexes.getRowsJS()) await connection.run(`DROP INDEX ${quoteName(String(index))}`);
  for (const column of unpublished) {
    await connection.run(`ALTER TABLE ${quoteName(table.name)} DROP COLUMN ${quoteName(column)}`);
  }
}
