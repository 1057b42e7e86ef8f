import type { Answer, Plan } from './answer.js';
import type { CompiledQuery } from './compiled-query.js';
import { type Database, type PreparedQuery, type ResultSet, UntranslatableSqlError } from './database.js';
import type { Endpoint, EndpointQuery } from './endpoint.js';
import { EngineError } from './errors.js';
import type { Observe } from './events.js';
import type { RawParameters } from './parameter-values.js';
import type { Problem } from './problem.js';
import { createSideQueries } from './side-queries.js';
import { choiceWords } from './template-variants.js';

export interface EngineParts {
  readonly endpoints: readonly Endpoint[];
  readonly database: Database;
  readonly clock: () => Date;
  readonly observe?: Observe;
}

export interface RunOptions {
  /** Aborting stops the query in the database; the run fails with `query_cancelled`. */
  readonly signal?: AbortSignal;
}

/** Runs endpoints on one database. */
export interface Engine {
  readonly endpoints: readonly Endpoint[];
  /** The endpoint of a name; throws `endpoint_not_found`. */
  endpoint(name: string): Endpoint;
  /** Answers a request. Throws `EngineError` only. */
  run(endpoint: Endpoint, raw: RawParameters, options?: RunOptions): Promise<Answer>;
  /** The database's plan for a request, without running it. */
  explain(endpoint: Endpoint, raw: RawParameters, options?: RunOptions): Promise<Plan>;
}

/** The definitions are right, but this database cannot run some of them. */
export class UnpreparableEndpointsError extends Error {
  override readonly name = 'UnpreparableEndpointsError';

  constructor(readonly problems: readonly Problem[]) {
    super(`${problems.length} queries cannot be said in the dialect of this database`);
  }
}

/**
 * Prepares every text of every endpoint for the database, so that nothing is translated in a request. Throws
 * `UnpreparableEndpointsError` with all that cannot be translated.
 */
export function createEngine({ endpoints, database, clock, observe = () => {} }: EngineParts): Engine {
  const prepare = prepareAll(endpoints, database);
  const side = createSideQueries((query, values, now) => sideRows(query.compile(values, now)), clock, observe);
  const byName = new Map(endpoints.map((endpoint) => [endpoint.definition.name, endpoint]));

  async function run(endpoint: Endpoint, raw: RawParameters, options: RunOptions = {}): Promise<Answer> {
    const startedAt = clock();
    const parameters = endpoint.readParameters(raw);
    const query = endpoint.query.compile(parameters, startedAt);
    const limit = endpoint.rowLimit(parameters);
    const [result, { dataAsOf, notices }] = await Promise.all([
      rows(endpoint, query, limit, options),
      side.freshness(endpoint, startedAt),
    ]);
    const emptyNotices = result.rows.length > 0 ? [] : await side.emptyNotices(endpoint, parameters, startedAt);
    const { columns, rows: cells, more: truncated } = result;
    const about = { endpoint, parameters, sql: query.sql, database: database.name, startedAt, finishedAt: clock() };
    const nextPage = truncated ? endpoint.nextPage(parameters) : undefined;
    return { ...about, columns, rows: cells, limit, truncated, nextPage, dataAsOf, notices, emptyNotices };
  }

  async function rows(
    endpoint: Endpoint,
    query: CompiledQuery,
    maxRows: number,
    options: RunOptions,
  ): Promise<ResultSet> {
    const { timeoutMs } = endpoint.definition.limits;
    const result = await database.query(prepare(query.sql), query.values, { maxRows, timeoutMs, ...options });
    requireColumns(endpoint, result);
    return result;
  }

  async function sideRows(query: CompiledQuery): Promise<ResultSet['rows']> {
    const result = await database.query(prepare(query.sql), query.values, { maxRows: 20, timeoutMs: 2000 });
    return result.rows;
  }

  async function explain(endpoint: Endpoint, raw: RawParameters, options: RunOptions = {}): Promise<Plan> {
    const startedAt = clock();
    const parameters = endpoint.readParameters(raw);
    const { sql, values } = endpoint.query.compile(parameters, startedAt);
    const { timeoutMs } = endpoint.definition.limits;
    const { columns, rows } = await database.explain(prepare(sql), values, { maxRows: 1000, timeoutMs, ...options });
    return { endpoint, parameters, sql, database: database.name, columns, rows, startedAt, finishedAt: clock() };
  }

  const watched = <Result extends Answer | Plan>(
    work: (endpoint: Endpoint, raw: RawParameters, options?: RunOptions) => Promise<Result>,
  ) => {
    return async (endpoint: Endpoint, raw: RawParameters, options?: RunOptions): Promise<Result> => {
      const startedAt = clock().getTime();
      const { name } = endpoint.definition;
      try {
        const result = await work(endpoint, raw, options);
        const truncated = 'truncated' in result && result.truncated;
        const ms = clock().getTime() - startedAt;
        observe({
          kind: 'answered',
          endpoint: name,
          parameters: result.parameters,
          rows: result.rows.length,
          truncated,
          ms,
        });
        return result;
      } catch (cause) {
        const error = asEngineError(cause);
        const ms = clock().getTime() - startedAt;
        observe({ kind: 'failed', endpoint: name, code: error.code, ms, cause: error.details.cause ?? error });
        throw error;
      }
    };
  };

  return {
    endpoints,
    endpoint(name) {
      const endpoint = byName.get(name);
      if (endpoint === undefined)
        throw new EngineError('endpoint_not_found', `there is no endpoint named ${JSON.stringify(name)}`);
      return endpoint;
    },
    run: watched(run),
    explain: watched(explain),
  };
}

/** Texts with arrays of unusual length are prepared when they come; the latest of them are kept. */
const MAX_LATE = 1000;

function prepareAll(endpoints: readonly Endpoint[], database: Database): (sql: string) => PreparedQuery {
  const early = new Map<string, PreparedQuery>();
  const late = new Map<string, PreparedQuery>();
  const problems = endpoints.flatMap((endpoint) =>
    queriesOf(endpoint).flatMap((query) => prepareQuery(endpoint, query, database, early)),
  );
  if (problems.length > 0) throw new UnpreparableEndpointsError(problems);
  return (sql) => {
    const known = early.get(sql) ?? late.get(sql);
    if (known !== undefined) return known;
    const prepared = database.prepare(sql);
    const [oldest] = late.keys();
    if (late.size >= MAX_LATE && oldest !== undefined) late.delete(oldest);
    late.set(sql, prepared);
    return prepared;
  };
}

/** Prepares every text of a query, and tells the first that cannot be: the others fail for the same reason. */
function prepareQuery(
  { file }: Endpoint,
  { texts, key, line, column }: EndpointQuery,
  database: Database,
  prepared: Map<string, PreparedQuery>,
): Problem[] {
  for (const { sql, choices } of texts) {
    if (prepared.has(sql)) continue;
    try {
      prepared.set(sql, database.prepare(sql));
    } catch (error) {
      if (!(error instanceof UntranslatableSqlError)) throw error;
      const when = choiceWords(choices);
      const place = when === '' ? '' : ` (when ${when})`;
      return [{ file, line, column, key, message: `${database.name} cannot run this: ${error.message}${place}` }];
    }
  }
  return [];
}

function queriesOf({ query, dataAsOf, notices }: Endpoint): EndpointQuery[] {
  return [query, ...(dataAsOf === undefined ? [] : [dataAsOf]), ...notices.map((notice) => notice.query)];
}

function requireColumns({ definition }: Endpoint, { columns }: ResultSet): void {
  const isSame =
    columns.length === definition.columns.length &&
    definition.columns.every(({ col }, index) => columns[index]?.name === col);
  if (isSame) return;
  const declared = definition.columns.map(({ col }) => col).join(', ');
  const got = columns.map(({ name }) => name).join(', ');
  throw new Error(`the database gave other columns than declared: expected ${declared}, got ${got}`);
}

/** Whatever a driver throws becomes an error that callers may see; what it said is kept for the log. */
function asEngineError(cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  return new EngineError('query_failed', 'the query failed; the log has the reason under the id of this request', {
    cause,
  });
}
