import type { IncomingMessage } from 'node:http';
import { createEngine as createDatabaseEngine } from '../answers/database-engine.js';
import type { Engine } from '../answers/engine.js';
import { requireEffectiveFilters } from '../databases/catalogue.js';
import { NO_VERSIONS } from '../databases/interface/data-versions.js';
import type { Database } from '../databases/interface/database.js';
import type { ParameterValue } from '../definitions/definition.js';
import type { Environment } from '../definitions/definition-scope.js';
import { DEFAULT_PREFIXES } from '../definitions/definition-shape.js';
import type { Endpoint } from '../definitions/endpoint/endpoint.js';
import { DefinitionLoader } from '../definitions/load/definition-loader.js';
import { rawFromValues } from '../definitions/parameters/parameter-values.js';
import type { ClaimDefinitions, Principal } from '../definitions/principal.js';
import { DefinitionsError } from '../definitions/problem.js';
import { type Authentication, NO_AUTHENTICATION } from '../http/access/authentication.js';
import { createAnswerCache, type RunningAnswerCache } from '../http/cache/serving/request-cache.js';
import { answerDefinitions, type DefinitionListener } from '../http/definitions/answer-definitions.js';
import { createDefinitionFinder } from '../http/definitions/definition-routes.js';
import { type NamedQueryEnvelope, toQueryEnvelope } from '../http/envelopes/query-envelope.js';
import { writeFailure } from '../http/problems/error-answers.js';
import { HttpProblem } from '../http/problems/http-problem.js';
import { recordOf } from '../http/request-record.js';
import { pathOf } from '../http/requests/read-request.js';
import { openDatabase } from './open-database.js';

export interface EmbeddedEngineOptions {
  /** The URL of a database, see `openDatabase`; or an open database, which the caller closes. The engine only reads it. */
  readonly database: string | Database;
  /** The folder of the definition files, or several. A definition of a later folder can override one of an earlier folder. */
  readonly definitions: string | readonly string[];
  /** The beginnings of the paths of endpoints. Default: `/v1`. */
  readonly prefixes?: readonly string[];
  /** The variables that `{{ env.NAME }}` may bind in definitions. Default: none. */
  readonly environment?: Environment;
  /** Who can read definitions without `access`. Default: any caller. */
  readonly access?: readonly string[];
  /** The claims that `{{ caller.claims.NAME }}` may bind. Default: none. */
  readonly claims?: ClaimDefinitions;
  /** The conditions (SQL) on the rows of tables, by table. Default: none. */
  readonly rowFilters?: ReadonlyMap<string, string>;
  /**
   * Returns the caller of a request for a definition that is not public; undefined if the request has no credential. A rejection with an
   * `HttpProblem` is the answer. Default: no request has a caller.
   */
  readonly authenticate?: (request: IncomingMessage) => Principal | undefined | Promise<Principal | undefined>;
  /** The memory for stored answers of definitions with `cache.ttl`, in bytes. Default: 32 MB; 0 stores none. */
  readonly cacheBytes?: number;
  /** The time for `{{ now }}` and the age of data. Default: the system clock. */
  readonly clock?: () => Date;
  /** Receives errors that no caller gets. Default: they are written to standard error. */
  readonly onError?: (error: unknown) => void;
}

export interface RunOptions {
  readonly caller?: Principal;
  readonly signal?: AbortSignal;
}

/** An engine within another program. */
export interface EmbeddedEngine {
  /** The endpoints in the order of their files. */
  readonly endpoints: readonly Endpoint[];
  /**
   * Runs the query of an endpoint now, and returns what `/q/{name}` answers. Parameters that are absent have their defaults. Rejects with an
   * `EngineError`, for example with the code `bad_parameter` or `endpoint_not_found`. A definition that is not public needs a `caller`.
   */
  run(
    name: string,
    parameters?: Readonly<Record<string, ParameterValue>>,
    options?: RunOptions,
  ): Promise<NamedQueryEnvelope>;
  /**
   * Returns the handler of the paths of all endpoints and of `/q/{name}`, for `node:http` and express. It calls `next` for other paths;
   * without `next`, they get 404. The handler compresses stored answers only, and has no rate limits.
   */
  handler(): DefinitionListener;
  /** Ends the background work, and closes the database if the engine has opened it. */
  close(): Promise<void>;
}

/**
 * Opens an engine: reads the definitions, and checks their queries in the database. Rejects with a `DefinitionsError` that lists all problems
 * if a definition is wrong, and with the error of the database if it cannot be opened.
 */
export async function createEngine(options: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
  const { definitions, prefixes = DEFAULT_PREFIXES, environment, access, claims, rowFilters } = options;
  const scope = { prefixes, environment, access, claims, rowFilters };
  const loaded = await new DefinitionLoader([definitions].flat(), scope).load();
  if (loaded.problems.length > 0) throw new DefinitionsError(loaded.problems);
  const { database, close } = await open(options.database);
  try {
    await requireEffectiveFilters(database, rowFilters);
    const clock = options.clock ?? (() => new Date());
    const engine = createDatabaseEngine({
      endpoints: loaded.endpoints,
      database,
      clock,
      stopwatch,
      versions: NO_VERSIONS,
    });
    await engine.lookUp({ withinMs: CHECK_MS });
    const broken = engine.broken();
    if (broken.length > 0) throw new DefinitionsError(broken.flatMap(({ problems }) => problems));
    const { cacheBytes: memoryBytes = DEFAULT_CACHE_BYTES } = options;
    const cache = createAnswerCache({ engine, versions: NO_VERSIONS, memoryBytes, clock, now: Date.now });
    const { onError: report = writeError } = options;
    const opened = { engine, cache, clock, prefixes, report, authentication: authenticationOf(options) };
    return new OpenEngine(opened, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the database of a URL. An open database is not closed, because the caller does that. */
async function open(given: string | Database): Promise<{ readonly database: Database; close(): Promise<void> }> {
  if (typeof given !== 'string') return { database: given, close: async () => undefined };
  const database = await openDatabase(given);
  return { database, close: () => database.close() };
}

function authenticationOf({ authenticate }: EmbeddedEngineOptions): Authentication {
  if (authenticate === undefined) return NO_AUTHENTICATION;
  return {
    ...NO_AUTHENTICATION,
    authenticate: async (request) => {
      const principal = await authenticate(request);
      return principal && { principal };
    },
  };
}

const CHECK_MS = 30_000;
const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024;
const stopwatch = () => performance.now();

function writeError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}

interface OpenParts {
  readonly engine: Engine;
  readonly cache: RunningAnswerCache;
  readonly clock: () => Date;
  readonly prefixes: readonly string[];
  readonly report: (error: unknown) => void;
  readonly authentication: Authentication;
}

class OpenEngine implements EmbeddedEngine {
  readonly #parts: OpenParts;
  readonly #closeDatabase: () => Promise<void>;
  readonly #refreshing: NodeJS.Timeout;

  constructor(parts: OpenParts, closeDatabase: () => Promise<void>) {
    this.#parts = parts;
    this.#closeDatabase = closeDatabase;
    this.#refreshing = setInterval(() => void refreshChoices(parts), CHOICES_MS).unref();
    void refreshChoices(parts);
  }

  get endpoints(): readonly Endpoint[] {
    return this.#parts.engine.endpoints;
  }

  async run(
    name: string,
    parameters: Readonly<Record<string, ParameterValue>> = {},
    { caller, ...options }: RunOptions = {},
  ): Promise<NamedQueryEnvelope> {
    const { engine } = this.#parts;
    const endpoint = engine.endpoint(name);
    const raw = { ...rawFromValues(endpoint.parameters, parameters), caller };
    return toQueryEnvelope(await engine.run(endpoint, raw, options));
  }

  handler(): DefinitionListener {
    const { engine, cache, clock, prefixes, report, authentication } = this.#parts;
    const findDefinition = createDefinitionFinder(engine, [], prefixes);
    return answerDefinitions({
      ...{ engine, cache, clock, prefixes, report, authentication, findDefinition },
      limits: { limits: [], onLimited: () => undefined },
      commonHeaders: [],
      addressOf: ({ socket }) => socket.remoteAddress,
      compress: () => undefined,
      requests: { begin: (_, response) => recordOf(response), sent: () => undefined },
      others: (request, response, next) => {
        const path = pathOf(request.url ?? '');
        if (request.method === 'OPTIONS' && findDefinition(path) !== undefined) {
          response.writeHead(204, { Allow: 'GET, HEAD, OPTIONS' }).end();
        } else if (next !== undefined) next();
        else writeFailure(response, new HttpProblem('route_not_found', `There is nothing at ${path}.`), false, clock());
      },
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#refreshing);
    await this.#parts.cache.close();
    await this.#closeDatabase();
  }
}

const CHOICES_MS = 5_000;

/** Reads the allowed values of parameters whose interval has passed. Until a read has succeeded, every value is accepted. */
async function refreshChoices({ engine, report }: OpenParts): Promise<void> {
  const failures = await engine.refreshChoices().catch((error: unknown) => [{ cause: error }]);
  for (const { cause } of failures) report(cause);
}
