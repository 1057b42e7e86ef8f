import { type Response, Router } from 'express';
import { allowOnly } from '../app-routes/allow-only.js';
import { HttpProblem } from '../app-routes/http-problem.js';
import { type Endpoint, type Engine, toEnvelope, toQueryEnvelope } from '../engine/index.js';
import { rawParameters } from './raw-parameters.js';

/** `GET` at the path of every definition that has one, literal segments before parameters. */
export function publicRoutes(engine: Engine): Router {
  const router = Router({ caseSensitive: true });
  for (const { endpoint, path } of mostSpecificFirst(engine.endpoints)) {
    router
      .route(path)
      .get(async (request, response) => {
        const answer = await engine.run(endpoint, rawParameters(request), { signal: untilClosed(response) });
        if (answer.nextPage !== undefined) {
          response.set('Link', `<${pageUrl(request.originalUrl, answer.nextPage)}>; rel="next"`);
        }
        response.json(toEnvelope(answer));
      })
      .all(allowOnly('GET'));
  }
  return router;
}

/** `GET /q/{name}`: every definition by its name, with all its parameters in the query. */
export function namedRoutes(engine: Engine): Router {
  const router = Router({ caseSensitive: true });
  const byName = new Map(engine.endpoints.map((endpoint) => [endpoint.definition.name, endpoint]));
  router
    .route('/q/:name')
    .get(async (request, response) => {
      const endpoint = byName.get(request.params.name);
      if (endpoint === undefined) {
        throw new HttpProblem(404, 'query_not_found', `There is no query named ${request.params.name}.`);
      }
      const raw = { path: {}, query: rawParameters(request).query };
      response.json(toQueryEnvelope(await engine.run(endpoint, raw, { signal: untilClosed(response) })));
    })
    .all(allowOnly('GET'));
  return router;
}

interface Route {
  readonly endpoint: Endpoint;
  /** As express writes it: `/a/:id`. */
  readonly path: string;
}

/** So that `/v1/a/hot` is not taken for `/v1/a/{id}`. */
function mostSpecificFirst(endpoints: readonly Endpoint[]): Route[] {
  return endpoints
    .flatMap((endpoint) => {
      const path = endpoint.definition.path?.replace(/\/$/, '').replace(/\{(\w+)\}/g, ':$1');
      return path === undefined ? [] : [{ endpoint, path }];
    })
    .sort((a, b) => compareSegments(a.path.split('/'), b.path.split('/')));
}

function compareSegments(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((segment, place) => segment.startsWith(':') !== b[place]?.startsWith(':'));
  return index < 0 ? 0 : Number(a[index]?.startsWith(':')) - Number(b[index]?.startsWith(':') ?? false);
}

/** The URL of another page, without the host so that it holds behind any proxy. */
function pageUrl(originalUrl: string, page: number): string {
  const url = new URL(originalUrl, 'http://localhost');
  url.searchParams.set('page', String(page));
  return url.pathname + url.search;
}

/** Aborted when the client goes away before its answer is written, so that its query does not run on. */
function untilClosed(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
