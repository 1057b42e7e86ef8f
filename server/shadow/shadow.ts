import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  type Answer,
  createPreparedTexts,
  type Database,
  type Engine,
  type PreparedQuery,
  type PreparedTexts,
} from '../../engine/index.js';
import { createLimiter, takeAll } from '../../http/limits/limiter.js';
import { type AskDatabase, compareAnswer, type Sides, type Verdict } from './compare-answer.js';
import { ShadowDatabase } from './shadow-database.js';

/** What became of the answers that were to be compared, since the start. */
export type ShadowCounts = Readonly<Record<Verdict['kind'] | 'failed' | 'dropped', number>>;

export interface ShadowOptions {
  /** Of a hundred answers, those that are compared. */
  readonly samplePercent: number;
  /** The database that answered, which is asked again where answers differ. */
  readonly database: Database;
  readonly open: () => Promise<Database>;
  readonly logger: Logger;
}

/**
 * Compares a sample of the answers with those of a second database, behind the back of whoever asked: an answer waits for nothing
 * here, and what the second database does wrong is counted and logged. What there is no room for is dropped.
 */
export class Shadow {
  readonly #options: ShadowOptions;
  readonly #database: ShadowDatabase;
  readonly #counts = { equal: 0, different: 0, undecided: 0, failed: 0, dropped: 0 };
  readonly #lines = createLimiter({ name: 'shadow-lines', points: LINES_A_MINUTE, seconds: 60 });
  readonly #prepared = new WeakMap<Database, PreparedTexts>();
  readonly #stop = new AbortController();
  readonly #summary: NodeJS.Timeout;
  readonly #waiting: { readonly answer: Answer; readonly bytes: number }[] = [];
  readonly #workers = new Set<Promise<void>>();
  /** Of those that wait. */
  #bytes = 0;
  #told = JSON.stringify(this.#counts);

  constructor(options: ShadowOptions) {
    this.#options = options;
    this.#database = new ShadowDatabase(options.open, options.logger);
    this.#summary = setInterval(() => this.#sumUp(), SUMMARY_MS).unref();
    // So that the log tells at the start what is wrong with it.
    void this.#database.ping(FIRST_PING_MS).catch(() => undefined);
  }

  get counts(): ShadowCounts {
    return { ...this.#counts };
  }

  /** Takes an answer that was given, for comparing it later, or not at all. */
  offer(answer: Answer): void {
    if (this.#stop.signal.aborted || Math.random() * 100 >= this.#options.samplePercent) return;
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

  /** Stops what is being compared, and closes the second database. */
  async close(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#summary);
    this.#waiting.length = 0;
    await Promise.all(this.#workers);
    this.#sumUp();
    await this.#database.close();
  }

  async #work(): Promise<void> {
    // The answer goes out first.
    await turn();
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#bytes -= next.bytes;
      await this.#compare(next.answer);
    }
  }

  async #compare(answer: Answer): Promise<void> {
    const facts = { endpoint: answer.endpoint.definition.name, parameters: answer.parameters };
    try {
      const verdict = await this.#database.use((shadow) => compareAnswer(answer, this.#sides(shadow)));
      this.#counts[verdict.kind] += 1;
      if (verdict.kind === 'different') {
        const { at, one, other } = verdict.difference;
        const difference = { at, ours: one.slice(0, SHOWN), shadows: other.slice(0, SHOWN) };
        await this.#tell({ ...facts, ...difference }, 'the shadow database answers otherwise');
      }
      if (verdict.kind === 'undecided') {
        await this.#tell(
          { ...facts, dataAsOf: verdict.dataAsOf },
          'the data of the shadow database are of another time',
        );
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#counts.failed += 1;
      if (!this.#database.isAway) await this.#tell({ ...facts, err: error }, 'an answer could not be compared');
    }
  }

  #sides(shadow: Database): Sides {
    const { database } = this.#options;
    const { signal } = this.#stop;
    const asking =
      (asked: Database): AskDatabase =>
      (query, { endpoint, parameters, startedAt }, maxRows) => {
        const { sql, values } = query.compile(query === endpoint.query ? parameters : {}, startedAt);
        const { timeoutMs } = endpoint.definition.limits;
        return asked.query(this.#prepare(asked, sql), values, { maxRows, timeoutMs, signal });
      };
    const ours = asking(database);
    return {
      ours: (...words) => ours(...words).catch(notAskedAgain),
      shadows: asking(shadow),
      pause: () => pause(RECHECK_MS, undefined, { signal }),
    };
  }

  #prepare(asked: Database, sql: string): PreparedQuery {
    const texts = this.#prepared.get(asked) ?? createPreparedTexts(asked, MAX_PREPARED);
    this.#prepared.set(asked, texts);
    return texts.memo(sql);
  }

  /** A line of the log, unless this minute has had enough of its kind; the summary counts them all. */
  async #tell(facts: object, message: string): Promise<void> {
    const [line] = await takeAll([{ limiter: this.#lines, key: message }]);
    if (line?.isOver === false) this.#options.logger.warn(facts, message);
  }

  #sumUp(): void {
    const { counts } = this;
    const text = JSON.stringify(counts);
    if (text === this.#told) return;
    this.#told = text;
    this.#options.logger.info(counts, 'answers compared with the shadow database');
  }
}

/** The engine, whose answers are offered to the shadow, if there is one. */
export function shadowed(engine: Engine, shadow: Shadow | undefined): Engine {
  if (shadow === undefined) return engine;
  return {
    endpoints: engine.endpoints,
    broken: () => engine.broken(),
    lookUp: (options, endpoints) => engine.lookUp(options, endpoints),
    endpoint: (name) => engine.endpoint(name),
    explain: (endpoint, raw, options) => engine.explain(endpoint, raw, options),
    run: async (endpoint, raw, options) => {
      const answer = await engine.run(endpoint, raw, options);
      shadow.offer(answer);
      return answer;
    },
  };
}

/** What the rows take in memory, about. */
function sizeOf({ rows }: Answer): number {
  let bytes = 0;
  for (const row of rows) {
    for (const cell of row) bytes += typeof cell === 'string' ? CELL_BYTES + 2 * cell.length : CELL_BYTES;
  }
  return bytes;
}

/** It says nothing of the shadow. */
function notAskedAgain(cause: unknown): never {
  throw new Error('the database of the service could not be asked again', { cause });
}

/** Answers compared at a time, those that may wait, and what these may take in all. */
const WORKERS = 2;
const MAX_WAITING = 100;
const MAX_BYTES = 16 * 1024 * 1024;
const CELL_BYTES = 16;
/** Long enough for most imports' transactions; it also keeps a database that answers all wrong from having ours asked all the time. */
const RECHECK_MS = 1_000;
const SUMMARY_MS = 600_000;
const FIRST_PING_MS = 5_000;
const LINES_A_MINUTE = 10;
/** Texts that are kept for each of the two databases. */
const MAX_PREPARED = 250;
/** Characters of a row in the log. */
const SHOWN = 500;
