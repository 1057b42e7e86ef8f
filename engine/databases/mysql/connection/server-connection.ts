import { connect, type Socket } from 'node:net';
import { type Connection, type ConnectionOptions, createConnection, type FieldPacket } from 'mysql2';
import type { DescribedColumn } from '../../interface/database.js';
import { Deadline } from '../../interface/deadline.js';
import { describeField, requireReadableBits } from './cells.js';
import { canReuseStatements, type Flavor, flavorOf, serverLimitSeconds, statementTimeout } from './flavor.js';
import { type Packets, watchPackets } from './packets.js';
import { type Access, sessionStatements } from './session.js';
import type { Parameter } from './values.js';

/** The settings with which connections are opened. */
export interface Opening {
  readonly options: ConnectionOptions;
  readonly access: Access;
  /** The number of prepared statements that each connection caches. */
  readonly statements: number;
}

/** Receives a result while it arrives. */
export interface ResultSink {
  columns(fields: readonly FieldPacket[]): void;
  row(values: unknown[]): void;
}

/** A connection to a server for reading, with its session set up. Its methods reject with the errors of mysql2. */
export class ServerConnection {
  /** The id of this connection on the server, for KILL. */
  id = '';
  flavor: Flavor = 'mysql';
  readonly #raw: Connection;
  readonly #socket: Socket;
  readonly #packets: Packets;
  /** Why the connection is closed; undefined while it is open. */
  #lostReason: unknown;
  /** The current time limit of the session in seconds; 0 if it was not set yet. */
  #limitSeconds = 0;
  /** Reject functions of all pending answers: mysql2 does not reject all of them when the connection is lost. */
  #pending: readonly ((error: unknown) => void)[] = [];

  /** Connects and sets up the session. Rejects if this takes longer than `timeoutMs`. */
  static async open(opening: Opening, timeoutMs: number): Promise<ServerConnection> {
    const connection = new ServerConnection(opening, timeoutMs);
    const deadline = new Deadline({ timeoutMs });
    deadline.onStop(() => connection.destroy(connectTimeoutError()));
    try {
      await connection.#setUp(opening.access);
      return connection;
    } catch (error) {
      const reason = connection.#lostReason ?? error;
      connection.destroy();
      throw reason;
    } finally {
      deadline.end();
    }
  }

  private constructor({ options, statements }: Opening, timeoutMs: number) {
    this.#socket = openSocket(options);
    this.#raw = createConnection({
      ...options,
      stream: this.#socket,
      rowsAsArray: true,
      connectTimeout: timeoutMs,
      maxPreparedStatements: statements,
      // A malicious server must not be able to request local files.
      flags: ['-LOCAL_FILES'],
    });
    this.#packets = watchPackets(this.#raw);
    this.#raw.on('error', (error) => this.#lose(error));
    this.#socket.on('close', () => this.#lose(connectionLost()));
  }

  get isOpen(): boolean {
    return this.#lostReason === undefined;
  }

  /** The bytes received so far. The size of a result is the difference of two values. */
  get bytesRead(): number {
    return this.#packets.bytes || this.#socket.bytesRead;
  }

  /** Runs a statement without values and returns its rows. */
  run(sql: string): Promise<unknown[][]> {
    return this.#answer((resolve, reject) => {
      this.#raw.query(sql, (error, rows) => (error === null ? resolve(rows as unknown as unknown[][]) : reject(error)));
    });
  }

  /**
   * Runs a prepared statement. Only one statement may run at a time. Resolves to the number of warnings, after the last
   * row.
   */
  execute(sql: string, values: Parameter[], sink: ResultSink): Promise<number> {
    const answer = this.#answer<number>((resolve, reject) => {
      this.#raw
        .execute(sql, values)
        .on('fields', (fields) => sink.columns(fields as unknown as FieldPacket[]))
        .on('result', (row) => sink.row(row as unknown as unknown[]))
        .on('error', reject)
        .on('end', () => resolve(this.#packets.warnings()));
    });
    const counted = this.#packets.bytes === 0 ? answer.then(() => this.#countWarnings()) : answer;
    return canReuseStatements(this.flavor) ? counted : counted.finally(() => this.#raw.unprepare(sql));
  }

  async #countWarnings(): Promise<number> {
    const [[count] = []] = await this.run('SHOW COUNT(*) WARNINGS');
    return Number(count);
  }

  /** Stops receiving until `resume` is called. The server waits when the buffers between it and this process are full. */
  pause(): void {
    this.#raw.pause();
  }

  resume(): void {
    this.#raw.resume();
  }

  /** Prepares a statement without running it and returns its columns. */
  async describe(sql: string): Promise<readonly DescribedColumn[]> {
    const described = await this.#answer<readonly FieldPacket[]>((resolve, reject) => {
      this.#raw.prepare(sql, (error, statement) => {
        // The types of mysql2 do not include `columns`.
        const { columns = [] } = (statement ?? {}) as { columns?: readonly FieldPacket[] };
        if (error === null) resolve(columns);
        else reject(error);
      });
    });
    // This statement is not cached, because most described queries never run on this connection.
    this.#raw.unprepare(sql);
    requireReadableBits(described);
    return described.map((column) => describeField(column, this.flavor));
  }

  /**
   * Sets the server's time limit for later statements, if the current limit is too short or much too long. Slightly longer limits are kept,
   * because each change costs a round trip, and short queries, such as those of notices, alternate with longer ones on a connection.
   */
  async limitStatements(ms: number): Promise<void> {
    const seconds = serverLimitSeconds(ms);
    if (this.#limitSeconds >= seconds && this.#limitSeconds <= seconds * MAX_LIMIT_EXCESS) return;
    await this.run(statementTimeout(this.flavor, ms));
    this.#limitSeconds = seconds;
  }

  /** Closes the connection gracefully: the server confirms the end. */
  end(): void {
    if (!this.isOpen) return;
    this.#raw.end(() => {});
    setTimeout(() => this.#socket.destroy(), MAX_END_MS).unref();
  }

  /** Closes the connection immediately. Its running statements reject with `reason`. */
  destroy(reason?: Error): void {
    // This method is called for every surplus row, so it creates an error only if the connection is still open.
    if (this.isOpen) this.#lose(reason ?? connectionLost());
  }

  async #setUp(access: Access): Promise<void> {
    const [[id, version] = []] = await this.run('SELECT CONCAT(CONNECTION_ID()), VERSION()');
    this.id = String(id);
    this.flavor = flavorOf(String(version));
    for (const statement of sessionStatements(this.flavor, access)) await this.run(statement);
  }

  /** Settles with the callbacks passed to `begin`, but rejects as soon as the connection is lost. */
  #answer<T>(begin: (resolve: (answer: T) => void, reject: (error: unknown) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#lostReason !== undefined) throw this.#lostReason;
      const fail = (error: unknown) => {
        this.#pending = this.#pending.filter((one) => one !== fail);
        reject(error);
      };
      this.#pending = [...this.#pending, fail];
      begin((answer) => {
        this.#pending = this.#pending.filter((one) => one !== fail);
        resolve(answer);
      }, fail);
    });
  }

  #lose(error: unknown): void {
    if (this.#lostReason !== undefined) return;
    this.#lostReason = error;
    this.#socket.destroy();
    for (const fail of this.#pending) fail(error);
  }
}

/** The time limit for the server to confirm the end of a connection. */
const MAX_END_MS = 1_000;
/** The server's time limit may be this many times longer than necessary, because it stops only statements that a KILL did not reach. */
const MAX_LIMIT_EXCESS = 16;

function connectionLost(): Error {
  return Object.assign(new Error('the connection was lost'), { code: 'PROTOCOL_CONNECTION_LOST' });
}

export function connectTimeoutError(): Error {
  return Object.assign(new Error('the server did not answer in time'), { code: 'ETIMEDOUT' });
}

/**
 * Opens the socket of a connection. The method `destroy` of the socket closes the connection immediately, while mysql2 would wait for the
 * server. Keep-alive detects within minutes that a server no longer responds; without it, this could take hours.
 */
export function openSocket({ host = '', port = 0 }: ConnectionOptions): Socket {
  return connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
}

const KEEP_ALIVE_MS = 30_000;
