import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { EmbeddedOptions } from './options.js';
import { instanceOptions, prepareInstance } from './settings.js';
import { translateDdl } from './translate.js';

export type WorkbenchOptions = Pick<
  EmbeddedOptions,
  'memoryLimit' | 'threads' | 'tempDirectory' | 'maxTempSize' | 'stagingDirectory'
>;

/** A DuckDB in memory, with one connection, on which rows are read, merged and written out for another database. */
export class Workbench {
  readonly connection: DuckDBConnection;
  readonly #instance: DuckDBInstance;
  /** What makes each table anew, by its name. */
  readonly #tables: ReadonlyMap<string, string>;
  readonly #tempDirectory: string;

  /** `statements`, in the MySQL dialect, make the tables. */
  static async open(options: WorkbenchOptions, statements: readonly string[]): Promise<Workbench> {
    // Of its own, because another process may have the same folder, and DuckDB gives its files the same names.
    const tempDirectory = join(resolve(options.tempDirectory), `workbench-${process.pid}`);
    await mkdir(tempDirectory, { recursive: true });
    const instance = await DuckDBInstance.create(':memory:', instanceOptions({ ...options, tempDirectory }));
    try {
      const connection = await instance.connect();
      await prepareInstance(connection, options);
      for (const statement of statements) {
        for (const text of translateDdl(statement, { keepKeys: () => false })) await connection.run(text);
      }
      const reader = await connection.runAndReadAll('SELECT table_name, sql FROM duckdb_tables()');
      const tables = new Map(reader.getRowsJS().map(([name, sql]) => [String(name), String(sql)]));
      return new Workbench(instance, connection, tables, tempDirectory);
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    tables: ReadonlyMap<string, string>,
    tempDirectory: string,
  ) {
    this.#instance = instance;
    this.connection = connection;
    this.#tables = tables;
    this.#tempDirectory = tempDirectory;
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
    await rm(this.#tempDirectory, { recursive: true, force: true });
  }
}
