import { randomBytes } from 'node:crypto';
import { Cursors } from '../cursors/cursors.js';
import type { BrokenEndpoint } from '../endpoint/broken-endpoint.js';
import type { Canary } from '../endpoint/canary.js';
import type { Endpoint, EndpointQuery } from '../endpoint/endpoint.js';
import type { DataVersions } from '../interface/data-versions.js';
import type { Database, ResultSet } from '../interface/database.js';
import { withDeadline } from '../interface/deadline.js';
import type { ParameterValues, RawParameters } from '../parameters/parameter-values.js';
import type { Answer, Plan } from './answer.js';
import { createCacheRules } from './cache-rule.js';
import { type ChoiceFailure, type ChoiceRefresh, ChoiceValues, MAX_CHOICES } from './choice-values.js';
import type { LookUpOptions, LookUpResult } from './prepare/look-up.js';
import type { Observe, QueryLoad } from './queries/events.js';
import { createQueryRunner, type QueryRunner, shareOf } from './queries/query-runner.js';
import { type AnswerReader, createAnswerReader, durationSince } from './read-answer.js';
import type { CacheRule, RequestIdentity } from './request-identity.js';
import { createRequestKey, type RequestKey } from './request-key.js';
import { createRequestMetadata } from './request-metadata.js';
import { createRequestRunner, type RequestRunner, type RunOptions } from './request-runner.js';
import { type Definitions, type EndpointTrial, ServedDefinitions } from './served-definitions.js';
import { type AnswerReceiver, createRowStreamer, type RowStreamer, type StreamedAnswer } from './stream-rows.js';

export interface EngineParts {
  readonly endpoints: readonly Endpoint[];
  /** Invalid definitions. Requests for them fail with `endpoint_broken`. */
  readonly broken?: readonly BrokenEndpoint[];
  readonly database: Database;
  /** Returns the time for `{{ now }}` and for the age of data. A fixed time replays old data. Default: system clock. */
  readonly clock?: () => Date;
  /** Returns milliseconds since any fixed moment, for durations. */
  readonly stopwatch: () => number;
  /** The age in milliseconds after which data are stale. If it is absent, no answer is stale because of its age. */
  readonly staleAfterMs?: number;
  /** The versions of the tables; absent if another program writes them. Then answers state no version. */
  readonly versions?: DataVersions;
  readonly observe?: Observe;
  /** The secret that encrypts cursors. Processes with the same secret accept each other's cursors. Default: a random one. */
  readonly cursorSecret?: Buffer;
}

/** Runs endpoints on one database. Its promises reject only with `EngineError`. */
export interface Engine {
  /**
   * The valid definitions; the database may be unable to run some of them. A reload replaces the list: code that keeps
   * something derived from it must compare `generation`.
   */
  readonly endpoints: readonly Endpoint[];
  /** Grows with each `replace`, and when the allowed values of a parameter change. */
  readonly generation: number;
  /** The queries that wait and run now. */
  readonly load: QueryLoad;
  /** Returns the endpoints that cannot be served: invalid definitions, and endpoints whose SQL the database rejects. */
  broken(): readonly BrokenEndpoint[];
  /** Looks up the tables, columns and functions of queries in the database, so that errors are found before the first request. */
  lookUp(options: LookUpOptions, endpoints?: readonly Endpoint[]): Promise<LookUpResult>;
  /** Returns the endpoint with a name. Throws `endpoint_not_found`, or `endpoint_broken` for an invalid definition. */
  endpoint(name: string): Endpoint;
  /** Whether requests for the name of an endpoint get this version of it. */
  serves(endpoint: Endpoint): boolean;
  /**
   * Returns the version of an endpoint that answers a request: usually the endpoint itself, and its candidate for a share of
   * the targets.
   */
  select(endpoint: Endpoint, raw: RawParameters, target: string): Endpoint;
  /** Returns the canary with this candidate; undefined for other endpoints. */
  canaryOf(candidate: Endpoint): Canary | undefined;
  /** Prepares and looks up endpoints that are not served yet. */
  tryOut(endpoints: readonly Endpoint[], options: LookUpOptions): Promise<EndpointTrial>;
  /**
   * Runs the queries for the allowed values of parameters. Returns those that failed: the last values stay in use. Without a
   * first success, every value is accepted.
   */
  refreshChoices(refresh?: ChoiceRefresh, endpoints?: readonly Endpoint[]): Promise<readonly ChoiceFailure[]>;
  /** Serves these definitions from now on. Requests in progress end with the definition with which they began. */
  replace(definitions: Definitions): void;
  /** Answers a request. Rejects with an `EngineError`. */
  run(endpoint: Endpoint, raw: RawParameters, options?: RunOptions): Promise<Answer>;
  /**
   * Answers a request for an endpoint with `stream`: passes its rows on in batches. The deadline of the request includes the time
   * that the receiver needs. Rejects with an `EngineError`; then the rows that were passed on are not the whole answer.
   */
  stream(
    endpoint: Endpoint,
    raw: RawParameters,
    receiver: AnswerReceiver,
    options?: RunOptions,
  ): Promise<StreamedAnswer>;
  /** Returns the query plan of a request. The query does not run. */
  explain(endpoint: Endpoint, raw: RawParameters, options?: RunOptions): Promise<Plan>;
  /** Returns what the answer to a request depends on. No query runs. Throws `bad_parameter`. */
  identify(endpoint: Endpoint, raw: RawParameters): RequestIdentity;
  /** Whether and how long the answers of an endpoint can be stored. */
  cacheRule(endpoint: Endpoint): CacheRule;
  /** Reports an answer that was sent without a query to the observer, so that it counts like other answers. */
  reportStored(endpoint: Endpoint, parameters: ParameterValues): void;
}

/** Prepares all queries for the database. Endpoints with a query that the database cannot express are broken; the others work. */
export function createEngine(parts: EngineParts): Engine {
  return new DatabaseEngine(parts);
}

const MAX_PLAN_ROWS = 1000;

class DatabaseEngine implements Engine {
  readonly #parts: EngineParts;
  readonly #observe: Observe;
  readonly #served: ServedDefinitions;
  readonly #queries: QueryRunner;
  readonly #request: RequestRunner;
  readonly #readAnswer: AnswerReader;
  readonly #streamRows: RowStreamer;
  readonly #requestKey: RequestKey;
  readonly #choices: ChoiceValues;
  readonly #cursors: Cursors;
  readonly #cacheRule: (endpoint: Endpoint) => CacheRule;

  constructor(parts: EngineParts) {
    const { endpoints, broken = [], database, stopwatch, staleAfterMs, clock, versions, observe = () => {} } = parts;
    const queries = createQueryRunner({ concurrency: shareOf(database), observe });
    const cursors = new Cursors(parts.cursorSecret ?? randomBytes(32));
    const served = new ServedDefinitions({ endpoints, broken }, { database, stopwatch, observe, cursors });
    const prepare = (sql: string) => served.prepare(sql);
    this.#parts = parts;
    this.#observe = observe;
    this.#served = served;
    this.#queries = queries;
    const brokenOf = (endpoint: Endpoint) => served.brokenOf(endpoint);
    this.#request = createRequestRunner({ clock: clock ?? systemClock, stopwatch, observe, brokenOf });
    this.#cursors = cursors;
    const facts = { database: database.name, staleAfterMs, cursors: cursors.fingerprint };
    const requestKey = createRequestKey({ ...facts, isSystemClock: clock === undefined });
    const shared = { database, stopwatch, staleAfterMs, versions, observe, cursors };
    const answerParts = { ...shared, runQuery: queries.run, prepare, requestKey };
    const metadata = createRequestMetadata(answerParts);
    this.#readAnswer = createAnswerReader(answerParts, metadata);
    this.#streamRows = createRowStreamer(answerParts, metadata);
    this.#requestKey = requestKey;
    this.#choices = new ChoiceValues({
      stopwatch,
      run: (endpoint, { query }) => this.#runChoices(endpoint, query),
      // The descriptions of the definitions contain some of the values.
      onChange: () => {
        served.generation += 1;
      },
    });
    this.#cacheRule = createCacheRules(versions);
  }

  get endpoints(): readonly Endpoint[] {
    return this.#served.endpoints;
  }

  get load(): QueryLoad {
    return this.#queries.load;
  }

  get generation(): number {
    return this.#served.generation;
  }

  endpoint(name: string): Endpoint {
    return this.#served.endpoint(name);
  }

  serves(endpoint: Endpoint): boolean {
    return this.#served.serves(endpoint);
  }

  select(endpoint: Endpoint, raw: RawParameters, target: string): Endpoint {
    return this.#served.select(endpoint, raw, target);
  }

  canaryOf(candidate: Endpoint): Canary | undefined {
    return this.#served.canaryOf(candidate);
  }

  broken(): readonly BrokenEndpoint[] {
    return this.#served.broken();
  }

  lookUp(options: LookUpOptions, endpoints?: readonly Endpoint[]): Promise<LookUpResult> {
    return this.#served.lookUp(options, endpoints);
  }

  tryOut(endpoints: readonly Endpoint[], options: LookUpOptions): Promise<EndpointTrial> {
    return this.#served.tryOut(endpoints, options);
  }

  replace(definitions: Definitions): void {
    this.#served.replace(definitions);
    this.#choices.keep(this.#served.all);
  }

  refreshChoices(
    refresh: ChoiceRefresh = {},
    endpoints: readonly Endpoint[] = this.#served.all,
  ): Promise<readonly ChoiceFailure[]> {
    return this.#choices.refresh(endpoints, refresh);
  }

  run(endpoint: Endpoint, raw: RawParameters, options: RunOptions = {}): Promise<Answer> {
    return this.#request(endpoint, options, async (times) => {
      const answer = await this.#readAnswer(endpoint, this.#cursors.readRequest(endpoint, raw), times);
      const { parameters, rows, truncated, ms } = answer;
      const facts = { endpoint: endpoint.definition.name, parameters, rows: rows.length, truncated, ms };
      if (!options.isBackground) this.#observe({ kind: 'answered', ...facts, isStored: false });
      return answer;
    });
  }

  stream(
    endpoint: Endpoint,
    raw: RawParameters,
    receiver: AnswerReceiver,
    options: RunOptions = {},
  ): Promise<StreamedAnswer> {
    return this.#request(endpoint, options, async (times) => {
      const answer = await this.#streamRows(endpoint, endpoint.readParameters(raw), times, receiver);
      const { parameters, rowCount: rows, truncated, ms } = answer;
      const facts = { endpoint: endpoint.definition.name, parameters, rows, truncated, ms };
      this.#observe({ kind: 'answered', ...facts, isStored: false });
      return answer;
    });
  }

  explain(endpoint: Endpoint, raw: RawParameters, options: RunOptions = {}): Promise<Plan> {
    return this.#request(endpoint, options, async ({ startedAt, started, deadline }) => {
      const { database } = this.#parts;
      const { parameters, after } = this.#cursors.readRequest(endpoint, raw);
      const { sql, values } = endpoint.query.compile(parameters, startedAt, after);
      const { columns, rows } = await this.#queries.run(endpoint.definition, deadline, () =>
        database.explain(this.#served.prepare(sql), values, { maxRows: MAX_PLAN_ROWS, deadline }),
      );
      const duration = durationSince(startedAt, started, this.#parts.stopwatch);
      return { endpoint, parameters, sql, database: database.name, columns, rows, ...duration };
    });
  }

  identify(endpoint: Endpoint, raw: RawParameters): RequestIdentity {
    const { clock = systemClock } = this.#parts;
    const { parameters } = this.#cursors.readRequest(endpoint, raw);
    return { parameters, ...this.#requestKey(endpoint, parameters, clock()) };
  }

  cacheRule(endpoint: Endpoint): CacheRule {
    return this.#cacheRule(endpoint);
  }

  reportStored(endpoint: Endpoint, parameters: ParameterValues): void {
    const { name } = endpoint.definition;
    this.#observe({ kind: 'answered', endpoint: name, parameters, rows: 0, truncated: false, ms: 0, isStored: true });
  }

  async #runChoices({ definition }: Endpoint, query: EndpointQuery): Promise<ResultSet> {
    const { clock = systemClock, database } = this.#parts;
    const { sql, values } = query.compile({}, clock());
    return withDeadline({ timeoutMs: definition.limits.timeoutMs }, (deadline) =>
      this.#queries.run(definition, deadline, () =>
        database.query(this.#served.prepare(sql), values, { maxRows: MAX_CHOICES, deadline }),
      ),
    );
  }
}

const systemClock = () => new Date();
