import { type Request, type Response, Router } from 'express';
import { type Endpoint, type Engine, toEnvelope, toQueryEnvelope } from '../engine/index.js';
import { HttpProblem } from '../app-routes/http-problem.js';
import { rawParameters } from './raw-parameters.js';

/** `GET /v1/…` for every definition with a path, literal segments before parameters. */
export function publicRoutes(engine: Engine): Router {
  const router = Router({ caseSensitive: true });
  for (const endpoint of mostSpecificFirst(engine.endpoints)) {
    router.get(endpoint.expressPath, async (request, response) => {
      const answer = await engine.run(endpoint.endpoint, rawParameters(request), { signal: untilClosed(response) });
      if (answer.nextPage !== undefined) response.set('Link', `<${nextUrl(request, answer.nextPage)}>; rel="next"`);
      response.json(toEnvelope(answer));
    });
  }
  return router;
}

/** `GET /q/{name}`: every definition by its name, its path parameters given in the query. */
export function namedRoutes(engine: Engine): Router {
  const router = Router();
  const byName = new Map(engine.endpoints.map((endpoint) => [endpoint.definition.name, endpoint]));
  router.get('/q/:name', async (request, response) => {
    const endpoint = byName.get(request.params.name);
    if (endpoint === undefined) {
      throw new HttpProblem(404, 'query_not_found', `There is no query named ${JSON.stringify(request.params.name)}.`);
    }
    const { query } = rawParameters(request);
    const answer = await engine.run(endpoint, { path: {}, query }, { signal: untilClosed(response) });
    response.json(toQueryEnvelope(answer));
  });
  return router;
}
