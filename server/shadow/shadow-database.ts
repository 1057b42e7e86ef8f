import type { Logger } from 'pino';
import { type Database, EngineError } from '../../engine/index.js';

/** A database, opened on first use, that can be unavailable at any time. After a failure, calls fail immediately for two seconds. */
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

  /** Runs `work` on the database and returns its result. Within two seconds after a failure, it rejects immediately. */
  async use<T>(work: (database: Database) => Promise<T>): Promise<T> {
    if (this.#failure !== undefined && performance.now() < this.#failure.until) throw this.#failure.error;
    const result = await work(await this.#opened()).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'database_unavailable') this.#setAway(error);
      throw error;
    });
    this.#setBack();
    return result;
  }

  /** Resolves if the database answers; otherwise rejects. */
  async ping(timeoutMs: number): Promise<void> {
    // A database that is already open is pinged even within two seconds after a failure.
    const opened = await this.#opening?.catch(() => undefined);
    if (opened === undefined) return this.use((database) => database.ping(timeoutMs));
    await opened.ping(timeoutMs);
    this.#setBack();
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.close();
  }

  #opened(): Promise<Database> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      this.#setAway(error);
      throw error;
    });
    return this.#opening;
  }

  #setAway(error: unknown): void {
    if (!this.isAway) this.#logger.error({ reason: reasonOf(error) }, 'the shadow database is unavailable');
    this.#failure = { error, until: performance.now() + RETRY_MS };
  }

  #setBack(): void {
    if (this.isAway) this.#logger.info('the shadow database is available again');
    this.#failure = undefined;
  }
}

const RETRY_MS = 2_000;

/**
 * Returns the reason of an error for the log. The message of an `EngineError` is meant for API callers; only its cause contains the
 * database and the reason.
 */
function reasonOf(error: unknown): string {
  const source = error instanceof EngineError && error.cause instanceof Error ? error.cause : error;
  return source instanceof Error ? source.message : String(source);
}
