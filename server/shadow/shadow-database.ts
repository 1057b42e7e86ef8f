import type { Logger } from 'pino';
import { type Database, EngineError } from '../../engine/index.js';

/** A database that may be away from the start: it is opened when it is needed, and left alone for a while when it fails. */
export class ShadowDatabase {
  readonly #open: () => Promise<Database>;
  readonly #logger: Logger;
  #opening: Promise<Database> | undefined;
  #failure: { readonly error: unknown; readonly until: number } | undefined;

  constructor(open: () => Promise<Database>, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  get isAway(): boolean {
    return this.#failure !== undefined;
  }

  /** Gives what `work` gets from the database; rejects at once where it was away a moment ago. */
  async use<T>(work: (database: Database) => Promise<T>): Promise<T> {
    if (this.#failure !== undefined && performance.now() < this.#failure.until) throw this.#failure.error;
    const result = await work(await this.#opened()).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'database_unavailable') this.#lose(error);
      throw error;
    });
    this.#regain();
    return result;
  }

  /** Resolves when the database answers, rejects otherwise. */
  async ping(timeoutMs: number): Promise<void> {
    // One that is open is asked, however short a while ago it was away.
    const opened = await this.#opening?.catch(() => undefined);
    if (opened === undefined) return this.use((database) => database.ping(timeoutMs));
    await opened.ping(timeoutMs);
    this.#regain();
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.close();
  }

  #opened(): Promise<Database> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      this.#lose(error);
      throw error;
    });
    return this.#opening;
  }

  #lose(error: unknown): void {
    if (!this.isAway) this.#logger.error({ reason: reasonOf(error) }, 'the shadow database is away');
    this.#failure = { error, until: performance.now() + ASK_AGAIN_MS };
  }

  #regain(): void {
    if (this.isAway) this.#logger.info('the shadow database is back');
    this.#failure = undefined;
  }
}

const ASK_AGAIN_MS = 2_000;

/** Where an error is fit for callers, its cause tells which database and why. */
function reasonOf(error: unknown): string {
  const told = error instanceof EngineError && error.cause instanceof Error ? error.cause : error;
  return told instanceof Error ? told.message : String(told);
}
