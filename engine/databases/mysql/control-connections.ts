import { Deadline } from '../interface/deadline.js';
import { type Opening, ServerConnection } from './connection/server-connection.js';

/**
 * Additional connections for tasks that must work while all readers are busy: stopping their statements, and checking
 * whether the server answers.
 */
export class ControlConnections {
  readonly #lanes: readonly Lane[];

  /**
   * Uses the open `connection` as the first control connection, so that one exists even if the server accepts no more
   * connections.
   */
  constructor(opening: Opening, connection: ServerConnection) {
    this.#lanes = Array.from({ length: LANES }, () => new Lane(opening));
    this.#lanes[0]?.adopt(connection);
  }

  /** Stops the running statement of the connection `id`. Rejects if the server does not confirm it within `timeoutMs`. */
  async kill(id: string, timeoutMs: number): Promise<void> {
    try {
      await this.#ask(`KILL QUERY ${id}`, timeoutMs);
    } catch (error) {
      if ((error as { errno?: number }).errno !== NO_SUCH_THREAD) throw error;
    }
  }

  /** Rejects if the server does not answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void> {
    return this.#ask('DO 0', timeoutMs);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  #ask(sql: string, timeoutMs: number): Promise<void> {
    return this.#lanes.reduce((best, next) => (next.waiting < best.waiting ? next : best)).ask(sql, timeoutMs);
  }
}

/**
 * The number of control connections. With several connections, a slow statement delays only statements on the same
 * connection.
 */
const LANES = 4;
const NO_SUCH_THREAD = 1094;

/** A connection that runs one statement at a time. It is opened when it is first needed. */
class Lane {
  waiting = 0;
  readonly #opening: Opening;
  #connection: Promise<ServerConnection> | undefined;

  constructor(opening: Opening) {
    this.#opening = opening;
  }

  adopt(connection: ServerConnection): void {
    this.#connection = Promise.resolve(connection);
  }

  async ask(sql: string, timeoutMs: number): Promise<void> {
    this.waiting++;
    let connection: ServerConnection | undefined;
    const deadline = new Deadline({ timeoutMs });
    deadline.onStop(() => connection?.destroy());
    try {
      connection = await this.#connect(timeoutMs);
      await connection.run(sql);
    } finally {
      deadline.end();
      this.waiting--;
    }
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    connection?.end();
  }

  async #connect(timeoutMs: number): Promise<ServerConnection> {
    const current = this.#connection;
    if ((await current?.catch(() => undefined))?.isOpen) return current as Promise<ServerConnection>;
    // Another call that waited for the same lost connection may already have replaced it.
    if (this.#connection === current) this.#connection = ServerConnection.open(this.#opening, timeoutMs);
    return this.#connection as Promise<ServerConnection>;
  }
}
