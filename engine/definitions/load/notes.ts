import { didYouMean } from '../../sql/did-you-mean.js';
import { cacheRuleOf, type Endpoint, type EndpointQuery, queriesOf } from '../endpoint/endpoint.js';
import { rowLimits } from '../endpoint/row-limit.js';
import { formatPlace, type Problem } from '../problem.js';
import { writeTraced } from '../query/traced-text.js';
import { formatChoices } from '../template/template-variants.js';
import { routeShape } from './find-repeats.js';

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

/**
 * Finds the variants whose pages have no cursors, because their order does not allow them. Notes are not problems:
 * pages can still be requested by number.
 */
export function findCursorNotes(endpoint: Endpoint): Problem[] {
  const { pages } = rowLimits(endpoint.definition, new Set()).ending;
  const notes = endpoint.query.variants.flatMap((variant) => {
    const { sql, markers, templateOffset } = writeTraced(variant.pieces, () => 1);
    const isClock = (marker: string) => markers.find(({ name }) => name === marker)?.output.clock !== undefined;
    const read = pages?.read(sql, isClock);
    if (read === undefined || !('reason' in read)) return [];
    const when = formatChoices(variant.choices);
    const message = `pages have no cursor: ${read.reason}${when === '' ? '' : ` (when ${when})`}`;
    return [endpoint.problem(['sql'], message, { at: templateOffset(read.at) })];
  });
  return [...new Map(notes.map((note) => [formatPlace(note), note])).values()];
}

/**
 * Finds paths that take requests which also match the path of another definition: at the first segment where both paths
 * differ, a literal takes precedence over a parameter. Notes are not problems, because this can be intended.
 */
export function findRouteNotes(endpoints: readonly Endpoint[]): Problem[] {
  const routes = endpoints.flatMap((endpoint) => {
    const { path } = endpoint.definition;
    return path === undefined ? [] : [{ endpoint, path, segments: routeShape(path).split('/') }];
  });
  return routes.flatMap(({ endpoint, path, segments }) =>
    routes
      .filter((other) => takesPrecedence(segments, other.segments))
      .map((other) => {
        const message = `${path} takes requests that also match ${other.path} of ${other.endpoint.file}`;
        return endpoint.problem(['path'], message);
      }),
  );
}

/** Whether a request can match both paths, and the first path takes precedence. */
function takesPrecedence(segments: readonly string[], others: readonly string[]): boolean {
  if (segments.length !== others.length) return false;
  const pairs = segments.map((segment, place) => [segment, others[place] ?? ''] as const);
  const overlap = pairs.every(([one, other]) => one === other || isParameter(one) || isParameter(other));
  const first = pairs.find(([one, other]) => isParameter(one) !== isParameter(other));
  return overlap && first !== undefined && isParameter(first[1]);
}

function isParameter(segment: string): boolean {
  return segment === '{}';
}

/**
 * Finds tables that are probably misspelled, because `known` contains only a similar name. Notes are not problems,
 * because a definition can read other tables that exist in the database.
 */
export function findTableNotes(endpoint: Endpoint, known: readonly string[]): Problem[] {
  const hints = new Map(
    [...endpoint.tables].map((table) => [table, known.includes(table) ? '' : didYouMean(table, known)]),
  );
  return [...hints].flatMap(([table, hint]) => {
    const query = queriesOf(endpoint).find(({ tables }) => tables.has(table));
    if (hint === '' || query === undefined) return [];
    return [query.problem(`the table ${table} is not a table of this program${hint}`, `'${table}'`)];
  });
}
