import { LRUCache } from 'lru-cache';
import { type Database, type PreparedQuery, UntranslatableSqlError } from '../database.js';
import type { Problem } from '../definition/problem.js';
import type { Endpoint, EndpointQuery } from '../endpoint.js';
import { choiceWords } from '../template/template-variants.js';

/** The definitions are right, but this database cannot run some of them. */
export class UnpreparableEndpointsError extends Error {
  override readonly name = 'UnpreparableEndpointsError';

  constructor(readonly problems: readonly Problem[]) {
    super(`${problems.length} queries cannot be said in the dialect of this database`);
  }
}

/**
 * Prepares every text of every endpoint, so that nothing is translated in a request. Throws
 * `UnpreparableEndpointsError` with all that this database cannot run.
 */
export function prepareAll(endpoints: readonly Endpoint[], database: Database): (sql: string) => PreparedQuery {
  const early = new Map<string, PreparedQuery>();
  const late = new LRUCache<string, PreparedQuery>({ max: MAX_LATE, memoMethod: (sql) => database.prepare(sql) });
  const problems = endpoints.flatMap((endpoint) =>
    queriesOf(endpoint).flatMap((query) => prepareQuery(endpoint, query, database, early)),
  );
  if (problems.length > 0) throw new UnpreparableEndpointsError(problems);
  return (sql) => early.get(sql) ?? late.memo(sql);
}

/** Texts with arrays of unusual length are prepared when they come; the latest of them are kept. */
const MAX_LATE = 1000;

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

function queriesOf({ query, dataAsOf, computedAt, notices }: Endpoint): EndpointQuery[] {
  const all = [query, dataAsOf, computedAt, ...notices.map((notice) => notice.query)];
  return all.filter((one) => one !== undefined);
}
