import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import mysql, { type Connection, type FieldPacket, type ResultSetHeader } from 'mysql2';
import type { BoundValue, Cell } from '../../engine/database.js';
import { rowReader } from './cells.js';
import { type Flavor, flavorOf } from './flavor.js';
import { positional } from './select.js';
import { sessionStatements } from './session.js';
import { parameters } from './values.js';

/** A connection that may write, with its session set up. Its errors are those of mysql2. */
export class WriteConnection {
  readonly flavor: Flavor;
  /** Whether the server takes files from its clients. */
  readonly takesFiles: boolean;
  readonly #raw: Connection;
  readonly #socket: Socket;
  /** Who waits for an answer: of a connection that is lost or given up, mysql2 tells only some of them. */
  readonly #waiting = new Set<(error: unknown) => void>();
  #isOpen = true;

  static async open(options: mysql.ConnectionOptions): Promise<WriteConnection> {
    const { host = '', port = 0 } = options;
    // A socket of our own can be cut at once; mysql2's way of ending waits for the other side.
    const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
    const reading = { stream: socket, rowsAsArray: true, maxPreparedStatements: STATEMENTS };
    const raw = mysql.createConnection({ ...options, ...reading });
    // The statement that waits is told as well.
    raw.on('error', () => undefined);
    try {
      const [[version, localFiles] = []] = (await ask(raw, 'SELECT VERSION(), @@GLOBAL.local_infile')) as unknown[][];
      const flavor = flavorOf(String(version));
      for (const statement of sessionStatements(flavor, 'write')) await ask(raw, statement);
      return new WriteConnection(raw, socket, flavor, Number(localFiles) === 1);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  private constructor(raw: Connection, socket: Socket, flavor: Flavor, takesFiles: boolean) {
    this.#raw = raw;
    this.#socket = socket;
    this.flavor = flavor;
    this.takesFiles = takesFiles;
    raw.on('error', (error) => this.destroy(error));
    raw.on('end', () => this.destroy());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Runs a statement as it is. */
  async run(sql: string): Promise<void> {
    await this.#answer(() => ask(this.#raw, sql));
  }

  /** Runs a statement with values `:p1`, `:p2`…; gives the rows of a SELECT. */
  async rows(sql: string, values: readonly BoundValue[] = []): Promise<readonly (readonly Cell[])[]> {
    const { result, fields } = await this.#execute(sql, values);
    if (fields === undefined) return [];
    const reader = rowReader(fields);
    return (result as unknown as unknown[][]).map((row) => reader.read(row));
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
    const query = { sql, infileStreamFactory: open };
    const result = (await this.#answer(() => ask(this.#raw, query))) as ResultSetHeader;
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
    for (const reject of this.#waiting) reject(reason);
  }

  #execute(sql: string, values: readonly BoundValue[]): Promise<Executed> {
    const statement = positional(sql);
    const bound = parameters(statement.order, values);
    const ask = () =>
      new Promise<Executed>((resolve, reject) => {
        this.#raw.execute(statement.sql, bound, (error, result, fields) => {
          if (error === null) resolve({ result, fields: fields as FieldPacket[] | undefined });
          else reject(error);
        });
      });
    return this.#answer(ask);
  }

  /** The answer, or an error as soon as the connection is lost. */
  async #answer<T>(ask: () => Promise<T>): Promise<T> {
    if (!this.#isOpen) throw connectionLost();
    let reject: (error: unknown) => void = () => undefined;
    const lost = new Promise<never>((_resolve, rejectLost) => {
      reject = rejectLost;
    });
    this.#waiting.add(reject);
    try {
      return await Promise.race([ask(), lost]);
    } catch (error) {
      if ((error as { fatal?: unknown }).fatal === true && this.#isOpen) this.destroy(error);
      throw error;
    } finally {
      this.#waiting.delete(reject);
    }
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

function ask(connection: Connection, query: string | mysql.QueryOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = (error: mysql.QueryError | null, result: unknown, _fields: FieldPacket[]) =>
      error === null ? resolve(result) : reject(error);
    if (typeof query === 'string') connection.query(query, done);
    else connection.query(query, done);
  });
}
