import { randomBytes } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quoteText } from '../../../sql/duckdb/tree/quote.js';
import { unavailableError } from '../../failures.js';
import type { PublishedTable, PublishedViews } from './protocol.js';

/**
 * The views of published columns in a database in memory. A view is created for the first query that names it, so that a query depends only
 * on the files of the tables that it names.
 */
export class ViewsOfFiles {
  readonly #connection: DuckDBConnection;
  readonly #views: PublishedViews;
  /** The name of the database file in SQL. It is random, so that a query cannot know it. */
  readonly #source = quoteName(`source_${randomBytes(16).toString('hex')}`);
  readonly #created = new Set<string>();

  constructor(connection: DuckDBConnection, views: PublishedViews) {
    this.#connection = connection;
    this.#views = views;
  }

  /** Attaches the database file, before access to files is forbidden. */
  async attach(): Promise<void> {
    const { file } = this.#views;
    if (file !== undefined) await this.#connection.run(`ATTACH ${quoteText(file)} AS ${this.#source} (READ_ONLY)`);
  }

  /** Creates the views that a query names, and runs it. An error about files does not contain their names. */
  async run<T>(sql: string, read: () => Promise<T>): Promise<T> {
    try {
      for (const table of this.#views.tables) {
        const name = quoteName(table.name);
        if (this.#created.has(name) || !sql.includes(name)) continue;
        await this.#create(name, table);
        this.#created.add(name);
      }
      return await read();
    } catch (error) {
      throw this.#hideFiles(error);
    }
  }

  async #create(view: string, { name, columns }: PublishedTable): Promise<void> {
    const select = this.#views.selects.get(name);
    const from = select === undefined ? `${this.#source}.main.${view}` : `(${select})`;
    await this.#connection.run(`CREATE VIEW ${view} AS SELECT ${columns.map(quoteName).join(', ')} FROM ${from}`);
  }

  #hideFiles(error: unknown): unknown {
    const { message } = error as Error;
    const { paths, file } = this.#views;
    const hidden = [...paths, ...(file === undefined ? [] : [file]), this.#source.slice(1, -1)];
    if (!hidden.some((text) => message.includes(text))) return error;
    return unavailableError('The data of a table of this query cannot be read. The log contains the reason.', error);
  }
}
