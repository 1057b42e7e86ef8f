import type { Express } from 'express';

/** The routes of an application as `GET /a/:id`, in the order in which they are looked at. */
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
  // What stands for all methods, to refuse them, has none.
  const methods = route.stack.flatMap(({ method }) => (method === undefined ? [] : [method.toUpperCase()]));
  return [...new Set(methods)].map((method) => `${method} ${route.path}`);
}
