import { Router } from 'express';
import { type BrokenEndpoint, brokenEndpointError, type Endpoint, type Engine } from '../../engine/index.js';
import type { AnswerCache } from '../cache/answer-cache.js';
import { acceptsCached, sendAnswer } from '../cache/send-answer.js';
import { abortOnClose, rawParameters } from '../requests/read-request.js';
import { allowOnly } from './allowed-methods.js';
import { compareSpecificity, expressPath } from './route-path.js';

/** Creates the `GET` routes of all definitions with a path. Literal segments take precedence over parameters. */
export function publicRoutes(engine: Engine, cache: AnswerCache): Router {
  const router = Router({ caseSensitive: true });
  for (const { target, path } of mostSpecificFirst(engine)) {
    router
      .route(path)
      .get(async (request, response) => {
        if ('problems' in target) throw brokenEndpointError(target);
        const answer = await cache.serve({
          endpoint: target,
          raw: rawParameters(request),
          representation: 'envelope',
          target: request.originalUrl,
          isNewestRequired: !acceptsCached(request.headers),
          signal: abortOnClose(response),
        });
        sendAnswer(request, response, answer, request.originalUrl);
      })
      .all(allowOnly('GET'));
  }
  return router;
}

interface Route {
  readonly target: Endpoint | BrokenEndpoint;
  /** The path in the syntax of express: `/a/:id`. */
  readonly path: string;
}

/**
 * Returns the routes of all definitions, including broken definitions. If a broken and a valid definition have the same
 * path, the valid definition answers.
 */
function mostSpecificFirst(engine: Engine): Route[] {
  const { endpoints } = engine;
  const loaded = new Set(endpoints.map(({ file }) => file));
  const broken = engine.broken().filter(({ file }) => !loaded.has(file));
  return [
    ...endpoints.map((endpoint) => ({ target: endpoint, path: endpoint.definition.path })),
    ...broken.map((one) => ({ target: one, path: one.path })),
  ]
    .flatMap(({ target, path }) => (path === undefined ? [] : [{ target, path: expressPath(path) }]))
    .sort((a, b) => compareSpecificity(a.path, b.path));
}
