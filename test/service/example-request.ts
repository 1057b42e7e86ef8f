import type { Operation } from '../../engine/http/operations/operation.js';
import { rawFromValues } from '../../engine/index.js';

/** An example request of an operation. */
export interface ExampleRequest {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly isPersonal: boolean;
  readonly body?: unknown;
}

/** Creates a request from the examples of the parameters and of the body. */
export function exampleRequest({ id, method, path, parameters = {}, access, body }: Operation): ExampleRequest {
  const values = Object.entries(parameters).flatMap(([name, { example }]) =>
    example === undefined ? [] : [[name, example] as const],
  );
  const raw = rawFromValues(parameters, Object.fromEntries(values));
  const [example] = (body?.examples as unknown[] | undefined) ?? [];
  return {
    id,
    name: 'as it came',
    method: method.toUpperCase(),
    path: addressOf(path, raw.path, raw.query),
    isPersonal: access !== 'open',
    ...(body === undefined ? {} : { body: example }),
  };
}

export function addressOf(
  template: string,
  path: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string | readonly string[]>>,
): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return search.size === 0 ? filled : `${filled}?${search}`;
}
