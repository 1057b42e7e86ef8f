import type { Database, ResultSet } from '../engine/index.js';
import { guardSql, MAX_ROWS } from '../sql/guard/guard-sql.js';
import { PUBLIC_TABLES } from '../warehouse/public-tables.js';
import { explainFailure } from './query-failure.js';

/** What a query is about; its SQL may name it, as `:repo_id` or `:user_id`. */
export interface PlaygroundContext {
  readonly type: 'repo' | 'user';
  readonly id: number;
}

export interface PlaygroundOptions {
  readonly context?: PlaygroundContext | undefined;
  /** Aborting stops the query in the database. */
  readonly signal?: AbortSignal;
}

/** Runs SQL of strangers. The database must bound what each query takes: the guard alone is not enough. */
export class Playground {
  constructor(private readonly database: Database) {}

  /**
   * The rows of one SELECT over public tables: 100 at most, within 10 seconds. Throws `SqlRefusedError`, `SqlFailedError`,
   * or `EngineError` where the database is busy or away, or the time is over.
   */
  async run(sql: string, { context, signal }: PlaygroundOptions = {}): Promise<ResultSet> {
    const written = guardSql(sql, PUBLIC_TABLES, context === undefined ? [] : [`${context.type}_id`]);
    const prepared = this.database.prepare(written.sql);
    const options = { maxRows: MAX_ROWS, timeoutMs: TIMEOUT_MS, ...(signal && { signal }) };
    try {
      return await this.database.query(prepared, context === undefined ? [] : [context.id], options);
    } catch (error) {
      throw explainFailure(error);
    }
  }
}

const TIMEOUT_MS = 10_000;
