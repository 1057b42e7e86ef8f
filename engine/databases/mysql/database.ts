import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { MAX_RESULT_BYTES, unavailableError } from '../failures.js';
import type {
  BoundValue,
  Database,
  DescribedColumn,
  PreparedQuery,
  QueryOptions,
  ResultSet,
  RowReceiver,
  StreamOptions,
} from '../interface/database.js';
import { type Deadline, type QueryLimits, withDeadline } from '../interface/deadline.js';
import { EngineError } from '../interface/errors.js';
import { listColumns } from '../list-columns.js';
import { ReaderPool } from '../reader-pool.js';
import { parseMysqlUrl, placeOf } from './connection/address.js';
import { connectionOptions } from './connection/connection-options.js';
import type { Flavor } from './connection/flavor.js';
import { requireReadingAccount } from './connection/grants.js';
import { type Positional, Select } from './connection/select.js';
import { type Opening, ServerConnection } from './connection/server-connection.js';
import { explainError, isRetryable } from './connection/server-error.js';
import type { UntrustedAccess } from './connection/session.js';
import { ControlConnections } from './control-connections.js';
import { createSelect } from './dialect.js';
import { Reader, type Reading } from './reader.js';

/** A read-only database that uses the MySQL protocol. Its name is the flavor of the server. */
export interface MysqlDatabase extends Database {
  readonly name: Flavor;
}

/**
 * Opens a database. The first connection finds the flavor of the server, and checks the login and that the account can
 * only read. Throws `MysqlUrlError`, `WritingAccountError`, or an `EngineError` with `database_unavailable`.
 */
export async function openMysql(options: MysqlOptions): Promise<MysqlDatabase> {
  const address = parseMysqlUrl(options.url);
  const place = placeOf(address);
  const { statements = 256, connectTimeoutMs = 5_000, allowWritingAccount = false } = options;
  const opening: Opening = {
    options: await connectionOptions(address),
    access: options.untrusted ?? 'read',
    statements,
  };
  try {
    const connection = await ServerConnection.open(opening, connectTimeoutMs);
    try {
      if (!allowWritingAccount) await requireReadingAccount(connection, place, address.database);
    } catch (error) {
      connection.end();
      throw error;
    }
    return new OpenDatabase(connection, place, opening, options);
  } catch (error) {
    throw explainError(error, place, connectTimeoutMs);
  }
}

/** Retries failed queries after 20 to 500 ms. The delay is random, so that many queries do not retry at the same time. */
const RETRY = retry(handleWhen(isRetryable), {
  maxAttempts: 3,
  backoff: new ExponentialBackoff({ initialDelay: 20, maxDelay: 500 }),
});

/** `ER_VIEW_NO_EXPLAIN`: the account cannot read the definition of a view, which its plan would show. */
const VIEW_WITHOUT_PLAN = 1345;
const HIDDEN_PLAN: ResultSet = {
  columns: [{ name: 'Extra', type: 'VARCHAR' }],
  rows: [['The plan of a view is hidden: this account needs the privilege SHOW VIEW.']],
  more: false,
};

const COLUMNS = 'SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = DATABASE()';

class OpenDatabase implements MysqlDatabase {
  readonly name: Flavor;
  readonly concurrency: number;
  readonly #place: string;
  readonly #readers: ReaderPool<Reader>;
  readonly #control: ControlConnections;
  readonly #closeGraceMs: number;
  #closing: Promise<void> | undefined;

  constructor(connection: ServerConnection, place: string, opening: Opening, options: MysqlOptions) {
    const { connections = 10, maxWaiting = 256, maxWaitMs = 5_000, connectTimeoutMs = 5_000 } = options;
    const { maxResultBytes = MAX_RESULT_BYTES, closeGraceMs = 5_000 } = options;
    const control = new ControlConnections(opening, connection);
    const createReader = () => new Reader({ opening, control, connectTimeoutMs, maxBytes: maxResultBytes });
    this.#place = place;
    this.name = connection.flavor;
    this.concurrency = connections;
    this.#control = control;
    this.#readers = new ReaderPool(Array.from({ length: connections }, createReader), { maxWaiting, maxWaitMs });
    this.#closeGraceMs = closeGraceMs;
  }

  get pool() {
    return this.#readers.pool;
  }

  prepare(sql: string): PreparedQuery {
    return createSelect(sql, this.name);
  }

  async query(query: PreparedQuery, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet> {
    return this.#answer(query instanceof Select ? query : new Select(query.sql, this.name), values, options);
  }

  async stream(
    query: PreparedQuery,
    values: readonly BoundValue[],
    options: StreamOptions,
  ): Promise<{ readonly more: boolean }> {
    const select = query instanceof Select ? query : new Select(query.sql, this.name);
    const { deadline } = options;
    let hasStarted = false;
    const receive: RowReceiver = {
      columns: (columns) => {
        hasStarted = true;
        options.receive.columns(columns);
      },
      rows: (rows) => options.receive.rows(rows),
    };
    return this.#retryWithin({ deadline }, async () => {
      try {
        return await this.#withReader(deadline, (reader) => reader.stream(select, values, { ...options, receive }));
      } catch (error) {
        // After the first rows were passed on, the query cannot be retried. An `EngineError` is never retried.
        throw hasStarted ? explainError(error, this.#place, deadline.timeoutMs) : error;
      }
    });
  }

  async describe(query: PreparedQuery, limits: QueryLimits): Promise<readonly DescribedColumn[]> {
    const select = query instanceof Select ? query : new Select(query.sql, this.name);
    return this.#retryWithin(limits, (deadline) =>
      this.#withReader(deadline, (reader) => {
        const columns = reader.describe(select, deadline);
        return { result: columns, settled: columns.then(ignore, ignore) };
      }),
    );
  }

  listColumns(limits: QueryLimits): Promise<ReadonlyMap<string, readonly string[]>> {
    return listColumns(this, COLUMNS, limits);
  }

  async explain(query: PreparedQuery, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet> {
    const select = query instanceof Select ? query : new Select(query.sql, this.name);
    const { sql, parts, order, settings } = select;
    const [first = '', ...rest] = parts;
    const withExplain = (text: string) => `${settings}EXPLAIN ${text.slice(settings.length)}`;
    const explained = { sql: withExplain(sql), parts: [withExplain(first), ...rest], order };
    try {
      return await this.#answer(explained, values, options);
    } catch (error) {
      if ((error as { errno?: unknown }).errno !== VIEW_WITHOUT_PLAN) throw error;
      // This throws if the account cannot read the view. Otherwise, only the plan is hidden.
      await this.describe(select, options);
      return HIDDEN_PLAN;
    }
  }

  /** Uses a control connection, so that it also succeeds while all readers are busy. */
  async ping(timeoutMs: number): Promise<void> {
    if (this.#closing !== undefined) throw unavailableError('The database is closed.');
    try {
      await this.#retryWithin({ timeoutMs }, (deadline) => this.#control.ping(deadline.remainingMs));
    } catch (error) {
      if (error instanceof EngineError && error.code === 'database_unavailable') throw error;
      const cause = new Error(`The database at ${this.#place} does not answer.`, { cause: error });
      throw unavailableError('The database does not answer.', cause);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#readers.close(this.#closeGraceMs).then(() => this.#control.close());
    return this.#closing;
  }

  #answer(select: Positional, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet> {
    return this.#retryWithin(options, (deadline) =>
      this.#withReader(deadline, (reader) => reader.read(select, values, options.maxRows, deadline)),
    );
  }

  /** Runs `ask` within the limits, and retries it after errors that may be temporary. */
  #retryWithin<T>(limits: QueryLimits, ask: (deadline: Deadline) => Promise<T>): Promise<T> {
    return withDeadline(limits, async (deadline) => {
      try {
        return await deadline.bound(RETRY.execute(() => ask(deadline)));
      } catch (error) {
        throw explainError(error, this.#place, deadline.timeoutMs);
      }
    });
  }

  async #withReader<T>(deadline: Deadline, ask: (reader: Reader) => Reading<T>): Promise<T> {
    if (deadline.reason !== undefined) throw deadline.reason;
    const reader = await this.#readers.acquire(deadline.signal, deadline.remainingMs);
    const { result, settled } = ask(reader);
    void settled.then(() => this.#readers.release(reader));
    return result;
  }
}

function ignore(): void {}

/** Options of `openMysql`. */
export interface MysqlOptions {
  /** The server: `mysql://user:password@host:port/database?ssl=true`; see `parseMysqlUrl`. */
  readonly url: string;
  /** Accepts an account that can write. Sessions are read-only even then. */
  readonly allowWritingAccount?: boolean;
  /** The limits of each session for untrusted queries. */
  readonly untrusted?: UntrustedAccess;
  /** The number of queries that run at the same time, each on its own connection. Default 10. */
  readonly connections?: number;
  /** The number of prepared statements that each connection caches. Default 256. */
  readonly statements?: number;
  /** The number of queries that may wait for a connection. Default 256. */
  readonly maxWaiting?: number;
  /** Milliseconds that a query may wait for a connection before it fails with `overloaded`. Default 5,000. */
  readonly maxWaitMs?: number;
  /** The time limit for opening a connection, in milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** The maximum bytes of a result. Default 64 MB. */
  readonly maxResultBytes?: number;
  /** Milliseconds that `close` waits for running queries before it stops them. Default 5,000. */
  readonly closeGraceMs?: number;
}
