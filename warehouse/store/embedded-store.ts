import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../../engine/databases/duckdb/connection/read-rows.js';
import type { EmbeddedDatabase } from '../../engine/databases/duckdb/embedded.js';
import { translateDdl } from '../../engine/sql/duckdb/translate.js';
import { sortTables } from '../schema/clustering.js';
import { changesStoredRows, readVersionedTables } from '../schema/versioned-tables.js';
import { CLUSTERED_TABLES, MERGED_TABLES, NAME_TABLES, RECOMPUTED_TABLES } from '../tables/tables.js';
import { EmbeddedVersions, type OpenCommit } from '../versions/embedded-versions.js';
import { changeVersions, DUCKDB_VERSIONS } from '../versions/version-table.js';
import { EmbeddedTables } from './embedded-tables.js';
import {
  AlreadyRunningError,
  type Claim,
  foreignTableError,
  type Store,
  type TableReplacement,
  type Tables,
} from './store.js';

/** The store in a DuckDB file. The staging database of the store is the writing connection itself. */
export class EmbeddedStore implements Store {
  readonly batchEvents: number;
  readonly mergedIds = 50_000;
  readonly versions: EmbeddedVersions;
  readonly #database: EmbeddedDatabase;
  readonly #runningWork = new Set<string>();

  constructor(database: EmbeddedDatabase, onNotice?: (message: string) => void) {
    this.#database = database;
    this.batchEvents = batchEventsOf(database.memoryMegabytes);
    this.versions = new EmbeddedVersions(database, onNotice);
  }

  write<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.define([], work);
  }

  define<T>(statements: readonly string[], work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#transaction(statements, work);
  }

  async replaceTable({ name, isKnown, stage, record }: TableReplacement): Promise<void> {
    await this.write(async (tables) => {
      const select = `SELECT 1 FROM duckdb_tables() WHERE NOT temporary AND lower(table_name) = '${name}'`;
      const hasTable = (await readRows(tables.staging, select)).length > 0;
      if (hasTable && !isKnown) throw foreignTableError(name);
      const { create, rows } = await stage(tables.staging);
      await tables.staging.run(`DROP TABLE IF EXISTS ${name}`);
      // The key is dropped, because DuckDB would keep its index in memory. The rows of the table do not change, so checking the key once is
      // enough.
      for (const text of translateDdl(create(name), { keepKeys: () => false })) await tables.staging.run(text);
      for (const part of rows) await tables.append(name, part);
      await record(tables);
    });
  }

  async dropTable(name: string, record: (tables: Tables) => Promise<void>): Promise<void> {
    await this.#transaction([], async (tables) => {
      await tables.staging.run(`DROP TABLE IF EXISTS ${name}`);
      tables.written.add(name);
      await record(tables);
    });
  }

  async #transaction<T>(statements: readonly string[], work: (tables: EmbeddedTables) => Promise<T>): Promise<T> {
    const changesAll = statements.some(changesStoredRows);
    const all = changesAll ? await readVersionedTables() : [];
    let commit: OpenCommit | undefined;
    try {
      const result = await this.#database.write(async (connection) => {
        for (const statement of statements) {
          for (const text of translateDdl(statement, KEYS)) await connection.run(text);
        }
        const tables = new EmbeddedTables(connection);
        const result = await work(tables);
        await tables.end();
        for (const table of all) tables.written.add(table);
        const versionTable = {
          rows: (sql: string) => readRows(connection, sql, []),
          run: (sql: string) => connection.run(sql),
        };
        const change = await changeVersions(DUCKDB_VERSIONS, versionTable, tables.written.names);
        commit = change && this.versions.begin(change);
        return result;
      });
      commit?.succeed();
      return result;
    } catch (error) {
      commit?.fail();
      throw error;
    }
  }

  /** Does nothing: DuckDB compares all text by its exact bytes. */
  async useExactCollation(): Promise<void> {}

  useStaging<T>(work: (staging: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#database.maintain(work);
  }

  /** Rejects if this process already runs the work. Other processes cannot open the file. The method never waits. */
  async runExclusively<T>(work: string, _waitSeconds: number, run: () => Promise<T>): Promise<T> {
    if (this.#runningWork.has(work)) throw new AlreadyRunningError(work, 'this process');
    this.#runningWork.add(work);
    try {
      return await run();
    } finally {
      this.#runningWork.delete(work);
    }
  }

  async claim(work: string): Promise<Claim> {
    if (this.#runningWork.has(work)) throw new AlreadyRunningError(work, 'this process');
    this.#runningWork.add(work);
    return { release: async () => void this.#runningWork.delete(work) };
  }

  async optimize(): Promise<void> {
    await sortTables(this.#database, CLUSTERED_TABLES);
  }
}

/**
 * Returns the number of events of a batch for a memory limit. With more than 100,000 events, the transaction of two current hours would not
 * fit into the default limit of 256 MB. Much of the cost of a batch does not depend on its events, so larger batches need less CPU time. An
 * interrupted import repeats at most a million events and one more file.
 */
function batchEventsOf(megabytes: number): number {
  return Math.round(Math.min(Math.max(megabytes / 256, 1), 10) * 100_000);
}

/**
 * Tables that have no keys in DuckDB. The rows are still unique, because the import merges rows by key. An index over all rows would cost
 * more than the rest of an import. Reads are fast because the rows are sorted (see `clustering.ts`).
 */
const UNKEYED_TABLES: ReadonlySet<string> = new Set([
  ...MERGED_TABLES.map((table) => table.name),
  ...RECOMPUTED_TABLES.map((table) => table.name),
  ...NAME_TABLES.map((table) => table.name),
  'mv_event_shares',
  'mv_feed_gaps',
  'mv_trending_repos',
  'github_repos',
  'github_users',
  'repo_feed_events',
  'repo_owners',
  'repo_name_uses',
  'repo_sources',
  'user_name_uses',
  'user_sources',
]);

/** Selects the keys of the migrations that are created in DuckDB. No index is created, because queries find rows by their order. */
const KEYS = { keepKeys: (table: string) => !UNKEYED_TABLES.has(table), keepIndex: () => false };
