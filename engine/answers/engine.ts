import type { DataVersions } from '../databases/interface/data-versions.js';
import type { Database } from '../databases/interface/database.js';
import type { BrokenEndpoint } from '../definitions/endpoint/broken-endpoint.js';
import type { Canary } from '../definitions/endpoint/canary.js';
import type { CacheRule, Endpoint } from '../definitions/endpoint/endpoint.js';
import type { ParameterValues, RawParameters } from '../definitions/parameters/parameter-values.js';
import type { Answer, Plan } from './answer.js';
import type { ChoiceFailure, ChoiceRefresh } from './choice-values.js';
import type { LookUpOptions, LookUpResult } from './prepare/look-up.js';
import type { Observe, QueryLoad } from './queries/events.js';
import type { RequestIdentity } from './read-answer.js';
import type { RunOptions } from './request-runner.js';
import type { Definitions, EndpointTrial } from './served-definitions.js';
import type { AnswerReceiver, StreamedAnswer } from './stream-rows.js';

export interface EngineParts {
  readonly endpoints: readonly Endpoint[];
  /** Invalid definitions. Requests for them fail with `endpoint_broken`. */
  readonly broken?: readonly BrokenEndpoint[];
  readonly database: Database;
  /** Returns the time for `{{ now }}` and for the age of data. Use a fixed time to replay old data. Default: system clock. */
  readonly clock?: () => Date;
  /** The system clock, which is used if `clock` is absent. Tests pass a clock that they advance. */
  readonly systemClock?: () => Date;
  /** Returns milliseconds since any fixed moment, for durations. */
  readonly stopwatch: () => number;
  /** The age in milliseconds after which data are stale. If it is absent, no answer is stale because of its age. */
  readonly staleAfterMs?: number;
  /** The timeout of a query for notices, freshness or totals. Default: two seconds, so that such a query delays no answer for long. */
  readonly metadataTimeoutMs?: number | undefined;
  /** The versions of the tables; absent if another program writes the tables. Without versions, answers state no version. */
  readonly versions?: DataVersions;
  readonly observe?: Observe;
  /** The secret that encrypts cursors. Processes with the same secret accept each other's cursors. Default: a random one. */
  readonly cursorSecret?: Buffer;
}

/** An answer that the engine computed, with its request. */
export interface ComputedAnswer {
  readonly answer: Answer;
  readonly raw: RawParameters;
  /** The canary whose candidate answered; undefined for other endpoints. */
  readonly canary: Canary | undefined;
}

/** Runs endpoints on one database. Its promises reject only with `EngineError`. */
export interface Engine {
  /**
   * The valid definitions, including those whose SQL the database rejects. A reload replaces the list: code that caches
   * a value derived from the list must compare `generation`.
   */
  readonly endpoints: readonly Endpoint[];
  /** A counter that increases with each `replace`, and when the allowed values of a parameter change. */
  readonly generation: number;
  /** The numbers of queries that wait and run now. */
  readonly load: QueryLoad;
  /** Returns the endpoints that cannot be served: invalid definitions, and endpoints whose SQL the database rejects. */
  broken(): readonly BrokenEndpoint[];
  /** Looks up the tables, columns and functions of queries in the database, so that errors are found before the first request. */
  lookUp(options: LookUpOptions, endpoints?: readonly Endpoint[]): Promise<LookUpResult>;
  /** Returns the endpoint with a name. Throws `endpoint_not_found`, or `endpoint_broken` for an invalid definition. */
  endpoint(name: string): Endpoint;
  /** Whether this version of an endpoint answers requests for its name. */
  serves(endpoint: Endpoint): boolean;
  /**
   * Returns the version of an endpoint that answers a request: its canary candidate for a share of the targets,
   * otherwise the endpoint itself. For an endpoint that is not public, call it again when the caller is known.
   */
  select(endpoint: Endpoint, raw: RawParameters, target: string): Endpoint;
  /** Whether this version of an endpoint is part of a canary, so that `select` can return different versions for a target. */
  hasCanary(endpoint: Endpoint): boolean;
  /** Prepares and looks up endpoints that are not served yet. */
  tryOut(endpoints: readonly Endpoint[], options: LookUpOptions): Promise<EndpointTrial>;
  /**
   * Runs the queries for the allowed values of parameters. Returns the queries that failed: the previous values stay in
   * use. Until a query has succeeded once, every value is accepted.
   */
  refreshChoices(refresh?: ChoiceRefresh, endpoints?: readonly Endpoint[]): Promise<readonly ChoiceFailure[]>;
  /** Serves these definitions from now on. A request in progress keeps the definition with which it started. */
  replace(definitions: Definitions): void;
  /**
   * Answers a request. If the query of a candidate fails, the stable version answers, and the observer gets `candidate_failed`.
   * Rejects with an `EngineError`.
   */
  run(endpoint: Endpoint, raw: RawParameters, options?: RunOptions): Promise<Answer>;
  /**
   * Answers a request for an endpoint with `stream`: passes the rows to the receiver in batches. The deadline of the request includes the
   * time that the receiver needs. Rejects with an `EngineError`; the receiver has then got only a part of the rows.
   */
  stream(
    endpoint: Endpoint,
    raw: RawParameters,
    receiver: AnswerReceiver,
    options?: RunOptions,
  ): Promise<StreamedAnswer>;
  /**
   * Calls `listener` with each answer that `run` computes from now on, except answers for a comparison. `listener` is
   * not called for streamed answers, because their rows are not kept.
   */
  onAnswer(listener: (computed: ComputedAnswer) => void): void;
  /** Returns the query plan of a request. The query does not run. */
  explain(endpoint: Endpoint, raw: RawParameters, options?: RunOptions): Promise<Plan>;
  /** Returns the typed parameters and the cache key of a request. No query runs. Throws `bad_parameter`. */
  identify(endpoint: Endpoint, raw: RawParameters): RequestIdentity;
  /** Whether and how long the answers of an endpoint can be stored. */
  cacheRule(endpoint: Endpoint): CacheRule;
  /** Reports to the observer that a stored answer was sent without a query, so that metrics count it like other answers. */
  reportStored(endpoint: Endpoint, parameters: ParameterValues): void;
}
