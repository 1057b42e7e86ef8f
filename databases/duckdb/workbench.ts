import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { EmbeddedOptions } from './options.js';
import { instanceOptions, prepareInstance } from './settings.js';
import { translateDdl } from './translate.js';

export interface WorkbenchOptions extends Pick<EmbeddedOptions, 'memoryLimit' | 'threads'> {
  /** The only folder in which it reads and writes files. */
  readonly stagingDirectory: string;
}

/** A DuckDB in memory, with one connection, on which rows are read, merged and selected for another database. */
export class Workbench {
  readonly connection: DuckDBConnection;
  /** A folder of its own, for what does not fit into memory. */
  readonly #folder: string;
  readonly #instance: DuckDBInstance;
  /** What makes each table anew, by its name. */
  readonly #tables: ReadonlyMap<string, string>;

  /** `statements`, in the MySQL dialect, make the tables. */
  static async open(options: WorkbenchOptions, statements: readonly string[]): Promise<Workbench> {
    const staging = resolve(options.stagingDirectory);
    await removeLeftovers(staging);
    const folder = await mkdtemp(join(staging, `workbench-${process.pid}-`));
    const instance = await DuckDBInstance.create(':memory:', instanceOptions({ ...options, tempDirectory: folder }));
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
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    folder: string,
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
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Folders of processes that were killed. */
async function removeLeftovers(staging: string): Promise<void> {
  for (const name of await readdir(staging)) {
    const pid = /^workbench-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(staging, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
