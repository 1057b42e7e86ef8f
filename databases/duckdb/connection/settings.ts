import { resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { MACRO_DATABASE, MACROS } from '../../../sql/duckdb/macros/macros.js';
import type { EmbeddedOptions } from './options.js';

export interface InstanceOptions extends Pick<EmbeddedOptions, 'memoryLimit' | 'threads' | 'access'> {
  /** Where intermediate results go that do not fit into memory; undefined: such a query fails. */
  readonly tempDirectory: string | undefined;
}

/** What DuckDB is told while it opens the file. */
export function instanceOptions(options: InstanceOptions): Record<string, string> {
  return {
    access_mode: (options.access ?? 'read_write').toUpperCase(),
    memory_limit: options.memoryLimit,
    threads: String(options.threads),
    temp_directory: options.tempDirectory === undefined ? '' : resolve(options.tempDirectory),
    // It plans by the smallest and largest values of the moment, and kept statements would answer wrongly about later rows.
    disabled_optimizers: 'statistics_propagation',
    default_null_order: 'nulls_first_on_asc_last_on_desc',
    // Freed memory goes back to the system early: else reading JSON keeps some 200 MB more than `memory_limit` knows of.
    allocator_bulk_deallocation_flush_threshold: '16MB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  };
}

/** Makes the macros that translated queries call, in a database of their own that is never written to a file. */
export async function createMacros(connection: DuckDBConnection): Promise<void> {
  await connection.run(`ATTACH ':memory:' AS ${MACRO_DATABASE} (READ_WRITE)`);
  for (const [signature, body] of MACROS) {
    await connection.run(`CREATE MACRO ${MACRO_DATABASE}.${signature} AS ${body}`);
  }
}

/** Closes the way to files and extensions. Nothing of this can be undone while the database is open. */
export async function prepareInstance(
  writer: DuckDBConnection,
  options: Pick<EmbeddedOptions, 'stagingDirectory'>,
): Promise<void> {
  if (options.stagingDirectory !== undefined) {
    await writer.run(`SET allowed_directories = [${quoted(`${resolve(options.stagingDirectory)}/`)}]`);
  }
  await writer.run("SET GLOBAL TimeZone = 'UTC'");
  await writer.run('SET enable_external_access = false');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
