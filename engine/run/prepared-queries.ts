import { LRUCache } from 'lru-cache';
import { UntranslatableSqlError } from '../../sql/untranslatable-sql-error.js';
import type { Problem } from '../definition/problem.js';
import type { BrokenEndpoint } from '../endpoint/broken-endpoint.js';
import { brokenBy, type Endpoint, type EndpointQuery, queriesOf } from '../endpoint/endpoint.js';
import type { Dialect, PreparedQuery } from '../interface/database.js';
import { choiceWords } from '../template/template-variants.js';

export interface PreparedQueries {
  /** Every text that is known when the definitions are loaded. */
  readonly known: ReadonlyMap<string, PreparedQuery>;
  /** Prepares another text: lists may have any length. The most recent ones are remembered. */
  readonly prepare: (sql: string) => PreparedQuery;
  /** Endpoints with a text that the dialect of the database cannot express. */
  readonly broken: ReadonlyMap<Endpoint, BrokenEndpoint>;
}

/** Prepares every text of every endpoint, so that requests translate nothing. */
export function prepareAll(endpoints: readonly Endpoint[], dialect: Dialect): PreparedQueries {
  const known = new Map<string, PreparedQuery>();
  const late = new LRUCache<string, PreparedQuery>({ max: MAX_LATE, memoMethod: (sql) => dialect.prepare(sql) });
  const broken = new Map<Endpoint, BrokenEndpoint>();
  for (const endpoint of endpoints) {
    const problems = queriesOf(endpoint).flatMap((query) => prepareQuery(query, dialect, known));
    if (problems.length > 0) broken.set(endpoint, brokenBy(endpoint, problems));
  }
  return { known, prepare: (sql) => late.memo(sql), broken };
}

/** Remembered texts with lists of an unusual length. */
const MAX_LATE = 1000;

/** Prepares every text of a query and returns the first problem: the other texts fail for the same reason. */
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
