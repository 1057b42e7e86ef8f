import type { Database, DescribedColumn, PreparedQuery } from '../../databases/interface/database.js';
import { EngineError } from '../../databases/interface/errors.js';
import type { BrokenEndpoint } from '../../definitions/endpoint/broken-endpoint.js';
import {
  createBrokenEndpoint,
  type Endpoint,
  type EndpointQuery,
  queriesOf,
  textsOf,
} from '../../definitions/endpoint/endpoint.js';
import type { Problem } from '../../definitions/problem.js';
import { findColumnDifference } from '../cells/cells.js';
import { nameHint, rejectionReason, type TableColumns } from './name-hint.js';

/** The maximum number of SQL texts per endpoint that are looked up. Errors in other SQL texts appear when a request uses them. */
export const MAX_LOOKED_UP_TEXTS = 256;

export interface LookUpOptions {
  /** After this many milliseconds the look-up ends. The next look-up continues with the remaining endpoints. */
  readonly withinMs: number;
  readonly signal?: AbortSignal;
}

/** The changes between the previous look-up and this one. */
export interface LookUpResult {
  readonly newlyBroken: readonly BrokenEndpoint[];
  /** Names of endpoints that are no longer broken. */
  readonly repaired: readonly string[];
  /** Names of endpoints with more than `MAX_LOOKED_UP_TEXTS` SQL texts. */
  readonly truncated: readonly string[];
  /** The number of endpoints that the next look-up must check. */
  readonly remaining: number;
}

export interface LookUpParts {
  readonly database: Database;
  readonly prepare: (sql: string) => PreparedQuery;
  readonly stopwatch: () => number;
}

/**
 * Looks up the tables, columns and functions of queries in the database, without running the queries. So the operator
 * sees errors at startup, before a caller sends a request. A valid endpoint is looked up only once. A broken endpoint
 * is looked up again each time.
 */
export class QueryLookUp {
  readonly #parts: LookUpParts;
  readonly #valid = new Set<Endpoint>();
  readonly #broken = new Map<Endpoint, BrokenEndpoint>();
  /** The endpoints that the database rejected in their last look-up. */
  readonly broken: ReadonlyMap<Endpoint, BrokenEndpoint> = this.#broken;

  constructor(parts: LookUpParts) {
    this.#parts = parts;
  }

  /** Whether the endpoint was looked up, so that the database has accepted or rejected it. */
  isChecked(endpoint: Endpoint): boolean {
    return this.#valid.has(endpoint) || this.#broken.has(endpoint);
  }

  /** Forgets the results of endpoints that are not in the set. */
  forgetOthers(endpoints: ReadonlySet<Endpoint>): void {
    for (const one of this.#valid) if (!endpoints.has(one)) this.#valid.delete(one);
    for (const one of this.#broken.keys()) if (!endpoints.has(one)) this.#broken.delete(one);
  }

  /** Checks the endpoints that are not known to be valid. */
  async run(endpoints: readonly Endpoint[], { withinMs, signal }: LookUpOptions): Promise<LookUpResult> {
    const { database, stopwatch } = this.#parts;
    if (database.describe === undefined) return { newlyBroken: [], repaired: [], truncated: [], remaining: 0 };
    const until = stopwatch() + withinMs;
    const unchecked = endpoints.filter((endpoint) => !this.#valid.has(endpoint));
    const before = new Map(this.#broken);
    const descriptions = new Map<string, Promise<Description>>();
    const listColumns = rememberResult(() => this.#listColumns({ until, signal }));
    let [remaining, next, isUnavailable] = [0, 0, false];
    const work = async () => {
      for (let endpoint = unchecked[next++]; endpoint !== undefined; endpoint = unchecked[next++]) {
        const limits = { until, signal, descriptions, listColumns };
        const problems = isUnavailable ? undefined : await this.#problemsOf(endpoint, limits);
        if (problems === undefined) {
          remaining += 1;
          // All remaining endpoints would fail for the same reason, so they wait for the next look-up.
          isUnavailable = true;
        } else this.#store(endpoint, problems);
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, database.concurrency) }, work));
    const isTruncated = (endpoint: Endpoint) => allTextsOf(endpoint).length > MAX_LOOKED_UP_TEXTS;
    return {
      newlyBroken: [...this.#broken].filter(([endpoint]) => !before.has(endpoint)).map(([, broken]) => broken),
      repaired: namesOf([...before.keys()].filter((endpoint) => !this.#broken.has(endpoint))),
      truncated: namesOf(unchecked.filter(isTruncated)),
      remaining,
    };
  }

  #store(endpoint: Endpoint, problems: readonly Problem[]): void {
    if (problems.length === 0) {
      this.#broken.delete(endpoint);
      this.#valid.add(endpoint);
    } else this.#broken.set(endpoint, createBrokenEndpoint(endpoint, problems));
  }

  /**
   * Returns the first problem of each query, without repeated messages. Returns undefined if the database is
   * unavailable.
   */
  async #problemsOf(endpoint: Endpoint, limits: LookUpLimits): Promise<readonly Problem[] | undefined> {
    const problems = new Map<string, Problem>();
    const rejected = new Set<EndpointQuery>();
    for (const { query, sql } of allTextsOf(endpoint).slice(0, MAX_LOOKED_UP_TEXTS)) {
      if (rejected.has(query)) continue;
      const description = await this.#describe(sql, limits);
      if (description instanceof EngineError) return undefined;
      const reason =
        description instanceof Error ? rejectionReason(description) : columnsReason(endpoint, query, description);
      if (reason === undefined) continue;
      rejected.add(query);
      if (problems.has(reason)) continue;
      const hint = nameHint(reason, query.tables, await limits.listColumns());
      problems.set(reason, query.problem(`the database cannot run this: ${reason}${hint}`, reason));
    }
    return [...problems.values()];
  }

  /** Returns the columns of the database, for suggestions in messages. If they cannot be read, messages have no suggestions. */
  async #listColumns({ until, signal }: Pick<LookUpLimits, 'until' | 'signal'>): Promise<TableColumns> {
    const { database, stopwatch } = this.#parts;
    const timeoutMs = Math.ceil(until - stopwatch());
    if (timeoutMs <= 0 || database.listColumns === undefined) return new Map();
    return database.listColumns({ timeoutMs, signal }).catch(() => new Map());
  }

  /** Looks up each SQL text only once, because several endpoints can have the same query, such as `data_as_of`. */
  #describe(sql: string, { until, signal, descriptions }: LookUpLimits): Promise<Description> {
    const { database, prepare, stopwatch } = this.#parts;
    const known = descriptions.get(sql);
    if (known !== undefined) return known;
    const describe = async () => {
      const timeoutMs = Math.ceil(until - stopwatch());
      if (timeoutMs <= 0 || database.describe === undefined) return TIME_IS_OVER;
      return database.describe(prepare(sql), { timeoutMs, signal });
    };
    const description = describe().catch((error: unknown) => {
      return error instanceof Error ? error : new Error(String(error));
    });
    descriptions.set(sql, description);
    return description;
  }
}

/** The columns, the error with which the database rejects the query, or an `EngineError` if it is unavailable. */
type Description = readonly DescribedColumn[] | Error;

interface LookUpLimits {
  /** The time limit of the look-up, as a value of the stopwatch. */
  readonly until: number;
  readonly signal: AbortSignal | undefined;
  readonly descriptions: Map<string, Promise<Description>>;
  /** Lists the columns of the database, once per look-up. */
  readonly listColumns: () => Promise<TableColumns>;
}

const CONCURRENCY = 4;
const TIME_IS_OVER = new EngineError('query_timeout', 'the look-up of queries reached its time limit');

function rememberResult<T>(work: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: work() };
    return result.value;
  };
}

function namesOf(endpoints: readonly Endpoint[]): string[] {
  return endpoints.map(({ definition }) => definition.name);
}

function allTextsOf(endpoint: Endpoint): { readonly query: EndpointQuery; readonly sql: string }[] {
  return queriesOf(endpoint).flatMap((query) => textsOf(query).map(({ sql }) => ({ query, sql })));
}

function columnsReason(
  { query: main, definition }: Endpoint,
  query: EndpointQuery,
  columns: readonly DescribedColumn[],
): string | undefined {
  if (query !== main) return undefined;
  return findColumnDifference(
    definition,
    columns.map(({ name }) => name),
  );
}
