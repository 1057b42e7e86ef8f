import type { Endpoint } from '../endpoint/endpoint.js';
import type { Problem } from '../problem.js';
import { routeShape } from './find-repeats.js';

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
