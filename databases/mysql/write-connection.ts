import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import mysql, { type Connection, type FieldPacket, type ResultSetHeader } from 'mysql2';
import type { BoundValue, Cell } from '../../engine/index.js';
import { rowReader } from './connection/cells.js';
import { canReuseStatements, type Flavor, flavorOf } from './connection/flavor.js';
import { positional } from './connection/select.js';
import { connectTimeout } from './connection/server-connection.js';
import { meaningOf } from './connection/server-error.js';
import { sessionStatements } from './connection/session.js';
import { bind } from './connection/values.js';

/** How long a server is waited for, in milliseconds. */
export interface WriteLimits {
  /** Until the connection is open and its session set up. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /**
   * While a statement runs and no byte comes or goes, apart from what the statement itself waits for. Keep-alive does not see
   * a server that stalls. Default an hour: a table that is made anew from billions of events takes long without a word.
   */
  readonly silenceMs?: number;
}

/** A connection that may write, with its session set up. Its errors are those of mysql2. */
export class WriteConnection {
  flavor: Flavor = 'mysql';
  /** Whether the server takes files from its clients. */
  takesFiles = false;
  readonly #raw: Connection;
  readonly #socket: Socket;
  readonly #silenceMs: number;
  /**
   * Who waits for an answer, and how long a silence each of them bears. Of a connection that is lost or given up, mysql2 tells
   * only some of them.
   */
  readonly #waiting = new Map<(error: unknown) => void, number>();
  /** The file that the server is taking. */
  #file: Readable | undefined;
  #isOpen = true;

  static async open(options: mysql.ConnectionOptions, limits: WriteLimits = {}): Promise<WriteConnection> {
    const { connectTimeoutMs = 10_000, silenceMs = 3_600_000 } = limits;
    const connection = new WriteConnection({ ...options, connectTimeout: connectTimeoutMs }, silenceMs);
    const giveUp = setTimeout(() => connection.destroy(connectTimeout()), connectTimeoutMs);
    try {
      await connection.#setUp();
      return connection;
    } catch (error) {
      connection.destroy(error);
      throw error;
    } finally {
      clearTimeout(giveUp);
    }
  }

  private constructor(options: mysql.ConnectionOptions, silenceMs: number) {
    const { host = '', port = 0 } = options;
    // A socket of our own can be cut at once; mysql2's way of ending waits for the other side.
    this.#socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
    const reading = { stream: this.#socket, rowsAsArray: true, maxPreparedStatements: STATEMENTS };
    this.#raw = mysql.createConnection({ ...options, ...reading });
    this.#silenceMs = silenceMs;
    this.#raw.on('error', (error) => this.destroy(error));
    this.#raw.on('end', () => this.destroy());
    this.#socket.on('timeout', () => this.#giveUp());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Runs a statement as it is. */
  async run(sql: string): Promise<void> {
    await this.#answer(() => ask(this.#raw, sql));
  }

  /** Runs a prepared statement with values `:p1`, `:p2`…; gives the rows of a SELECT. */
  async rows(sql: string, values: readonly BoundValue[] = []): Promise<readonly (readonly Cell[])[]> {
    const { result, fields } = await this.#execute(sql, values);
    if (fields === undefined) return [];
    const reader = rowReader(fields);
    return (result as unknown as unknown[][]).map((row) => reader.read(row));
  }

  /**
   * Runs a SELECT of one number, with values for its `?` that the driver escapes. It is not prepared: TiDB evaluates the functions of locks
   * twice in a prepared statement. `waitMs` is how long the statement waits for other connections, such as for a lock.
   */
  async evaluate(sql: string, values: readonly (string | number)[], waitMs = 0): Promise<Cell> {
    const rows = await this.#answer(() => ask(this.#raw, { sql, values: [...values] }), this.#silenceMs + waitMs);
    return (rows as Cell[][])[0]?.[0] ?? null;
  }

  /** As `rows`, of a statement that changes rows; gives the number of rows that it met, changed or not. */
  async change(sql: string, values: readonly BoundValue[] = []): Promise<number> {
    return ((await this.#execute(sql, values)).result as ResultSetHeader).affectedRows;
  }

  /** Hands over the rows of a SELECT one by one, their cells as text. */
  eachRow(sql: string, take: (cells: readonly (string | null)[]) => void): Promise<void> {
    const ask = () =>
      new Promise<void>((resolve, reject) => {
        const query = this.#raw.query({ sql, typeCast: (field) => field.string() });
        query.on('result', (row) => take(row as unknown as (string | null)[]));
        query.once('error', reject);
        query.once('end', () => resolve());
      });
    return this.#answer(ask);
  }

  /** Runs a LOAD DATA LOCAL whose file is the stream. Throws where the server had to change or leave out anything. */
  async load(sql: string, open: () => Readable): Promise<void> {
    const infileStreamFactory = () => {
      this.#file = open();
      return this.#file;
    };
    const answer = this.#answer(() => ask(this.#raw, { sql, infileStreamFactory })).finally(() => {
      this.#file = undefined;
    });
    const result = (await answer) as ResultSetHeader;
    if (result.warningStatus === 0) return;
    const [warning] = (await this.#answer(() => ask(this.#raw, 'SHOW WARNINGS LIMIT 1'))) as unknown[][];
    throw new Error(`The database did not take the rows as they are: ${warning?.[2] ?? 'no reason is known'}.`);
  }

  /** A value as text of a statement. */
  literal(value: string | number | bigint | null): string {
    return mysql.escape(value);
  }

  /** Says goodbye to the server; resolves when it is gone, or the connection is cut. */
  async end(): Promise<void> {
    const goodbye = () => new Promise<void>((resolve) => this.#raw.end(() => resolve()));
    await this.#answer(goodbye).catch(() => undefined);
  }

  /** Cuts the connection; what runs on it fails. */
  destroy(reason: unknown = connectionLost()): void {
    this.#isOpen = false;
    this.#socket.destroy();
    for (const reject of this.#waiting.keys()) reject(reason);
  }

  async #setUp(): Promise<void> {
    const [[version, localFiles] = []] = await this.rows('SELECT VERSION(), @@GLOBAL.local_infile');
    this.flavor = flavorOf(String(version));
    this.takesFiles = Number(localFiles) === 1;
    for (const statement of sessionStatements(this.flavor, 'write')) await this.run(statement);
  }

  #execute(sql: string, values: readonly BoundValue[]): Promise<Executed> {
    const statement = bind(positional(sql), values, this.flavor);
    const ask = () =>
      new Promise<Executed>((resolve, reject) => {
        this.#raw.execute(statement.sql, statement.parameters, (error, result, fields) => {
          if (error === null) resolve({ result, fields: fields as FieldPacket[] | undefined });
          else reject(error);
        });
      });
    // Callers run one statement at a time. A second one with this text would use the same prepared statement.
    const answer = this.#answer(ask);
    return canReuseStatements(this.flavor) ? answer : answer.finally(() => this.#raw.unprepare(statement.sql));
  }

  /** The answer, or an error as soon as the connection is lost. */
  async #answer<T>(ask: () => Promise<T>, silenceMs = this.#silenceMs): Promise<T> {
    if (!this.#isOpen) throw connectionLost();
    let reject: (error: unknown) => void = () => undefined;
    const lost = new Promise<never>((_resolve, rejectLost) => {
      reject = rejectLost;
    });
    this.#waiting.set(reject, silenceMs);
    this.#listen();
    try {
      return await Promise.race([ask(), lost]);
    } catch (error) {
      if ((error as { fatal?: unknown }).fatal === true && this.#isOpen) this.destroy(error);
      throw meaningOf(error) === 'interrupted' ? stopped(error) : error;
    } finally {
      this.#waiting.delete(reject);
      this.#listen();
    }
  }

  /** Has the socket tell of a silence that is too long for all who wait; of none when nobody does. */
  #listen(): void {
    this.#socket.setTimeout(Math.max(0, ...this.#waiting.values()));
  }

  #giveUp(): void {
    // While rows of a file are made, the server waits for us. A file is paused when the server does not take it.
    const file = this.#file;
    if (file !== undefined && !file.isPaused() && !file.readableEnded && !file.destroyed) this.#listen();
    else this.destroy(silent(Math.max(...this.#waiting.values())));
  }
}

interface Executed {
  readonly result: unknown;
  /** Undefined where there are no rows to come. */
  readonly fields: FieldPacket[] | undefined;
}

/** Prepared statements that are kept. Some texts are never run again, such as those of ranks. */
const STATEMENTS = 64;
const KEEP_ALIVE_MS = 30_000;

function connectionLost(): Error {
  return Object.assign(new Error('The connection to the database was lost.'), { fatal: true });
}

function stopped(cause: unknown): Error {
  const message =
    'An administrator or a limit of the database stopped the statement; what was not committed is undone. Run it again.';
  return new Error(message, { cause });
}

function silent(ms: number): Error {
  const message = `The database was silent for ${ms / 1000} s, so the connection was cut; what was not committed is undone.`;
  return Object.assign(new Error(message), { fatal: true });
}

function ask(connection: Connection, query: string | mysql.QueryOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = (error: mysql.QueryError | null, result: unknown, _fields: FieldPacket[]) =>
      error === null ? resolve(result) : reject(error);
    if (typeof query === 'string') connection.query(query, done);
    else connection.query(query, done);
  });
}
