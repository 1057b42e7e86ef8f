import { type Opening, ServerConnection } from './server-connection.js';

/** Connections beside the readers' that stop their statements, also when all of theirs are in use. */
export class Killer {
  readonly #lanes: readonly Lane[];

  /** Takes a connection over, so that one is there when the server has none left to give. */
  constructor(opening: Opening, connection: ServerConnection) {
    this.#lanes = Array.from({ length: LANES }, () => new Lane(opening));
    this.#lanes[0]?.adopt(connection);
  }

  /** Resolves when the server has been told to stop the statement; rejects when it does not take it in time. */
  async kill(id: string, timeoutMs: number): Promise<void> {
    const lane = this.#lanes.reduce((best, next) => (next.waiting < best.waiting ? next : best));
    await lane.kill(id, timeoutMs);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}

/** The server may take its time for a KILL; the others need not wait for it. */
const LANES = 4;
const NO_SUCH_THREAD = 1094;

/** One connection, made when it is needed, on which kills run one after the other. */
class Lane {
  waiting = 0;
  #connection: Promise<ServerConnection> | undefined;

  constructor(private readonly opening: Opening) {}

  adopt(connection: ServerConnection): void {
    this.#connection = Promise.resolve(connection);
  }

  async kill(id: string, timeoutMs: number): Promise<void> {
    this.waiting++;
    let connection: ServerConnection | undefined;
    const giveUp = setTimeout(() => connection?.destroy(), timeoutMs);
    try {
      connection = await this.#connected(timeoutMs);
      await connection.ask(`KILL QUERY ${id}`);
    } catch (error) {
      if ((error as { errno?: number }).errno !== NO_SUCH_THREAD) throw error;
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
