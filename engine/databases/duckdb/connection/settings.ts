import { resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { MACRO_DATABASE, MACROS } from '../../../sql/duckdb/macros.js';
import { quoteName, quoteText } from '../../../sql/duckdb/tree/quote.js';
import { ROLLUP_DATABASE } from '../../interface/rollups.js';
import type { EmbeddedOptions } from './options.js';

export interface InstanceOptions extends Pick<EmbeddedOptions, 'memoryLimit' | 'threads' | 'access'> {
  /** The folder for intermediate results that do not fit into memory. If it is undefined, queries that need it fail. */
  readonly tempDirectory: string | undefined;
}

/** The settings that DuckDB needs when it opens the file. */
export function instanceOptions(options: InstanceOptions): Record<string, string> {
  return {
    access_mode: (options.access ?? 'read_write').toUpperCase(),
    memory_limit: options.memoryLimit,
    threads: String(options.threads),
    temp_directory: options.tempDirectory === undefined ? '' : resolve(options.tempDirectory),
    // This optimizer uses the current minimum and maximum of each column for the plan. A cached statement would return
    // wrong results after later inserts.
    disabled_optimizers: 'statistics_propagation',
    default_null_order: 'nulls_first_on_asc_last_on_desc',
    // A join with at most this number of values skips the blocks of the other table that contain none of them. The default, 50, is too
    // small for lists of 100 rows.
    dynamic_or_filter_threshold: '128',
    // The default, 16 MB, is less than the log of one hour of the feed, so that each commit would rewrite the last block of every table.
    wal_autocheckpoint: '64MB',
    // DuckDB returns freed memory to the system earlier with this setting. With the default, reading JSON keeps about
    // 200 MB that `memory_limit` does not count.
    allocator_bulk_deallocation_flush_threshold: '16MB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  };
}

/**
 * Creates the macros that translated queries call. The macros are in a separate in-memory database, so no database file
 * contains them.
 */
export async function createMacros(connection: DuckDBConnection): Promise<void> {
  await connection.run(`ATTACH ':memory:' AS ${MACRO_DATABASE} (READ_WRITE)`);
  for (const [signature, body] of MACROS) {
    await connection.run(`CREATE MACRO ${MACRO_DATABASE}.${signature} AS ${body}`);
  }
}

/** Makes the views of `ROLLUP_DATABASE` visible to each connection, after the tables of the database file. */
export async function attachRollups(writer: DuckDBConnection, others: readonly DuckDBConnection[]): Promise<void> {
  await writer.run(`ATTACH ':memory:' AS ${ROLLUP_DATABASE} (READ_WRITE)`);
  const [[database = ''] = []] = (await writer.runAndReadAll('SELECT current_database()')).getRowsJson();
  const path = `${quoteName(String(database))}.main,${ROLLUP_DATABASE}.main`;
  for (const connection of [writer, ...others]) await connection.run(`SET search_path = ${quoteText(path)}`);
}

/**
 * Forbids access to files, except those of the staging directory and of views, and to extensions. This setting cannot
 * be changed while the database is open.
 */
export async function prepareInstance(
  writer: DuckDBConnection,
  {
    stagingDirectory,
    rollupFolder,
    sourcePaths = [],
  }: Pick<EmbeddedOptions, 'stagingDirectory' | 'rollupFolder' | 'sourcePaths'>,
): Promise<void> {
  const isFolder = (path: string) => path.endsWith('/');
  const folders = [stagingDirectory, rollupFolder, ...sourcePaths.filter(isFolder)].filter(
    (path) => path !== undefined,
  );
  const files = sourcePaths.filter((path) => !isFolder(path));
  if (folders.length > 0) {
    const allowed = folders.map((folder) => quoteText(`${resolve(folder)}/`.replace(/^\/+/, '/')));
    await writer.run(`SET allowed_directories = [${allowed.join(', ')}]`);
  }
  if (files.length > 0) await writer.run(`SET allowed_paths = [${files.map((file) => quoteText(file)).join(', ')}]`);
  await writer.run("SET GLOBAL TimeZone = 'UTC'");
  await writer.run('SET enable_external_access = false');
}
