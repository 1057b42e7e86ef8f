import { type Opening, ServerConnection } from './connection/server-connection.js';

/**
 * Connections beside the readers', for what must get through when all of theirs are in use: stopping their statements,
 * and asking whether the server is there.
 */
export class ControlConnections {
  readonly #lanes: readonly Lane[];

  /** Takes a connection over, so that one is there when the server has none left to give. */
  constructor(opening: Opening, connection: ServerConnection) {
    this.#lanes = Array.from({ length: LANES }, () => new Lane(opening));
    this.#lanes[0]?.adopt(connection);
  }

  /** Resolves when the server has been told to stop the statement; rejects when it does not take it in time. */
  async kill(id: string, timeoutMs: number): Promise<void> {
    try {
      await this.#ask(`KILL QUERY ${id}`, timeoutMs);
    } catch (error) {
      if ((error as { errno?: number }).errno !== NO_SUCH_THREAD) throw error;
    }
  }

  /** Resolves when the server answers; rejects when it does not in time. */
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

/** The server may take its time for one statement; the others need not wait for it. */
const LANES = 4;
const NO_SUCH_THREAD = 1094;

/** One connection, made when it is needed, on which statements run one after the other. */
class Lane {
  waiting = 0;
  #connection: Promise<ServerConnection> | undefined;

  constructor(private readonly opening: Opening) {}

  adopt(connection: ServerConnection): void {
    this.#connection = Promise.resolve(connection);
  }

  async ask(sql: string, timeoutMs: number): Promise<void> {
    this.waiting++;
    let connection: ServerConnection | undefined;
    const giveUp = setTimeout(() => connection?.destroy(), timeoutMs);
    try {
      connection = await this.#connected(timeoutMs);
      await connection.ask(sql);
    } finally {
      clearTimeout(giveUp);
      this.waiting--;
    }
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    connection?.end();
  }

  async #connected(timeoutMs: number): Promise<ServerConnection> {
    const known = this.#connection;
    if ((await known?.catch(() => undefined))?.isOpen) return known as Promise<ServerConnection>;
    // Whoever waited for the same one may have begun a new one.
    if (this.#connection === known) this.#connection = ServerConnection.open(this.opening, timeoutMs);
    return this.#connection as Promise<ServerConnection>;
  }
}
