import { namedRequest } from '../../app-routes/named-queries.js';
import { type Engine, EngineError } from '../../engine/index.js';
import type { TargetRequest } from '../../http/cache/answer-cache.js';
import { splitSuffix } from '../../http/formats/asked-format.js';
import type { Format } from '../../http/formats/format.js';
import { type FindRoute, publicRequest } from '../../http/operations/endpoint-routes.js';
import type { Operation } from '../../http/operations/operation.js';
import { HttpProblem } from '../../http/problems/http-problem.js';
import { normalizePath } from '../../http/requests/normalize-path.js';
import { isStreamed } from '../../http/streams/stream-answer.js';

/** Returns what the target of a GET request asks of the cache. Undefined if the application must answer it. */
export type DirectRoutes = (target: string, accepted: Format) => TargetRequest | undefined;

/** Finds the definitions of targets under `/v1` and `/q`. `operations` are the operations that precede `/q/{name}`. */
export function createDirectRoutes(
  engine: Engine,
  findRoute: FindRoute,
  operations: readonly Pick<Operation, 'path'>[],
): DirectRoutes {
  const reserved = new Set(operations.map(({ path }) => path.replace(/\/$/, '')));
  const read: DirectRoutes = (target, accepted) => {
    // Express ends the path at a number sign, which no correct target contains.
    if (target.includes('#')) return undefined;
    const path = pathOf(normalizePath(target));
    if (path.startsWith('/v1/')) {
      const route = findRoute(path);
      return route && publicRequest(route, target, accepted);
    }
    const { text, suffix } = splitSuffix(path) ?? { text: path, suffix: undefined };
    const [, name] = NAMED_QUERY.exec(text) ?? [];
    if (name === undefined || reserved.has(`/q/${name}`)) return undefined;
    return namedRequest(engine, name, target, { accepted, suffix });
  };
  return (target, accepted) => {
    try {
      const wanted = read(target, accepted);
      return wanted === undefined || isStreamed(wanted) ? undefined : wanted;
    } catch (error) {
      if (error instanceof EngineError || error instanceof HttpProblem) return undefined;
      throw error;
    }
  };
}

const NAMED_QUERY = /^\/q\/([\w-]+)\/?$/;

function pathOf(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? target : target.slice(0, start);
}
