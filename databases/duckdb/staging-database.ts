import { resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { translateDdl } from '../../sql/duckdb/translate.js';
import type { EmbeddedOptions } from './connection/options.js';
import { makeOwnFolder, type OwnFolder } from './connection/own-folder.js';
import { instanceOptions, prepareInstance } from './connection/settings.js';

export interface WorkbenchOptions extends Pick<EmbeddedOptions, 'memoryLimit' | 'threads'> {
  /** The only folder in which it reads and writes files. */
  readonly stagingDirectory: string;
}

/** A DuckDB in memory, with one connection, on which rows are read, merged and selected for another database. */
export class Workbench {
  readonly connection: DuckDBConnection;
  /** A folder of its own, for what does not fit into memory. */
  readonly #folder: OwnFolder;
  readonly #instance: DuckDBInstance;
  /** What makes each table anew, by its name. */
  readonly #tables: ReadonlyMap<string, string>;

  /** `statements`, in the MySQL dialect, make the tables. */
  static async open(options: WorkbenchOptions, statements: readonly string[]): Promise<Workbench> {
    const folder = await makeOwnFolder(resolve(options.stagingDirectory), 'workbench');
    const instance = await DuckDBInstance.create(
      ':memory:',
      instanceOptions({ ...options, tempDirectory: folder.path }),
    );
    try {
      const connection = await instance.connect();
      await prepareInstance(connection, options);
      for (const statement of statements) {
        for (const text of translateDdl(statement, { keepKeys: () => false })) await connection.run(text);
      }
      const reader = await connection.runAndReadAll('SELECT table_name, sql FROM duckdb_tables()');
      const tables = new Map(reader.getRowsJS().map(([name, sql]) => [String(name), String(sql)]));
      return new Workbench(instance, connection, folder, tables);
    } catch (error) {
      instance.closeSync();
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

  /** Makes tables empty, and gives their memory back. */
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
