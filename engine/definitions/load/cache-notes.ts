import { cacheRuleOf } from '../endpoint/cache-rule.js';
import { type Endpoint, type EndpointQuery, queriesOf } from '../endpoint/endpoint.js';
import { formatPlace, type Problem } from '../problem.js';

/**
 * Creates notes for the author about cached answers: if answers are never cached, or if the key `cache` has no effect.
 * `isVersioned` returns whether the service knows the versions of a table. Notes are not problems: the endpoint works.
 */
export function findCacheNotes(endpoint: Endpoint, isVersioned: (table: string) => boolean): Problem[] {
  const rule = cacheRuleOf(endpoint, isVersioned);
  const notes = rule.kind === 'never' ? neverNotes(endpoint, rule.reason, isVersioned) : [];
  if (rule.kind === 'timed' || endpoint.definition.cacheTtlMs === undefined) return notes;
  const reason = rule.kind === 'exact' ? 'answers are stored until the data change' : 'answers are never stored';
  return [...notes, endpoint.problem(['cache'], `cache has no effect: ${reason}`, { at: 'key' })];
}

/** Returns one note for each use of `{{ now }}`, or one note for the first table without a version. */
function neverNotes(endpoint: Endpoint, reason: string, isVersioned: (table: string) => boolean): Problem[] {
  const message = `answers are never stored: ${reason}`;
  const table = [...endpoint.tables].find((name) => !isVersioned(name)) ?? '';
  const isCause = ({ clock, tables }: EndpointQuery) =>
    endpoint.clock === 'second' ? clock === 'second' : tables.has(table);
  const word = endpoint.clock === 'second' ? 'now' : table;
  const notes = queriesOf(endpoint)
    .filter(isCause)
    .map((query) => query.problem(message, `'${word}'`));
  const distinct = [...new Map(notes.map((note) => [formatPlace(note), note])).values()];
  return endpoint.clock === 'second' ? distinct : distinct.slice(0, 1);
}
