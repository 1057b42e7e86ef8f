import { type RequestHandler, Router } from 'express';
import { HttpProblem } from '../app-routes/http-problem.js';
import { EngineError } from '../engine/index.js';

/** 405 with `Allow` for a path that is served, but not with this method. */
export function methodNotAllowed(routers: readonly Router[]): RequestHandler {
  const layers = routers.flatMap((router) => router.stack.filter((layer) => layer.route !== undefined));
  return (request, _response, next) => {
    const allowed = new Set<string>();
    for (const layer of layers) {
      if (!layer.match(request.path)) continue;
      for (const handler of layer.route?.stack ?? []) allowed.add(handler.method.toUpperCase());
    }
    if (allowed.size === 0) {
      next();
      return;
    }
    if (allowed.has('GET')) allowed.add('HEAD');
    const methods = [...allowed, 'OPTIONS'].join(', ');
    const message = `${request.method} is not allowed on ${request.path}; allowed: ${methods}.`;
    throw new HttpProblem(405, 'method_not_allowed', message, { Allow: methods });
  };
}

export function notFound(): RequestHandler {
  return (request) => {
    const message = `Nothing is served at ${request.path}.`;
    if (request.path.startsWith('/v1/')) throw new EngineError('endpoint_not_found', message);
    throw new HttpProblem(404, 'route_not_found', message);
  };
}
