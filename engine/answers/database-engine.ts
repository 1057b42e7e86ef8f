import { randomBytes } from 'node:crypto';
import type { ResultSet } from '../databases/interface/database.js';
import { withDeadline } from '../databases/interface/deadline.js';
import { EngineError } from '../databases/interface/errors.js';
import type { BrokenEndpoint } from '../definitions/endpoint/broken-endpoint.js';
import { Cursors } from '../definitions/endpoint/cursors.js';
import {
  type CacheRule,
  createCacheRules,
  type Endpoint,
  type EndpointQuery,
} from '../definitions/endpoint/endpoint.js';
import type { ParameterValues, RawParameters } from '../definitions/parameters/parameter-values.js';
import type { Answer, Plan } from './answer.js';
import { type ChoiceFailure, type ChoiceRefresh, ChoiceValues, MAX_CHOICES } from './choice-values.js';
import type { ComputedAnswer, Engine, EngineParts } from './engine.js';
import type { LookUpOptions, LookUpResult } from './prepare/look-up.js';
import type { Observe, QueryLoad } from './queries/events.js';
import { createQueryRunner, type QueryRunner, shareOf } from './queries/query-runner.js';
import { StalledStreams } from './queries/stalled-streams.js';
import {
  type AnswerReader,
  createAnswerReader,
  createRequestKey,
  durationSince,
  type RequestIdentity,
  type RequestKey,
} from './read-answer.js';
import { createRequestMetadata } from './request-metadata.js';
import { createRequestRunner, type RequestRunner, type RunOptions } from './request-runner.js';
import { type Definitions, type EndpointTrial, ServedDefinitions } from './served-definitions.js';
import { type AnswerReceiver, createRowStreamer, type RowStreamer, type StreamedAnswer } from './stream-rows.js';

/** Prepares all queries for the database. Only endpoints whose query cannot be translated for the database are broken. */
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
  readonly #clock: () => Date;
  readonly #cacheRule: (endpoint: Endpoint) => CacheRule;
  readonly #listeners: ((computed: ComputedAnswer) => void)[] = [];

  constructor(parts: EngineParts) {
    const { endpoints, broken = [], database, stopwatch, staleAfterMs, clock, versions, observe = () => {} } = parts;
    const queries = createQueryRunner({ concurrency: shareOf(database), observe });
    const cursors = new Cursors(parts.cursorSecret ?? randomBytes(32));
    const served = new ServedDefinitions({ endpoints, broken }, { database, stopwatch, observe, cursors });
    const prepare = (sql: string) => served.prepare(sql);
    this.#parts = parts;
    this.#clock = clock ?? parts.systemClock ?? (() => new Date());
    this.#observe = observe;
    this.#served = served;
    this.#queries = queries;
    const brokenOf = (endpoint: Endpoint) => served.brokenOf(endpoint);
    this.#request = createRequestRunner({ clock: this.#clock, stopwatch, observe, brokenOf });
    this.#cursors = cursors;
    const facts = { database: database.name, staleAfterMs, cursors: cursors.fingerprint };
    const requestKey = createRequestKey({ ...facts, isSystemClock: clock === undefined });
    const shared = { database, stopwatch, staleAfterMs, versions, observe, cursors };
    const answerParts = { ...shared, runQuery: queries.run, prepare, requestKey };
    const metadata = createRequestMetadata({ ...answerParts, metadataTimeoutMs: parts.metadataTimeoutMs });
    this.#readAnswer = createAnswerReader(answerParts, metadata);
    const streams = new StalledStreams({
      ofDefinition: (definition) => queries.waiting(definition),
      forConnection: () => database.pool?.waiting ?? 0,
    });
    this.#streamRows = createRowStreamer(answerParts, metadata, streams);
    this.#requestKey = requestKey;
    this.#choices = new ChoiceValues({
      stopwatch,
      run: (endpoint, { query }) => this.#runChoices(endpoint, query),
      // The API description contains some of the allowed values, so it must be created again.
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

  hasCanary(endpoint: Endpoint): boolean {
    return this.#served.hasCanary(endpoint);
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

  async run(endpoint: Endpoint, raw: RawParameters, options: RunOptions = {}): Promise<Answer> {
    if (options.purpose === 'comparison') return this.#run(endpoint, raw, options);
    let canary = this.#served.canaryOf(endpoint);
    const answer = await this.#run(endpoint, raw, options).catch((error: unknown) => {
      if (canary === undefined || !(error instanceof EngineError) || error.code !== 'query_failed') throw error;
      const { stable } = canary;
      this.#observe({ kind: 'candidate_failed', canary, cause: error.cause });
      canary = undefined;
      return this.#run(stable, raw, options);
    });
    for (const listener of this.#listeners) listener({ answer, raw, canary });
    return answer;
  }

  onAnswer(listener: (computed: ComputedAnswer) => void): void {
    this.#listeners.push(listener);
  }

  #run(endpoint: Endpoint, raw: RawParameters, options: RunOptions): Promise<Answer> {
    return this.#request(endpoint, options, async (times) => {
      const answer = await this.#readAnswer(endpoint, this.#cursors.readRequest(endpoint, raw), times);
      const { parameters, rows, truncated, ms } = answer;
      const facts = { endpoint: endpoint.definition.name, parameters, rows: rows.length, truncated, ms };
      if (options.purpose === undefined) this.#observe({ kind: 'answered', ...facts, isStored: false });
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
    const { parameters } = this.#cursors.readRequest(endpoint, raw);
    return { parameters, ...this.#requestKey(endpoint, parameters, this.#clock()) };
  }

  cacheRule(endpoint: Endpoint): CacheRule {
    return this.#cacheRule(endpoint);
  }

  reportStored(endpoint: Endpoint, parameters: ParameterValues): void {
    const { name } = endpoint.definition;
    this.#observe({ kind: 'answered', endpoint: name, parameters, rows: 0, truncated: false, ms: 0, isStored: true });
  }

  async #runChoices({ definition }: Endpoint, query: EndpointQuery): Promise<ResultSet> {
    const { sql, values } = query.compile({}, this.#clock());
    return withDeadline({ timeoutMs: definition.limits.timeoutMs }, (deadline) =>
      this.#queries.run(definition, deadline, () =>
        this.#parts.database.query(this.#served.prepare(sql), values, { maxRows: MAX_CHOICES, deadline }),
      ),
    );
  }
}
