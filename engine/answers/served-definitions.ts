import type { Database, PreparedQuery } from '../databases/interface/database.js';
import { hasAccess } from '../definitions/access/require-access.js';
import { type BrokenEndpoint, brokenEndpointError } from '../definitions/endpoint/broken-endpoint.js';
import { type Canary, isChosen } from '../definitions/endpoint/canary.js';
import type { Cursors } from '../definitions/endpoint/cursors.js';
import type { Endpoint } from '../definitions/endpoint/endpoint.js';
import { unknownEndpointError } from '../definitions/endpoint/unknown-endpoint.js';
import type { RawParameters } from '../definitions/parameters/parameter-values.js';
import { type LookUpOptions, type LookUpResult, QueryLookUp } from './prepare/look-up.js';
import { type PreparedQueries, prepareEndpoints } from './prepare/prepared-queries.js';
import type { Observe } from './queries/events.js';

/** The definitions of one load. */
export interface Definitions {
  readonly endpoints: readonly Endpoint[];
  /** Invalid definitions. Requests for them fail with `endpoint_broken`. */
  readonly broken: readonly BrokenEndpoint[];
  /** Changed versions of `endpoints` that answer a share of the requests. Default: none. */
  readonly canaries?: readonly Canary[];
}

/** The result of checking new endpoints in the database. */
export interface EndpointTrial {
  /** The endpoints whose queries the database cannot run. */
  readonly broken: ReadonlyMap<Endpoint, BrokenEndpoint>;
  /** The endpoints whose queries could not be looked up, because the database is unavailable or too slow. */
  readonly unchecked: ReadonlySet<Endpoint>;
}

export interface ServedParts {
  readonly database: Database;
  readonly stopwatch: () => number;
  readonly observe: Observe;
  readonly cursors: Cursors;
}

/** The definitions that an engine serves, prepared for its database. `replace` changes all of them at once. */
export class ServedDefinitions {
  readonly #database: Database;
  readonly #observe: Observe;
  readonly #stopwatch: () => number;
  readonly #lookUp: QueryLookUp;
  readonly #cursors: Cursors;
  #definitions: Definitions;
  #byName: ReadonlyMap<string, Endpoint>;
  /** The canaries by their stable version. */
  #canaries: ReadonlyMap<Endpoint, Canary> = new Map();
  #prepared: PreparedQueries;
  generation = 0;

  constructor(definitions: Definitions, { database, stopwatch, observe, cursors }: ServedParts) {
    this.#database = database;
    this.#observe = observe;
    this.#cursors = cursors;
    this.#stopwatch = stopwatch;
    this.#definitions = definitions;
    this.#byName = byNameOf(definitions);
    this.#prepared = prepareEndpoints(definitions.endpoints, database);
    this.#lookUp = new QueryLookUp({ database, prepare: (sql) => this.prepare(sql), stopwatch });
  }

  get endpoints(): readonly Endpoint[] {
    return this.#definitions.endpoints;
  }

  /** The endpoints and the candidates of canaries. */
  get all(): readonly Endpoint[] {
    return [...this.endpoints, ...[...this.#canaries.values()].map(({ candidate }) => candidate)];
  }

  /** Returns the endpoint with a name. Throws `endpoint_not_found`, or `endpoint_broken` for an invalid definition. */
  endpoint(name: string): Endpoint {
    const endpoint = this.#byName.get(name);
    if (endpoint !== undefined) return endpoint;
    const broken = this.#definitions.broken.find((one) => one.name === name);
    if (broken !== undefined) throw brokenEndpointError(broken);
    throw unknownEndpointError(name, this.endpoints);
  }

  serves(endpoint: Endpoint): boolean {
    const stable = this.#byName.get(endpoint.definition.name);
    return stable === endpoint || (stable !== undefined && this.#canaries.get(stable)?.candidate === endpoint);
  }

  /** Returns the version that answers a request: for a share of the targets the canary candidate, otherwise the endpoint itself. */
  select(endpoint: Endpoint, raw: RawParameters, target: string): Endpoint {
    const canary = this.#canaries.get(endpoint);
    if (canary === undefined) return endpoint;
    const { candidate } = canary;
    if (endpoint.definition.access !== undefined) {
      // A canary gives no access. Without the caller, it is unknown which version accepts the request.
      const isOpen = candidate.definition.access === undefined;
      if (raw.caller === undefined || isOpen || !hasAccess(endpoint.definition, raw.caller)) return endpoint;
    }
    // The version that created a cursor also returns the next page.
    if (raw.query.cursor !== undefined) return this.#accepts(candidate, raw) ? candidate : endpoint;
    if (!isChosen(target, canary.percent)) return endpoint;
    if (this.#accepts(candidate, raw) || !this.#accepts(endpoint, raw)) return candidate;
    this.#observe({ kind: 'candidate_rejected', canary });
    return endpoint;
  }

  /** Whether an endpoint is the stable version or the candidate of a canary. */
  hasCanary(endpoint: Endpoint): boolean {
    return endpoint.isCandidate || this.#canaries.has(endpoint);
  }

  /** Returns the canary to which this candidate belongs. */
  canaryOf(candidate: Endpoint): Canary | undefined {
    const stable = candidate.isCandidate ? this.#byName.get(candidate.definition.name) : undefined;
    const canary = stable && this.#canaries.get(stable);
    return canary?.candidate === candidate ? canary : undefined;
  }

  /** Returns invalid definitions, and endpoints that the database cannot run. */
  broken(): readonly BrokenEndpoint[] {
    const all = [...this.#definitions.broken, ...this.#prepared.broken.values(), ...this.#lookUp.broken.values()];
    return all.sort((one, other) => (one.file < other.file ? -1 : 1));
  }

  brokenOf(endpoint: Endpoint): BrokenEndpoint | undefined {
    return this.#prepared.broken.get(endpoint) ?? this.#lookUp.broken.get(endpoint);
  }

  prepare(sql: string): PreparedQuery {
    return this.#prepared.texts.memo(sql);
  }

  lookUp(options: LookUpOptions, endpoints = this.endpoints): Promise<LookUpResult> {
    return this.#lookUp.run(this.#translatable(endpoints), options);
  }

  /**
   * Prepares and looks up endpoints that are not served yet. The table of a new materialized definition does not exist yet, so the query of
   * its rows is looked up instead.
   */
  async tryOut(all: readonly Endpoint[], options: LookUpOptions): Promise<EndpointTrial> {
    const served = new Map(all.map((endpoint) => [endpoint.rollup?.computing ?? endpoint, endpoint]));
    const endpoints = [...served.keys()];
    const prepared = prepareEndpoints(endpoints, this.#database, this.#prepared.texts);
    const translatable = endpoints.filter((endpoint) => !prepared.broken.has(endpoint));
    const prepare = (sql: string) => prepared.texts.memo(sql);
    const lookUp = new QueryLookUp({ database: this.#database, prepare, stopwatch: this.#stopwatch });
    const { remaining } = await lookUp.run(translatable, options);
    const unchecked = remaining === 0 ? [] : translatable.filter((endpoint) => !lookUp.isChecked(endpoint));
    const servedAs = (endpoint: Endpoint) => served.get(endpoint) ?? endpoint;
    const broken = [...prepared.broken, ...lookUp.broken].map(([endpoint, one]) => [servedAs(endpoint), one] as const);
    return { broken: new Map(broken), unchecked: new Set(unchecked.map(servedAs)) };
  }

  /** Serves these definitions from now on. A request in progress keeps the definition with which it started. */
  replace(definitions: Definitions): void {
    // All code that can throw runs before the first change, so that an error changes nothing.
    const { endpoints, canaries = [] } = definitions;
    const all = [...endpoints, ...canaries.map(({ candidate }) => candidate)];
    const prepared = prepareEndpoints(all, this.#database, this.#prepared.texts);
    this.#prepared = prepared;
    this.#definitions = definitions;
    this.#byName = byNameOf(definitions);
    this.#canaries = new Map(canaries.map((canary) => [canary.stable, canary]));
    this.#lookUp.forgetOthers(new Set(all));
    this.generation += 1;
  }

  #accepts(endpoint: Endpoint, raw: RawParameters): boolean {
    try {
      this.#cursors.readRequest(endpoint, raw);
      return true;
    } catch {
      return false;
    }
  }

  #translatable(endpoints: readonly Endpoint[]): readonly Endpoint[] {
    return endpoints.filter((endpoint) => !this.#prepared.broken.has(endpoint));
  }
}

function byNameOf({ endpoints }: Definitions): ReadonlyMap<string, Endpoint> {
  return new Map(endpoints.map((endpoint) => [endpoint.definition.name, endpoint]));
}
