import { LRUCache } from 'lru-cache';
import type { BrokenEndpoint } from '../broken-endpoint.js';
import { type Dialect, type PreparedQuery, UntranslatableSqlError } from '../database.js';
import type { Problem } from '../definition/problem.js';
import { brokenBy, type Endpoint, type EndpointQuery, queriesOf } from '../endpoint.js';
import { choiceWords } from '../template/template-variants.js';

export interface PreparedQueries {
  readonly prepare: (sql: string) => PreparedQuery;
  /** Endpoints with a text that cannot be said in the dialect of the database. */
  readonly broken: ReadonlyMap<Endpoint, BrokenEndpoint>;
}

/** Prepares every text of every endpoint, so that nothing is translated in a request. */
export function prepareAll(endpoints: readonly Endpoint[], dialect: Dialect): PreparedQueries {
  const queries = new Map(endpoints.map((endpoint) => [endpoint, queriesOf(endpoint)]));
  const known = [...queries.values()].flat().reduce((count, { texts }) => count + texts.length, 0);
  const prepare = rememberPrepared(dialect, known + MAX_LATE);
  const broken = new Map<Endpoint, BrokenEndpoint>();
  for (const [endpoint, ofEndpoint] of queries) {
    const problems = ofEndpoint.flatMap((query) => prepareQuery(query, dialect.name, prepare));
    if (problems.length > 0) broken.set(endpoint, brokenBy(endpoint, problems));
  }
  return { prepare, broken };
}

/** Prepares texts for a database, each once while it is among the latest `max`. */
export function rememberPrepared(dialect: Dialect, max: number): (sql: string) => PreparedQuery {
  const texts = new LRUCache<string, PreparedQuery>({ max, memoMethod: (sql) => dialect.prepare(sql) });
  return (sql) => texts.memo(sql);
}

/** Texts with arrays of unusual length are prepared when they come. */
const MAX_LATE = 1000;

/** Prepares every text of a query, and gives the first problem: the other texts fail for the same reason. */
function prepareQuery(
  { texts, problem }: EndpointQuery,
  database: string,
  prepare: PreparedQueries['prepare'],
): Problem[] {
  for (const { sql, choices } of texts) {
    try {
      prepare(sql);
    } catch (error) {
      if (!(error instanceof UntranslatableSqlError)) throw error;
      const when = choiceWords(choices);
      const place = texts.length === 1 || when === '' ? '' : ` (when ${when})`;
      return [problem(`${database} cannot run this: ${error.message}${place}`, error.message)];
    }
  }
  return [];
}
