import { type Opening, ServerConnection } from './server-connection.js';

/** A connection beside the readers' that stops their statements, also when all of theirs are in use. */
export class Killer {
  readonly #opening: Opening;
  #connection: Promise<ServerConnection> | undefined;

  constructor(opening: Opening) {
    this.#opening = opening;
  }

  /** Resolves when the server has stopped the statement, or knows no such connection; rejects when it does not answer. */
  async kill(id: string, timeoutMs: number): Promise<void> {
    const connection = await this.#connected(timeoutMs);
    const giveUp = setTimeout(() => connection.destroy(), timeoutMs);
    try {
      await connection.ask(`KILL QUERY ${id}`);
    } catch (error) {
      if ((error as { errno?: number }).errno !== NO_SUCH_THREAD) throw error;
    } finally {
      clearTimeout(giveUp);
    }
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    connection?.end();
  }

  async #connected(timeoutMs: number): Promise<ServerConnection> {
    const known = await this.#connection?.catch(() => undefined);
    if (known?.isOpen) return known;
    this.#connection = ServerConnection.open(this.#opening, timeoutMs);
    return this.#connection;
  }
}

const NO_SUCH_THREAD = 1094;
