import { type Endpoint, type ParameterValue, rawFromValues } from '../engine/index.js';

/** The URL, without the host, of an endpoint's first example, with some of its values replaced. */
export function urlOfExample(endpoint: Endpoint, replaced: Readonly<Record<string, ParameterValue>> = {}): string {
  const { path = '', examples } = endpoint.definition;
  const raw = rawFromValues(endpoint.parameters, { ...examples[0]?.params, ...replaced });
  const query = new URLSearchParams(Object.entries(raw.query).map(([name, value]) => [name, String(value)])).toString();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(raw.path[name] ?? ''));
  return query === '' ? filled : `${filled}?${query}`;
}
