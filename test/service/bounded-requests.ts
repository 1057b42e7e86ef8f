import fc, { type Arbitrary } from 'fast-check';
import { allowedValue } from './allowed-values.js';
import type { Schema } from './answer-check.js';
import { type DescribedInput, type DescribedRequest, requiredBeside } from './described-requests.js';
import type { SentRequest } from './send.js';

/** Generates requests that an API description allows. */
export function allowedRequest(request: DescribedRequest, token: string): Arbitrary<SentRequest> {
  const { parameters, body } = request;
  const inputs = parameters.map((it) => {
    const value = allowedValue(it.schema);
    return it.required ? value : fc.option(value, { nil: undefined });
  });
  return fc
    .tuple(fc.tuple(...inputs), body === undefined ? fc.constant(undefined) : allowedValue(body))
    .map(([values, content]) => {
      const given = new Map(parameters.map(({ name }, index) => [name, values[index]] as const));
      return written(request, token, inOrder(parameters, given), content);
    });
}

/** A request that violates one limit of the description, and the texts that its error message must contain. */
export interface BrokenRequest {
  readonly what: string;
  readonly sent: SentRequest;
  /** The violated limit. Operations of one kind with the same parameter have the same limits. */
  readonly limit: string;
  readonly named: readonly string[];
}

/** Returns one request for each limit of each parameter and of the body, which violates only this limit. */
export function brokenRequests(request: DescribedRequest, token: string): BrokenRequest[] {
  const right = new Map(
    request.parameters.filter(({ required }) => required).map((it) => [it.name, sample(it)] as const),
  );
  const body = request.body && fc.sample(allowedValue(request.body), { numRuns: 1, seed: 1 })[0];
  const send = (values: ReadonlyMap<string, unknown>, content: unknown, more = '') =>
    written(request, token, values, content, more);
  const kind = request.path.split('/')[1];
  const limitOf = (...parts: unknown[]) => JSON.stringify([kind, ...parts]);
  const ofParameters = request.parameters.flatMap((input) => [
    ...faultsOf(input.schema)
      // An empty path segment is omitted, because it would change the path.
      .filter(({ value }) => input.place !== 'path' || value !== '')
      .map(({ value, named }) => ({
        what: `${request.id}: ${input.name}=${String(value).slice(0, 40)}`,
        sent: send(new Map([...right, [input.name, value]]), body),
        limit: limitOf(input.place, input.name, value, named),
        named: [input.name, ...named],
      })),
    ...(input.required && input.place === 'query'
      ? [
          {
            what: `${request.id}: no ${input.name}`,
            sent: send(new Map(), body),
            limit: limitOf(input.name),
            named: [input.name, 'got nothing'],
          },
        ]
      : []),
  ]);
  const unknown = {
    what: `${request.id}: ?unknown_key`,
    sent: send(right, body, 'unknown_key=1'),
    limit: limitOf(request.id),
    named: ['unknown_key', 'expected'],
  };
  const ofBody =
    request.body === undefined
      ? []
      : bodyFaults(request.body, body as Record<string, unknown>).map(({ value, named }) => ({
          what: `${request.id}: ${JSON.stringify(value).slice(0, 60)}`,
          sent: send(right, value),
          limit: limitOf(request.id, value),
          named,
        }));
  return [...ofParameters, ...(TAKES_ANY_QUERY.has(request.id) ? [] : [unknown]), ...ofBody];
}

/** Operations for which unknown query parameters are not tested, because their parameters depend on the name in the path. */
const TAKES_ANY_QUERY: ReadonlySet<string> = new Set(['other-api', 'named-query', 'explain-named-query']);

interface Fault {
  readonly value: unknown;
  readonly named: readonly string[];
}

/** Returns values that each violate one keyword of a schema. */
function faultsOf(schema: Schema): Fault[] {
  const { type, format, enum: values, minimum, maximum, minLength, maxLength, pattern, minItems, maxItems } = schema;
  const items = schema.items as Schema | undefined;
  const list = (length: number) =>
    Array.from({ length }, () => fc.sample(allowedValue(items ?? {}), { numRuns: 1, seed: 1 })[0]);
  const fault = (value: unknown, ...named: unknown[]): Fault => ({ value, named: named.map(String) });
  if (Array.isArray(values)) return [fault('no such value', values.join(', '))];
  if (type === 'boolean') return [fault('yes', 'true or false')];
  if (type === 'integer' || type === 'number') {
    const [least, most] = [Number(minimum), Number(maximum)];
    return [
      fault('x', type === 'integer' ? 'integer' : 'number'),
      ...(type === 'integer' ? [fault('1.5', 'integer')] : []),
      ...(minimum === undefined ? [] : [fault(String(type === 'integer' ? BigInt(least) - 1n : least - 0.5), minimum)]),
      ...(maximum === undefined ? [] : [fault(String(type === 'integer' ? BigInt(most) + 1n : most + 0.5), maximum)]),
    ];
  }
  if (type === 'array') {
    return [
      ...(minItems === undefined || minItems === 1 ? [] : [fault(list(Number(minItems) - 1), minItems)]),
      ...(maxItems === undefined ? [] : [fault(list(Number(maxItems) + 1), maxItems)]),
      ...faultsOf(items ?? {}).map(({ value, named }) => fault([value], ...named)),
    ];
  }
  if (format === 'date') {
    const days = ['0999-12-31', '10000-01-01', '2021-02-29', '2021-1-1', '2021-01-01T00:00:00Z'];
    return days.map((day) => fault(day, 'YYYY-MM-DD', '1000-01-01', '9999-12-31'));
  }
  return [
    ...(minLength === undefined ? [] : [fault('a'.repeat(Number(minLength) - 1), minLength)]),
    ...(maxLength === undefined ? [] : [fault('a'.repeat(Number(maxLength) + 1), maxLength)]),
    ...(maxLength === undefined
      ? []
      : [fault('😀'.repeat(Number(maxLength) + 1), maxLength, ...givenLength(Number(maxLength) + 1))]),
    ...(pattern === undefined || new RegExp(String(pattern), 'u').test('a\0b')
      ? []
      : [fault('a\0b', NO_NUL.has(String(pattern)) ? 'U+0000' : pattern)]),
  ];
}

/**
 * Returns the texts that a message about a value of this length must contain: for a long value, only its start and its length are shown.
 */
function givenLength(length: number): string[] {
  return length > 60 ? [`(${length} characters)`] : [];
}

/** Patterns against U+0000 that the service adds to descriptions. Messages contain `U+0000` instead of these patterns. */
const NO_NUL: ReadonlySet<string> = new Set(['^[^\\x00]*$', '^[^\\x00,\\\\]*$']);

function bodyFaults(schema: Schema, right: Record<string, unknown>): Fault[] {
  const properties = Object.entries(schema.properties as Readonly<Record<string, Schema>>);
  const beside = (name: string) =>
    Object.fromEntries(
      properties
        .filter(([, it]) => requiredBeside(it).includes(name))
        .map(([other, it]) => [other, fc.sample(allowedValue(it), { numRuns: 1 })[0]]),
    );
  const wrong = properties.flatMap(([name, property]) => {
    const { type, minimum, maximum, minLength, maxLength, enum: values } = property;
    const fault = (value: unknown, ...named: unknown[]): Fault => ({
      value: { ...right, ...beside(name), [name]: value },
      named: [name, ...named.map(String)],
    });
    const without = Object.fromEntries(Object.entries(right).filter(([key]) => key !== name));
    return [
      fault(type === 'string' ? 1 : 'text', nameOfType(type)),
      fault(null, nameOfType(type)),
      ...(type === 'integer' ? [fault(1.5, 'integer')] : []),
      ...(minimum === undefined ? [] : [fault(Number(minimum) - 1, minimum)]),
      ...(maximum === undefined ? [] : [fault(Number(maximum) + 1, maximum)]),
      ...(minLength === undefined ? [] : [fault('a'.repeat(Number(minLength) - 1), minLength)]),
      ...(maxLength === undefined ? [] : [fault('a'.repeat(Number(maxLength) + 1), maxLength)]),
      ...(Array.isArray(values) ? [fault('no such value', values.join(', '))] : []),
      ...((schema.required as string[]).includes(name) ? [{ value: without, named: [name, 'given'] }] : []),
      ...requiredBeside(property).map((other) => ({
        value: Object.fromEntries(
          Object.entries({ ...right, [name]: fc.sample(allowedValue(property), { numRuns: 1 })[0] }).filter(
            ([key]) => key !== other,
          ),
        ),
        named: [other, `given together with ${name}`],
      })),
    ];
  });
  const more =
    schema.additionalProperties === false ? [{ value: { ...right, more: 1 }, named: ['more', 'expected one of'] }] : [];
  return [...wrong, ...more, { value: [right], named: ['object'] }, { value: null, named: ['object'] }];
}

/** Returns the name that messages use for a type of JSON Schema. */
function nameOfType(type: unknown): unknown {
  if (type === 'string') return 'text';
  if (type === 'array') return 'list';
  return type === 'boolean' ? 'true or false' : type;
}

function sample({ schema, example }: DescribedInput): unknown {
  return example ?? fc.sample(allowedValue(schema), { numRuns: 1, seed: 1 })[0];
}

/** Swaps the start and the end of a range if the end is before the start. Missing values have their defaults. */
function inOrder(parameters: readonly DescribedInput[], given: Map<string, unknown>): Map<string, unknown> {
  for (const { name, notAfter, schema } of parameters) {
    if (notAfter === undefined) continue;
    const end = parameters.find((it) => it.name === notAfter);
    const [from, to] = [given.get(name) ?? schema.default, given.get(notAfter) ?? end?.schema.default];
    if (from === undefined || to === undefined || (from as string) <= (to as string)) continue;
    given.set(name, to);
    given.set(notAfter, from);
  }
  return given;
}

function written(
  request: DescribedRequest,
  token: string,
  values: ReadonlyMap<string, unknown>,
  content: unknown,
  more = '',
): SentRequest {
  const path = request.path.replace(/\{(\w+)\}/g, (_, name: string) => textOf(values.get(name)));
  const query = request.parameters
    .filter(({ name, place }) => place === 'query' && values.get(name) !== undefined)
    .map(({ name }) => `${name}=${textOf(values.get(name))}`);
  const search = [...query, ...(more === '' ? [] : [more])].join('&');
  return {
    method: request.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: {
      ...(request.needsToken ? { Authorization: `Bearer ${token}` } : {}),
      ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(content === undefined ? {} : { body: Buffer.from(JSON.stringify(content)) }),
  };
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join(',') : encodeURIComponent(String(value));
}
