import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import mysql, { type Connection, type FieldPacket, type ResultSetHeader } from 'mysql2';
import type { BoundValue, Cell } from '../interface/database.js';
import { Deadline } from '../interface/deadline.js';
import { createRowReader } from './connection/cells.js';
import { canReuseStatements, type Flavor, flavorOf } from './connection/flavor.js';
import { toPositional } from './connection/select.js';
import { connectTimeoutError, openSocket } from './connection/server-connection.js';
import { classifyError } from './connection/server-error.js';
import { sessionStatements } from './connection/session.js';
import { bind } from './connection/values.js';

/** Time limits of a connection, in milliseconds. */
export interface WriteLimits {
  /** The limit for opening the connection and setting up its session. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /**
   * The maximum time without network activity while a statement runs. The limit is needed because keep-alive does not
   * detect a server that hangs. Default one hour, because computing a table from billions of events can take long
   * without network activity. The time that a statement may wait for a lock is added.
   */
  readonly silenceMs?: number;
  /** Observes the network activity of a connection. Default: the timeout of its socket. */
  readonly watchSilence?: WatchSilence;
}

/**
 * Observes a socket. Calls `onSilence` after a time without network activity. The returned function sets this time in
 * milliseconds; 0 means never.
 */
export type WatchSilence = (socket: Socket, onSilence: () => void) => (ms: number) => void;

const watchSocket: WatchSilence = (socket, onSilence) => {
  socket.on('timeout', onSilence);
  return (ms) => void socket.setTimeout(ms);
};

/** A connection to a server for writing, with its session set up. Its methods reject with the errors of mysql2. */
export class WriteConnection {
  flavor: Flavor = 'mysql';
  /** Whether the server allows LOAD DATA LOCAL. */
  allowsLocalFiles = false;
  readonly #raw: Connection;
  readonly #socket: Socket;
  readonly #silenceMs: number;
  readonly #setSilence: (ms: number) => void;
  /**
   * The reject functions of all pending answers, each with its `silenceMs`. mysql2 does not reject all of them when the
   * connection is lost.
   */
  readonly #pending = new Map<(error: unknown) => void, number>();
  /** The stream of the file that the server is reading. */
  #file: Readable | undefined;
  #isOpen = true;

  static async open(options: mysql.ConnectionOptions, limits: WriteLimits = {}): Promise<WriteConnection> {
    const { connectTimeoutMs = 10_000, silenceMs = 3_600_000, watchSilence = watchSocket } = limits;
    const connection = new WriteConnection({ ...options, connectTimeout: connectTimeoutMs }, silenceMs, watchSilence);
    const deadline = new Deadline({ timeoutMs: connectTimeoutMs });
    deadline.onStop(() => connection.destroy(connectTimeoutError()));
    try {
      await connection.#setUp();
      return connection;
    } catch (error) {
      connection.destroy(error);
      throw error;
    } finally {
      deadline.end();
    }
  }

  private constructor(options: mysql.ConnectionOptions, silenceMs: number, watchSilence: WatchSilence) {
    this.#socket = openSocket(options);
    const settings = { stream: this.#socket, rowsAsArray: true, maxPreparedStatements: MAX_STATEMENTS };
    this.#raw = mysql.createConnection({ ...options, ...settings });
    this.#silenceMs = silenceMs;
    this.#raw.on('error', (error) => this.destroy(error));
    this.#raw.on('end', () => this.destroy());
    this.#setSilence = watchSilence(this.#socket, () => this.#onSilence());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Runs a statement without values. */
  async run(sql: string): Promise<void> {
    await this.#answer(() => query(this.#raw, sql));
  }

  /**
   * Runs a prepared statement with values for `:p1`, `:p2`, … and returns the rows of a SELECT. Returns no rows for
   * other statements.
   */
  async rows(sql: string, values: readonly BoundValue[] = []): Promise<readonly (readonly Cell[])[]> {
    const { result, fields } = await this.#execute(sql, values);
    if (fields === undefined) return [];
    const reader = createRowReader(fields);
    return (result as unknown as unknown[][]).map((row) => reader.read(row));
  }

  /**
   * Runs a SELECT of one value; the driver escapes the values for its `?`. The statement is not prepared, because TiDB
   * evaluates lock functions twice in a prepared statement. `waitMs` is the time that the statement may wait for other
   * connections, for example for a lock.
   */
  async evaluate(sql: string, values: readonly (string | number)[], waitMs = 0): Promise<Cell> {
    const rows = await this.#answer(() => query(this.#raw, { sql, values: [...values] }), this.#silenceMs + waitMs);
    return (rows as Cell[][])[0]?.[0] ?? null;
  }

  /** Runs a prepared statement that changes rows. Returns the number of rows that its condition matches, including unchanged ones. */
  async change(sql: string, values: readonly BoundValue[] = []): Promise<number> {
    return ((await this.#execute(sql, values)).result as ResultSetHeader).affectedRows;
  }

  /** Passes the rows of a SELECT to `onRow` one by one, with all cells as text. */
  forEachRow(sql: string, onRow: (cells: readonly (string | null)[]) => void): Promise<void> {
    const stream = () =>
      new Promise<void>((resolve, reject) => {
        const command = this.#raw.query({ sql, typeCast: (field) => field.string() });
        command.on('result', (row) => onRow(row as unknown as (string | null)[]));
        command.once('error', reject);
        command.once('end', () => resolve());
      });
    return this.#answer(stream);
  }

  /** Runs a LOAD DATA LOCAL that reads its file from a stream. Throws if the server has changed or omitted a value. */
  async load(sql: string, open: () => Readable): Promise<void> {
    const infileStreamFactory = () => {
      this.#file = open();
      return this.#file;
    };
    const answer = this.#answer(() => query(this.#raw, { sql, infileStreamFactory })).finally(() => {
      this.#file = undefined;
    });
    const result = (await answer) as ResultSetHeader;
    if (result.warningStatus === 0) return;
    const [warning] = (await this.#answer(() => query(this.#raw, 'SHOW WARNINGS LIMIT 1'))) as unknown[][];
    throw new Error(`The database changed the rows while it loaded them: ${warning?.[2] ?? 'unknown reason'}.`);
  }

  /** Formats a value as an SQL literal. */
  literal(value: string | number | bigint | null): string {
    return mysql.escape(value);
  }

  /** Closes the connection gracefully. Resolves when the server has confirmed the end, or the connection is lost. */
  async end(): Promise<void> {
    const end = () => new Promise<void>((resolve) => this.#raw.end(() => resolve()));
    await this.#answer(end).catch(() => undefined);
  }

  /** Closes the connection immediately. Its running statements reject with `reason`. */
  destroy(reason: unknown = connectionLost()): void {
    this.#isOpen = false;
    this.#socket.destroy();
    for (const reject of this.#pending.keys()) reject(reason);
  }

  async #setUp(): Promise<void> {
    const [[version, localFiles] = []] = await this.rows('SELECT VERSION(), @@GLOBAL.local_infile');
    this.flavor = flavorOf(String(version));
    this.allowsLocalFiles = Number(localFiles) === 1;
    for (const statement of sessionStatements(this.flavor, 'write')) await this.run(statement);
  }

  #execute(sql: string, values: readonly BoundValue[]): Promise<Executed> {
    const statement = bind(toPositional(sql), values, this.flavor);
    const execute = () =>
      new Promise<Executed>((resolve, reject) => {
        this.#raw.execute(statement.sql, statement.parameters, (error, result, fields) => {
          if (error === null) resolve({ result, fields: fields as FieldPacket[] | undefined });
          else reject(error);
        });
      });
    // Callers must run one statement at a time, because a second statement with the same text would share the prepared statement.
    const answer = this.#answer(execute);
    return canReuseStatements(this.flavor) ? answer : answer.finally(() => this.#raw.unprepare(statement.sql));
  }

  /** Settles like the promise of `begin`, but rejects as soon as the connection is lost. */
  async #answer<T>(begin: () => Promise<T>, silenceMs = this.#silenceMs): Promise<T> {
    if (!this.#isOpen) throw connectionLost();
    let reject: (error: unknown) => void = () => undefined;
    const lost = new Promise<never>((_resolve, rejectLost) => {
      reject = rejectLost;
    });
    this.#pending.set(reject, silenceMs);
    this.#limitSilence();
    try {
      return await Promise.race([begin(), lost]);
    } catch (error) {
      if ((error as { fatal?: unknown }).fatal === true && this.#isOpen) this.destroy(error);
      throw classifyError(error) === 'interrupted' ? interruptedError(error) : error;
    } finally {
      this.#pending.delete(reject);
      this.#limitSilence();
    }
  }

  /** Sets the time limit without network activity to the longest limit of all pending statements. 0 means no limit. */
  #limitSilence(): void {
    this.#setSilence(Math.max(0, ...this.#pending.values()));
  }

  #onSilence(): void {
    // If the file stream is not paused, the server waits for rows that this process is still computing, so the time
    // starts again. If the server does not read, the stream is paused.
    const file = this.#file;
    if (file !== undefined && !file.isPaused() && !file.readableEnded && !file.destroyed) this.#limitSilence();
    else this.destroy(silenceError(Math.max(...this.#pending.values())));
  }
}

interface Executed {
  readonly result: unknown;
  /** The columns of the result; undefined if the statement returns no rows. */
  readonly fields: FieldPacket[] | undefined;
}

/**
 * The maximum number of cached prepared statements. The number is limited because some statements, such as updates of
 * ranks, never run again.
 */
const MAX_STATEMENTS = 64;

function connectionLost(): Error {
  return Object.assign(new Error('The connection to the database was lost.'), { fatal: true });
}

function interruptedError(cause: unknown): Error {
  const message =
    'An administrator or a limit of the database stopped the statement. Uncommitted changes are rolled back. Run it again.';
  return new Error(message, { cause });
}

function silenceError(ms: number): Error {
  const message =
    `The database did not respond for ${ms / 1000} s, so the connection was closed. Uncommitted changes are rolled back. ` +
    'Check the database, then run it again.';
  return Object.assign(new Error(message), { fatal: true });
}

function query(connection: Connection, statement: string | mysql.QueryOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = (error: mysql.QueryError | null, result: unknown, _fields: FieldPacket[]) =>
      error === null ? resolve(result) : reject(error);
    if (typeof statement === 'string') connection.query(statement, done);
    else connection.query(statement, done);
  });
}
