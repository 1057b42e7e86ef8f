import { resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { translateDdl } from '../../sql/duckdb/translate.js';
import { createOwnFolder, type OwnFolder } from '../own-folder.js';
import type { EmbeddedOptions } from './connection/options.js';
import { instanceOptions, prepareInstance } from './connection/settings.js';
import { DuckDBInstance } from './driver/node-api.js';

export interface StagingDatabaseOptions extends Pick<EmbeddedOptions, 'memoryLimit' | 'threads'> {
  /** The only folder in which the database reads and writes files. */
  readonly stagingDirectory: string;
}

/** An in-memory DuckDB database with one connection. It reads, merges and selects rows before they are written to another database. */
export class StagingDatabase {
  readonly connection: DuckDBConnection;
  /** The folder for data that does not fit into memory. */
  readonly #folder: OwnFolder;
  readonly #instance: DuckDBInstance;
  /** The CREATE TABLE statement of each table, by the name of the table. */
  readonly #tables: ReadonlyMap<string, string>;

  /** Opens the database and creates its tables. `statements` are CREATE TABLE statements in the MySQL dialect. */
  static async open(options: StagingDatabaseOptions, statements: readonly string[]): Promise<StagingDatabase> {
    const folder = await createOwnFolder(resolve(options.stagingDirectory), 'staging');
    let instance: DuckDBInstance | undefined;
    try {
      instance = await DuckDBInstance.create(':memory:', instanceOptions({ ...options, tempDirectory: folder.path }));
      const connection = await instance.connect();
      await prepareInstance(connection, options);
      for (const statement of statements) {
        for (const text of translateDdl(statement, { keepKeys: () => false })) await connection.run(text);
      }
      const reader = await connection.runAndReadAll('SELECT table_name, sql FROM duckdb_tables()');
      const tables = new Map(reader.getRowsJS().map(([name, sql]) => [String(name), String(sql)]));
      return new StagingDatabase(instance, connection, folder, tables);
    } catch (error) {
      instance?.closeSync();
      await folder.remove();
      throw error;
    }
  }

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    folder: OwnFolder,
    tables: ReadonlyMap<string, string>,
  ) {
    this.#instance = instance;
    this.connection = connection;
    this.#folder = folder;
    this.#tables = tables;
  }

  /** Empties tables and frees their memory. */
  async empty(tables: Iterable<string>): Promise<void> {
    for (const table of tables) {
      const sql = this.#tables.get(table);
      if (sql !== undefined) await this.connection.run(sql.replace(/^CREATE TABLE/, 'CREATE OR REPLACE TABLE'));
    }
  }

  async close(): Promise<void> {
    this.connection.closeSync();
    this.#instance.closeSync();
    await this.#folder.remove();
  }
}
