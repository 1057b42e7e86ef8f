import { setImmediate as afterIo, setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createLimiter, takeAll } from '../../engine/http/limits/limiter.js';
import {
  type Answer,
  createPreparedTexts,
  type Database,
  type PreparedQuery,
  type PreparedTexts,
  withoutCaller,
} from '../../engine/index.js';
import { compareAnswer, type RunAgain, type Sides, type Verdict } from './compare-answer.js';
import { ShadowDatabase } from './shadow-database.js';

/** The number of compared answers by result, since the start. */
export type ShadowCounts = Readonly<Record<Verdict['kind'] | 'failed' | 'dropped', number>>;

export interface ShadowOptions {
  /** Percentage of answers that are compared. */
  readonly samplePercent: number;
  /** The main database, which runs a query again if answers differ. */
  readonly database: Database;
  readonly open: () => Promise<Database>;
  readonly logger: Logger;
  /** Returns a random number from 0 to 1, which decides whether an answer is in the sample. Default: `Math.random`. */
  readonly random?: () => number;
}

/**
 * Compares a sample of the answers with the answers of a second database, the shadow. Callers do not wait for the
 * comparison. Differences and failures are counted and logged. If the queue is full, answers are not compared.
 */
export class Shadow {
  readonly #options: ShadowOptions;
  readonly #database: ShadowDatabase;
  readonly #counts = { equal: 0, different: 0, undecided: 0, failed: 0, dropped: 0 };
  readonly #lines = createLimiter({ name: 'shadow-lines', points: LINES_PER_MINUTE, seconds: 60 });
  readonly #prepared = new WeakMap<Database, PreparedTexts>();
  readonly #stop = new AbortController();
  readonly #summary: NodeJS.Timeout;
  readonly #waiting: { readonly answer: Answer; readonly bytes: number }[] = [];
  readonly #workers = new Set<Promise<void>>();
  /** The total size in bytes of the queued answers. */
  #bytes = 0;
  #lastSummary = JSON.stringify(this.#counts);

  constructor(options: ShadowOptions) {
    this.#options = options;
    this.#database = new ShadowDatabase(options.open, options.logger);
    this.#summary = setInterval(() => this.#logSummary(), SUMMARY_MS).unref();
    // This ping logs a shadow database that is unavailable at the start.
    void this.#database.ping(FIRST_PING_MS).catch(() => undefined);
  }

  get counts(): ShadowCounts {
    return { ...this.#counts };
  }

  /** Queues an answer for comparison if it belongs to the sample and the queue has room. */
  offer(answer: Answer): void {
    const { samplePercent, random = Math.random } = this.#options;
    if (this.#stop.signal.aborted || random() * 100 >= samplePercent) return;
    const bytes = sizeOf(answer);
    if (this.#waiting.length >= MAX_WAITING || this.#bytes + bytes > MAX_BYTES) {
      this.#counts.dropped += 1;
      return;
    }
    this.#waiting.push({ answer, bytes });
    this.#bytes += bytes;
    if (this.#workers.size >= WORKERS) return;
    const worker = this.#work().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  ping(timeoutMs: number): Promise<void> {
    return this.#database.ping(timeoutMs);
  }

  /** Stops the comparisons and closes the second database. */
  async close(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#summary);
    this.#waiting.length = 0;
    await Promise.all(this.#workers);
    this.#logSummary();
    await this.#database.close();
  }

  async #work(): Promise<void> {
    // Lets the answer be sent before the comparison begins.
    await afterIo();
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#bytes -= next.bytes;
      await this.#compare(next.answer);
    }
  }

  async #compare(answer: Answer): Promise<void> {
    const facts = { endpoint: answer.endpoint.definition.name, parameters: withoutCaller(answer.parameters) };
    try {
      const verdict = await this.#database.use((shadow) => compareAnswer(answer, this.#sides(shadow)));
      this.#counts[verdict.kind] += 1;
      if (verdict.kind === 'different') {
        const { at, one, other } = verdict.difference;
        const [ours, shadows] = [one.slice(0, MAX_LOGGED), other.slice(0, MAX_LOGGED)];
        await this.#warn({ ...facts, at, ours, shadows }, 'the shadow database returned a different answer');
      }
      if (verdict.kind === 'undecided') {
        const { dataAsOf } = verdict;
        if (dataAsOf === undefined) await this.#warn(facts, 'the data changed while the answers were compared');
        else await this.#warn({ ...facts, dataAsOf }, 'the data of the shadow database have a different time');
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#counts.failed += 1;
      if (!this.#database.isAway) await this.#warn({ ...facts, err: error }, 'an answer could not be compared');
    }
  }

  #sides(shadow: Database): Sides {
    const { database } = this.#options;
    const { signal } = this.#stop;
    const runOn =
      (side: Database): RunAgain =>
      (query, { endpoint, parameters, startedAt }, maxRows) => {
        const { sql, values } = query.compile(parameters, startedAt);
        const { timeoutMs } = endpoint.definition.limits;
        return side.query(this.#prepare(side, sql), values, { maxRows, timeoutMs, signal });
      };
    const ours = runOn(database);
    return {
      ours: (...query) => ours(...query).catch(throwOwnFailure),
      shadows: runOn(shadow),
      pause: () => pause(RECHECK_MS, undefined, { signal }),
    };
  }

  #prepare(side: Database, sql: string): PreparedQuery {
    const texts = this.#prepared.get(side) ?? createPreparedTexts(side, MAX_PREPARED);
    this.#prepared.set(side, texts);
    return texts.memo(sql);
  }

  /** Logs a warning, at most a limited number per minute and message. The summary counts all results. */
  async #warn(facts: object, message: string): Promise<void> {
    const [line] = await takeAll([{ limiter: this.#lines, key: message }]);
    if (line?.isOver === false) this.#options.logger.warn(facts, message);
  }

  #logSummary(): void {
    const { counts } = this;
    const text = JSON.stringify(counts);
    if (text === this.#lastSummary) return;
    this.#lastSummary = text;
    this.#options.logger.info(counts, 'answers compared with the shadow database');
  }
}

/** The approximate size of the rows in memory, in bytes. */
function sizeOf({ rows }: Answer): number {
  let bytes = 0;
  for (const row of rows) {
    for (const cell of row) bytes += typeof cell === 'string' ? CELL_BYTES + 2 * cell.length : CELL_BYTES;
  }
  return bytes;
}

/** Throws for a failure of the main database, which must not count as a failure of the shadow database. */
function throwOwnFailure(cause: unknown): never {
  throw new Error('the database of the service failed to run the query again', { cause });
}

/**
 * The number of concurrent comparisons, the maximum length of the queue, and the maximum size of the waiting answers.
 */
const WORKERS = 2;
const MAX_WAITING = 100;
const MAX_BYTES = 16 * 1024 * 1024;
const CELL_BYTES = 16;
/**
 * The wait before a query runs again. The wait is longer than most transactions of imports. The wait also limits the load on the main
 * database if all answers differ.
 */
const RECHECK_MS = 1_000;
const SUMMARY_MS = 600_000;
const FIRST_PING_MS = 5_000;
const LINES_PER_MINUTE = 10;
/** Maximum number of cached prepared texts per database. */
const MAX_PREPARED = 250;
/** Maximum number of characters of a row in the log. */
const MAX_LOGGED = 500;
