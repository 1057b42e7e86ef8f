import type { Express } from 'express';

/** Returns the routes of an application as `GET /a/:id`, in the order of matching. */
export function routesOf(app: Express): string[] {
  return layersOf(app.router).flatMap(routesIn);
}

interface Layer {
  readonly route?: { readonly path: string; readonly stack: readonly { readonly method?: string }[] };
  readonly handle: object;
}

function layersOf(router: object): readonly Layer[] {
  return 'stack' in router ? (router.stack as Layer[]) : [];
}

function routesIn({ route, handle }: Layer): string[] {
  if (route === undefined) return layersOf(handle).flatMap(routesIn);
  // A route also has a handler that rejects all other methods. A handler for all methods has no `method`, so it is omitted.
  const methods = route.stack.flatMap(({ method }) => (method === undefined ? [] : [method.toUpperCase()]));
  return [...new Set(methods)].map((method) => `${method} ${route.path}`);
}
