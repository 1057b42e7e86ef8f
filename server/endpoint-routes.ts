import { type Request, Router } from 'express';
import { allowOnly } from '../app-routes/allow-only.js';
import { queryText, rawParameters } from '../app-routes/raw-parameters.js';
import { bySpecificity, expressPath } from '../app-routes/route-path.js';
import { untilClosed } from '../app-routes/until-closed.js';
import { type Endpoint, type Engine, toEnvelope } from '../engine/index.js';

/** `GET` at the path of every definition that has one, literal segments before parameters. */
export function publicRoutes(engine: Engine): Router {
  const router = Router({ caseSensitive: true });
  for (const { endpoint, path } of mostSpecificFirst(engine.endpoints)) {
    router
      .route(path)
      .get(async (request, response) => {
        const answer = await engine.run(endpoint, rawParameters(request), { signal: untilClosed(response) });
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
  readonly endpoint: Endpoint;
  /** As express writes it: `/a/:id`. */
  readonly path: string;
}

function mostSpecificFirst(endpoints: readonly Endpoint[]): Route[] {
  return endpoints
    .flatMap((endpoint) => {
      const { path } = endpoint.definition;
      return path === undefined ? [] : [{ endpoint, path: expressPath(path) }];
    })
    .sort((a, b) => bySpecificity(a.path, b.path));
}

/** The URL of another page, without the host so that it holds behind any proxy. */
function pageUrl(request: Request, page: number): string {
  const query = new URLSearchParams(queryText(request));
  query.set('page', String(page));
  return `${request.path}?${query}`;
}
