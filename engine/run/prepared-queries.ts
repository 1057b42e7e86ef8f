import { LRUCache } from 'lru-cache';
import { UntranslatableSqlError } from '../../sql/untranslatable-sql-error.js';
import type { Problem } from '../definition/problem.js';
import type { BrokenEndpoint } from '../endpoint/broken-endpoint.js';
import { brokenBy, type Endpoint, type EndpointQuery, queriesOf } from '../endpoint/endpoint.js';
import type { Dialect, PreparedQuery } from '../interface/database.js';
import { choiceWords } from '../template/template-variants.js';

export interface PreparedQueries {
  readonly prepare: (sql: string) => PreparedQuery;
  /** Endpoints with a text that cannot be said in the dialect of the database. */
  readonly broken: ReadonlyMap<Endpoint, BrokenEndpoint>;
}

/** Prepares every text of every endpoint, so that nothing is translated in a request. */
export function prepareAll(endpoints: readonly Endpoint[], dialect: Dialect): PreparedQueries {
  const early = new Map<string, PreparedQuery>();
  const late = new LRUCache<string, PreparedQuery>({ max: MAX_LATE, memoMethod: (sql) => dialect.prepare(sql) });
  const broken = new Map<Endpoint, BrokenEndpoint>();
  for (const endpoint of endpoints) {
    const problems = queriesOf(endpoint).flatMap((query) => prepareQuery(query, dialect, early));
    if (problems.length > 0) broken.set(endpoint, brokenBy(endpoint, problems));
  }
  return { prepare: (sql) => early.get(sql) ?? late.memo(sql), broken };
}

/** Texts with arrays of unusual length are prepared when they come; the latest of them are kept. */
const MAX_LATE = 1000;

/** Prepares every text of a query, and gives the first problem: the other texts fail for the same reason. */
function prepareQuery(
  { texts, problem }: EndpointQuery,
  dialect: Dialect,
  prepared: Map<string, PreparedQuery>,
): Problem[] {
  for (const { sql, choices } of texts) {
    if (prepared.has(sql)) continue;
    try {
      prepared.set(sql, dialect.prepare(sql));
    } catch (error) {
      if (!(error instanceof UntranslatableSqlError)) throw error;
      const when = choiceWords(choices);
      const place = texts.length === 1 || when === '' ? '' : ` (when ${when})`;
      return [problem(`${dialect.name} cannot run this: ${error.message}${place}`, error.message)];
    }
  }
  return [];
}
