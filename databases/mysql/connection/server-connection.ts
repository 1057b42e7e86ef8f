import { connect, type Socket } from 'node:net';
import { type Connection, type ConnectionOptions, createConnection, type FieldPacket } from 'mysql2';
import { canReuseStatements, type Flavor, flavorOf, statementTimeout } from './flavor.js';
import { type Packets, watchPackets } from './packets.js';
import { type Access, sessionStatements } from './session.js';
import type { Parameter } from './values.js';

/** How a connection is opened. */
export interface Opening {
  readonly options: ConnectionOptions;
  readonly access: Access;
  /** Prepared statements that each connection keeps. */
  readonly statements: number;
}

/** Takes a result as it arrives. */
export interface ResultSink {
  columns(fields: readonly FieldPacket[]): void;
  row(values: unknown[]): void;
}

/** One connection to a server, with its session set up. Its errors are those of mysql2. */
export class ServerConnection {
  /** The server's name for this connection, by which KILL knows it. */
  id = '';
  flavor: Flavor = 'mysql';
  readonly #raw: Connection;
  readonly #socket: Socket;
  readonly #packets: Packets;
  #lost: unknown;
  #limit = '';
  /** Who waits for an answer: mysql2 does not tell everybody that the connection is lost. */
  #waiting: readonly ((error: unknown) => void)[] = [];

  /** Connects within `timeoutMs`. */
  static async open(opening: Opening, timeoutMs: number): Promise<ServerConnection> {
    const connection = new ServerConnection(opening, timeoutMs);
    const giveUp = setTimeout(() => connection.destroy(connectTimeout()), timeoutMs);
    try {
      await connection.#setUp(opening.access);
      return connection;
    } catch (error) {
      const reason = connection.#lost ?? error;
      connection.destroy();
      throw reason;
    } finally {
      clearTimeout(giveUp);
    }
  }

  private constructor({ options, statements }: Opening, timeoutMs: number) {
    const { host = '', port = 0 } = options;
    // A socket of our own can be cut at once; mysql2's way of ending waits for the other side.
    this.#socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
    this.#raw = createConnection({
      ...options,
      stream: this.#socket,
      rowsAsArray: true,
      connectTimeout: timeoutMs,
      maxPreparedStatements: statements,
      // Nobody asks a reader for files, and a hostile server must not.
      flags: ['-LOCAL_FILES'],
    });
    this.#packets = watchPackets(this.#raw);
    this.#raw.on('error', (error) => this.#lose(error));
    this.#socket.on('close', () => this.#lose(connectionLost()));
  }

  get isOpen(): boolean {
    return this.#lost === undefined;
  }

  /** Bytes received so far, to tell how large a result is. */
  get bytesRead(): number {
    return this.#packets.bytes;
  }

  /** Runs a statement without values; gives its rows. */
  ask(sql: string): Promise<unknown[][]> {
    return this.#answer((resolve, reject) => {
      this.#raw.query(sql, (error, rows) => (error === null ? resolve(rows as unknown as unknown[][]) : reject(error)));
    });
  }

  /** Runs a prepared statement; resolves after its last row to the number of warnings. One at a time. */
  execute(sql: string, values: Parameter[], sink: ResultSink): Promise<number> {
    const answer = this.#answer<number>((resolve, reject) => {
      this.#raw
        .execute(sql, values)
        .on('fields', (fields) => sink.columns(fields as unknown as FieldPacket[]))
        .on('result', (row) => sink.row(row as unknown as unknown[]))
        .on('error', reject)
        .on('end', () => resolve(this.#packets.warnings()));
    });
    return canReuseStatements(this.flavor) ? answer : answer.finally(() => this.#raw.unprepare(sql));
  }

  /** Prepares a statement without running it; gives the names of its columns. */
  async describe(sql: string): Promise<readonly string[]> {
    const names = await this.#answer<readonly string[]>((resolve, reject) => {
      this.#raw.prepare(sql, (error, statement) => {
        // The types of mysql2 do not tell of the columns.
        const { columns = [] } = (statement ?? {}) as { columns?: readonly { readonly name: string }[] };
        if (error === null) resolve(columns.map(({ name }) => name));
        else reject(error);
      });
    });
    // Not kept: most texts that are looked up are seldom asked.
    this.#raw.unprepare(sql);
    return names;
  }

  /** Tells the server to stop statements after about this time, where it has not been told already. */
  async limitStatements(ms: number): Promise<void> {
    const limit = statementTimeout(this.flavor, ms);
    if (limit === this.#limit) return;
    await this.ask(limit);
    this.#limit = limit;
  }

  /** Says goodbye to the server. */
  end(): void {
    if (!this.isOpen) return;
    this.#raw.end(() => {});
    setTimeout(() => this.#socket.destroy(), GOODBYE_MS).unref();
  }

  /** Cuts the connection at once; what runs on it fails. */
  destroy(reason?: Error): void {
    // Called for every row that is too many, so no error is made in vain.
    if (this.isOpen) this.#lose(reason ?? connectionLost());
  }

  async #setUp(access: Access): Promise<void> {
    const [[id, version] = []] = await this.ask('SELECT CONCAT(CONNECTION_ID()), VERSION()');
    this.id = String(id);
    this.flavor = flavorOf(String(version));
    for (const statement of sessionStatements(this.flavor, access)) await this.ask(statement);
  }

  /** The answer that `begin` brings, or an error as soon as the connection is lost. */
  #answer<T>(begin: (resolve: (answer: T) => void, reject: (error: unknown) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) throw this.#lost;
      const lose = (error: unknown) => {
        this.#waiting = this.#waiting.filter((one) => one !== lose);
        reject(error);
      };
      this.#waiting = [...this.#waiting, lose];
      begin((answer) => {
        this.#waiting = this.#waiting.filter((one) => one !== lose);
        resolve(answer);
      }, lose);
    });
  }

  #lose(error: unknown): void {
    if (this.#lost !== undefined) return;
    this.#lost = error;
    this.#socket.destroy();
    for (const lose of this.#waiting) lose(error);
  }
}

const KEEP_ALIVE_MS = 30_000;
const GOODBYE_MS = 1_000;

function connectionLost(): Error {
  return Object.assign(new Error('the connection was lost'), { code: 'PROTOCOL_CONNECTION_LOST' });
}

export function connectTimeout(): Error {
  return Object.assign(new Error('the server did not answer in time'), { code: 'ETIMEDOUT' });
}
