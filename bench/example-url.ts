import { type Endpoint, rawFromValues } from '../engine/index.js';

/** Returns the path and query of the first example of an endpoint. */
export function urlOfExample(endpoint: Endpoint): string {
  const { path = '', examples } = endpoint.definition;
  const raw = rawFromValues(endpoint.parameters, examples[0]?.params ?? {});
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(raw.query)) query.append(name, String(value));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(raw.path[name] ?? ''));
  return query.size === 0 ? filled : `${filled}?${query}`;
}
