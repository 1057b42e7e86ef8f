import { findColumnDifference } from '../cells/row-writer.js';
import type { Problem } from '../definition/problem.js';
import type { BrokenEndpoint } from '../endpoint/broken-endpoint.js';
import { createBrokenEndpoint, type Endpoint, type EndpointQuery, queriesOf } from '../endpoint/endpoint.js';
import type { Database, PreparedQuery } from '../interface/database.js';
import { EngineError } from '../interface/errors.js';

/** The most texts of one endpoint that are looked up; the rest only when they are asked for. */
export const MAX_LOOKED_UP_TEXTS = 256;

export interface LookUpOptions {
  /** After this many milliseconds the rest is left for the next time. */
  readonly withinMs: number;
  readonly signal?: AbortSignal;
}

/** What a look into the database found. */
export interface LookUpResult {
  /** Endpoints that were not known to be broken. */
  readonly found: readonly BrokenEndpoint[];
  /** Names of endpoints that were broken, and are not any more. */
  readonly healed: readonly string[];
  /** Names of endpoints that have more texts than are looked up. */
  readonly cut: readonly string[];
  /** How many endpoints are left for the next time. */
  readonly left: number;
}

export interface LookUpParts {
  readonly database: Database;
  readonly prepare: (sql: string) => PreparedQuery;
  readonly stopwatch: () => number;
}

/**
 * Looks up in the database the tables, columns and functions that queries name, without running them, so that an error is
 * found at the start and not by the first caller. What was right once is not looked up again; what was wrong is, each time.
 */
export class LookUp {
  readonly #parts: LookUpParts;
  readonly #right = new Set<Endpoint>();
  readonly #broken = new Map<Endpoint, BrokenEndpoint>();
  /** The endpoints that the database rejected at their last look-up. */
  readonly broken: ReadonlyMap<Endpoint, BrokenEndpoint> = this.#broken;

  constructor(parts: LookUpParts) {
    this.#parts = parts;
  }

  /** Looks at endpoints that are not known to be right. */
  async look(endpoints: readonly Endpoint[], { withinMs, signal }: LookUpOptions): Promise<LookUpResult> {
    const { database, stopwatch } = this.#parts;
    if (database.describe === undefined) return { found: [], healed: [], cut: [], left: 0 };
    const until = stopwatch() + withinMs;
    const waiting = endpoints.filter((endpoint) => !this.#right.has(endpoint));
    const before = new Map(this.#broken);
    const answers = new Map<string, Promise<Answer>>();
    let [left, next, isAway] = [0, 0, false];
    const work = async () => {
      for (let endpoint = waiting[next++]; endpoint !== undefined; endpoint = waiting[next++]) {
        const problems = isAway ? undefined : await this.#problemsOf(endpoint, { until, signal, answers });
        if (problems === undefined) {
          left += 1;
          // What cannot be asked now is asked the next time: the others need not wait for the same.
          isAway = true;
        } else this.#remember(endpoint, problems);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_A_TIME, database.concurrency) }, work));
    return {
      found: [...this.#broken].filter(([endpoint]) => !before.has(endpoint)).map(([, broken]) => broken),
      healed: [...before.keys()].filter((one) => !this.#broken.has(one)).map(({ definition }) => definition.name),
      cut: waiting.filter((one) => textsOf(one).length > MAX_LOOKED_UP_TEXTS).map(({ definition }) => definition.name),
      left,
    };
  }

  #remember(endpoint: Endpoint, problems: readonly Problem[]): void {
    if (problems.length === 0) {
      this.#broken.delete(endpoint);
      this.#right.add(endpoint);
    } else this.#broken.set(endpoint, createBrokenEndpoint(endpoint, problems));
  }

  /** The first problem of each query, each message once; undefined where the database could not be asked. */
  async #problemsOf(endpoint: Endpoint, asking: Asking): Promise<readonly Problem[] | undefined> {
    const problems = new Map<string, Problem>();
    const wrong = new Set<EndpointQuery>();
    for (const { query, sql } of textsOf(endpoint).slice(0, MAX_LOOKED_UP_TEXTS)) {
      if (wrong.has(query)) continue;
      const answer = await this.#ask(sql, asking);
      if (answer instanceof EngineError) return undefined;
      const reason = answer instanceof Error ? firstLine(answer) : columnsReason(endpoint, query, answer);
      if (reason === undefined) continue;
      wrong.add(query);
      if (!problems.has(reason)) problems.set(reason, query.problem(`the database cannot run this: ${reason}`, reason));
    }
    return [...problems.values()];
  }

  /** Endpoints share queries, such as those of `data_as_of`. */
  #ask(sql: string, { until, signal, answers }: Asking): Promise<Answer> {
    const { database, prepare, stopwatch } = this.#parts;
    const known = answers.get(sql);
    if (known !== undefined) return known;
    const ask = async () => {
      const timeoutMs = Math.ceil(until - stopwatch());
      if (timeoutMs <= 0 || database.describe === undefined) return TIME_IS_OVER;
      return database.describe(prepare(sql), { timeoutMs, signal });
    };
    const answer = ask().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    answers.set(sql, answer);
    return answer;
  }
}

/** The names of the columns, why the database does not take the query, or why it could not be asked (`EngineError`). */
type Answer = readonly string[] | Error;

interface Asking {
  readonly until: number;
  readonly signal: AbortSignal | undefined;
  readonly answers: Map<string, Promise<Answer>>;
}

const AT_A_TIME = 4;
const TIME_IS_OVER = new EngineError('query_timeout', 'the time for looking up queries is over');

function textsOf(endpoint: Endpoint): { readonly query: EndpointQuery; readonly sql: string }[] {
  return queriesOf(endpoint).flatMap((query) => query.texts.map(({ sql }) => ({ query, sql })));
}

function columnsReason({ query: main, definition }: Endpoint, query: EndpointQuery, names: readonly string[]) {
  return query === main ? findColumnDifference(definition, names) : undefined;
}

/** DuckDB draws the place in its own text below. */
function firstLine({ message }: Error): string {
  return message.split('\n')[0] ?? message;
}
