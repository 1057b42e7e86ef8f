import { LRUCache } from 'lru-cache';
import type { Dialect, PreparedQuery } from '../../databases/interface/database.js';
import type { BrokenEndpoint } from '../../definitions/endpoint/broken-endpoint.js';
import {
  createBrokenEndpoint,
  type Endpoint,
  type EndpointQuery,
  queriesOf,
  textsOf,
} from '../../definitions/endpoint/endpoint.js';
import type { Problem } from '../../definitions/problem.js';
import { formatChoices } from '../../definitions/template/template-variants.js';
import { UntranslatableSqlError } from '../../sql/reading/untranslatable-sql-error.js';

/** A cache of prepared queries by their SQL text in the MySQL dialect. `memo` prepares an SQL text that is not cached. */
export type PreparedTexts = LRUCache<string, PreparedQuery>;

export interface PreparedQueries {
  readonly texts: PreparedTexts;
  /** Endpoints with an SQL text that cannot be translated to the dialect of the database. */
  readonly broken: ReadonlyMap<Endpoint, BrokenEndpoint>;
}

/**
 * Translates every SQL text of every endpoint, so that requests need no translation. Texts in `known` are not prepared again.
 */
export function prepareEndpoints(
  endpoints: readonly Endpoint[],
  dialect: Dialect,
  known?: PreparedTexts,
): PreparedQueries {
  const queries = new Map(
    endpoints.map((endpoint) => [endpoint, [...queriesOf(endpoint), ...streamQueryOf(endpoint)]]),
  );
  const count = [...queries.values()].flat().reduce((sum, query) => sum + textsOf(query).length, 0);
  const texts = createPreparedTexts(dialect, count + MAX_ON_DEMAND);
  const broken = new Map<Endpoint, BrokenEndpoint>();
  for (const [endpoint, ofEndpoint] of queries) {
    for (const { sql } of ofEndpoint.flatMap(textsOf)) {
      const prepared = known?.peek(sql);
      if (prepared !== undefined) texts.set(sql, prepared);
    }
    const problems = ofEndpoint.flatMap((query) => prepareQuery(query, dialect.name, texts));
    if (problems.length > 0) broken.set(endpoint, createBrokenEndpoint(endpoint, problems));
  }
  return { texts, broken };
}

function streamQueryOf({ stream }: Endpoint): EndpointQuery[] {
  return stream === undefined ? [] : [stream.query];
}

/** Creates a cache of the `max` most recently used prepared SQL texts of a database. */
export function createPreparedTexts(dialect: Dialect, max: number): PreparedTexts {
  return new LRUCache({ max, memoMethod: (sql) => dialect.prepare(sql) });
}

/**
 * The number of additional cache entries for SQL texts that are prepared on demand: those with list lengths other than
 * one and the maximum.
 */
const MAX_ON_DEMAND = 1000;

/** Prepares every SQL text of a query and returns only the first problem: usually all texts fail for the same reason. */
function prepareQuery(query: EndpointQuery, database: string, prepared: PreparedTexts): Problem[] {
  const { problem } = query;
  const texts = textsOf(query);
  const reasons = texts.map(({ sql }) => findReason(sql, prepared));
  const index = reasons.findIndex((reason) => reason !== undefined);
  const reason = reasons[index];
  if (reason === undefined) return [];
  const when = formatChoices(texts[index]?.choices ?? {});
  const place = when === '' || reasons.every((other) => other === reason) ? '' : ` (when ${when})`;
  return [problem(`${database} cannot run this: ${reason}${place}`, reason)];
}

/** Returns why an SQL text cannot be prepared; undefined if it can. */
function findReason(sql: string, prepared: PreparedTexts): string | undefined {
  try {
    prepared.memo(sql);
    return undefined;
  } catch (error) {
    if (error instanceof UntranslatableSqlError) return error.message;
    throw error;
  }
}
