import type { Answer } from '../../answers/answer.js';
import { createEngine } from '../../answers/database-engine.js';
import type { Engine } from '../../answers/engine.js';
import { PATIENT_METADATA_TIMEOUT_MS } from '../../answers/request-metadata.js';
import type { DataVersions, VersionState } from '../../databases/interface/data-versions.js';
import type { FixtureDefinition } from '../../definitions/definition.js';
import type { BrokenEndpoint } from '../../definitions/endpoint/broken-endpoint.js';
import { type Endpoint, type EndpointQuery, trialRequest } from '../../definitions/endpoint/endpoint.js';
import type { Problem } from '../../definitions/problem.js';
import type { FixtureDatabase } from './fixture-database.js';
import { readFixtureTables } from './fixture-tables.js';

/** The time of `{{ now }}` in a fixture without `now`. */
const DEFAULT_NOW = '2026-01-01 00:00:00';

/** Thrown for a fixture that cannot run because its content is wrong. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join('; '));
  }
}

/** Runs fixtures with the engine that also runs requests, but on a temporary database. Fixtures run one at a time. */
export class FixtureEngine {
  readonly #database: FixtureDatabase;
  readonly #engine: Engine;
  readonly #versions: FilledVersions;
  #now = new Date(0);
  /** The failed queries for freshness and notices of the current fixture, with their causes. */
  #failures: { readonly key: string; readonly cause: unknown }[] = [];

  constructor(database: FixtureDatabase, endpoints: readonly Endpoint[], stopwatch: () => number) {
    this.#database = database;
    const tables = new Set(endpoints.flatMap((endpoint) => [...endpoint.tables]));
    this.#versions = new FilledVersions(tables);
    this.#engine = createEngine({
      endpoints,
      database: database.database,
      clock: () => this.#now,
      stopwatch,
      versions: this.#versions,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
      observe: (event) => {
        if (event.kind === 'metadata_query_failed') this.#failures.push(event);
      },
    });
  }

  /** Returns the broken endpoint if the temporary database cannot run the SQL of this endpoint; otherwise undefined. */
  brokenOf({ file }: Endpoint): BrokenEndpoint | undefined {
    return this.#engine.broken().find((broken) => broken.file === file);
  }

  /** Answers the request of a fixture from the rows of the fixture. Rejects with a `FixtureError` or an `EngineError`. */
  async run(endpoint: Endpoint, fixture: FixtureDefinition, signal?: AbortSignal): Promise<Answer> {
    const content = readFixtureTables(endpoint, fixture, this.#database.tables);
    if ('problems' in content) throw new FixtureError(content.problems);
    const { now = DEFAULT_NOW } = fixture;
    this.#now = new Date(`${now.length === 10 ? `${now} 00:00:00` : now}Z`);
    this.#failures = [];
    await this.#database.fill(content.tables).catch((error: unknown) => {
      const path = ['fixtures', endpoint.definition.fixtures.indexOf(fixture), 'tables'];
      const reason = error instanceof Error ? error.message : String(error);
      throw new FixtureError([endpoint.problem(path, `the rows cannot be stored: ${reason}`, { at: 'key' })]);
    });
    this.#versions.change();
    // The queries for allowed values run on the rows of the fixture.
    for (const { parameter, cause } of await this.#engine.refreshChoices({}, [endpoint])) {
      const query = endpoint.choices.get(parameter)?.query ?? endpoint.query;
      throw new FixtureError([problemOf(query, cause)]);
    }
    const raw = trialRequest(endpoint, fixture.params);
    const answer = await this.#engine.run(endpoint, raw, signal === undefined ? {} : { signal });
    const [failure] = this.#failures;
    if (failure !== undefined) throw new FixtureError([problemOf(queryOf(endpoint, failure.key), failure.cause)]);
    return answer;
  }
}

function queryOf(endpoint: Endpoint, key: string): EndpointQuery {
  const all = [
    endpoint.dataAsOf,
    endpoint.computedAt,
    ...endpoint.notices.flatMap(({ query, needs }) => [query, needs]),
  ];
  return all.find((one) => one?.key === key) ?? endpoint.query;
}

function problemOf(query: EndpointQuery, cause: unknown): Problem {
  const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  return query.problem(`the query failed: ${reason}`, reason);
}

/** Table versions that change with each fixture, so that no cached result of the previous fixture is reused. */
class FilledVersions implements DataVersions {
  readonly #tables: ReadonlySet<string>;
  #fill = 0;
  known: VersionState = { tables: new Map(), confirmedAt: 0 };

  constructor(tables: ReadonlySet<string>) {
    this.#tables = tables;
    this.change();
  }

  change(): void {
    this.#fill += 1;
    this.known = { tables: new Map([...this.#tables].map((table) => [table, `${this.#fill}`])), confirmedAt: 0 };
  }

  recent(): VersionState {
    return this.known;
  }

  async confirm(): Promise<VersionState> {
    return this.known;
  }

  onChange(): () => void {
    return () => {};
  }
}
