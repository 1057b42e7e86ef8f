import { type Request, Router } from 'express';
import { type BrokenEndpoint, brokenEndpointError, type Endpoint, type Engine } from '../../engine/index.js';
import { toEnvelope } from '../envelopes/envelope.js';
import { abortOnClose, queryText, rawParameters } from '../requests/read-request.js';
import { allowOnly } from './allowed-methods.js';
import { bySpecificity, expressPath } from './route-path.js';

/** `GET` at the path of every definition that has one, literal segments before parameters. */
export function publicRoutes(engine: Engine): Router {
  const router = Router({ caseSensitive: true });
  for (const { answered, path } of mostSpecificFirst(engine)) {
    router
      .route(path)
      .get(async (request, response) => {
        if ('problems' in answered) throw brokenEndpointError(answered);
        const endpoint = answered;
        const answer = await engine.run(endpoint, rawParameters(request), { signal: abortOnClose(response) });
        if (answer.nextPage !== undefined) {
          response.set('Link', `<${pageUrl(request, answer.nextPage)}>; rel="next"`);
        }
        response.json(toEnvelope(answer));
      })
      .all(allowOnly('GET'));
  }
  return router;
}

interface Route {
  readonly answered: Endpoint | BrokenEndpoint;
  /** As express writes it: `/a/:id`. */
  readonly path: string;
}

/** The routes of wrong definitions, too. Where one has that of a right one, which it does not know, the right one answers. */
function mostSpecificFirst(engine: Engine): Route[] {
  const { endpoints } = engine;
  const known = new Set(endpoints.map(({ file }) => file));
  const wrong = engine.broken().filter(({ file }) => !known.has(file));
  return [
    ...endpoints.map((endpoint) => ({ answered: endpoint, path: endpoint.definition.path })),
    ...wrong.map((one) => ({ answered: one, path: one.path })),
  ]
    .flatMap(({ answered, path }) => (path === undefined ? [] : [{ answered, path: expressPath(path) }]))
    .sort((a, b) => bySpecificity(a.path, b.path));
}

/** The URL of another page, without the host so that it holds behind any proxy. */
function pageUrl(request: Request, page: number): string {
  const query = new URLSearchParams(queryText(request));
  query.set('page', String(page));
  return `${request.path}?${query}`;
}
