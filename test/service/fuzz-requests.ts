import { METHODS } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import { allowedValue } from './allowed-values.js';
import type { Document, DocumentOperation, DocumentParameter, Schema } from './answer-check.js';
import { resolveReferences } from './described-requests.js';
import type { SentRequest } from './send.js';

export interface FuzzRequest extends SentRequest {
  /** Whether the description allows the request. The service must not reject an allowed request as malformed. */
  readonly isValid: boolean;
}

/** Generates valid and invalid requests for the operations of a document. Values at the limits are frequent. */
export function fuzzRequests(document: Document, token: string): Arbitrary<FuzzRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const weighted = operations.map((it) => ({ weight: weightOf(it.path, it.operation), arbitrary: fc.constant(it) }));
  return fc.oneof(...weighted).chain(({ path, method, operation }) =>
    fc
      .record({
        parameters: fc.tuple(...operation.parameters.map((parameter) => parameterText(parameter))),
        extra: oftenNothing(
          fc.constantFrom('&unknown=1', '&__proto__=1', '&', '&=', '&%', '&page', '?x', '#x', '&a[b]=c'),
        ),
        end: fc.constantFrom('', '', '', '', '', '/', '//', '/.', '%2F', ';x=1'),
        method: fc.oneof({ weight: 12, arbitrary: fc.constant(method) }, { weight: 1, arbitrary: anyMethod }),
        headers: headersFor(operation, token),
        body: bodyFor(document, operation),
      })
      .map(({ parameters, extra, end, method: chosen, headers, body }) => {
        const values = new Map(operation.parameters.map(({ name }, index) => [name, parameters[index]] as const));
        const target = path.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name)?.texts[0] ?? '');
        const query = operation.parameters.flatMap(({ name, in: place }) =>
          place === 'query' ? (values.get(name)?.texts ?? []).map((text) => `${name}=${text}`) : [],
        );
        const search = query.join('&') + extra;
        const hasBody = !['GET', 'HEAD'].includes(chosen) && body !== undefined;
        return {
          method: chosen,
          path: sendable(`${target}${end}${search === '' ? '' : `?${search}`}`),
          headers: { ...headers.values, ...(hasBody ? body.headers : {}) },
          ...(hasBody ? { body: body.bytes } : {}),
          isValid:
            chosen === method &&
            extra === '' &&
            end === '' &&
            headers.isValid &&
            parameters.every((parameter) => parameter.isValid) &&
            // The values of a cursor only come from answers, so requests with a cursor do not count as valid.
            (values.get('cursor')?.texts ?? []).length === 0 &&
            (operation.requestBody === undefined ? body === undefined : body?.isValid === true),
        };
      }),
  );
}

/**
 * The weight of an operation. Named queries are rare, because `/v1` has the same queries. Operations with a body are frequent, because a
 * body has many possible faults.
 */
function weightOf(path: string, { requestBody }: DocumentOperation): number {
  if (requestBody !== undefined) return 10;
  return path.startsWith('/q/') ? 1 : 3;
}

interface Texts {
  /** Escaped values for the URL. The list is empty if the parameter is omitted, and has several values if it is repeated. */
  readonly texts: readonly string[];
  readonly isValid: boolean;
}

/** Names with a special meaning for parsers, databases or JavaScript. */
const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '+',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    'TRUE',
    'true ',
    '1e3',
    '0x10',
    '+1',
    '01',
    '-0',
    '-1',
    '1.0',
    '1,2',
  ],
  ...[
    '9007199254740993',
    '99999999999999999999999999',
    '2147483648',
    '0',
    '__proto__',
    'constructor',
    'toString',
    '..',
    '.',
  ],
  ...[
    "' OR 1=1 -- ",
    '";DROP TABLE users;',
    '{{ 7 }}',
    '{% if %}',
    '<script>',
    '$' + '{7}',
    '\\',
    '/',
    '*',
    '%',
    '_',
    ':p1',
    '?',
    '😀',
    'é',
    '\u202e',
    '\ufeff',
  ],
  ...[
    '2021-02-30',
    '0000-00-00',
    '2021-1-1',
    '10000-01-01',
    '2021-01-01T00:00:00Z',
    'x'.repeat(300),
    'x'.repeat(5_000),
  ],
].map(encodeURIComponent);
/** Percent-encoded bytes that are not UTF-8, and invalid percent-encoding. */
const BROKEN_ESCAPES = [
  '%',
  '%zz',
  '%C0%80',
  '%ED%A0%80',
  '%FF',
  '%E0%A4%A',
  '%00',
  '%0d%0aX-Injected:%201',
  '%25',
  '%u0041',
];

const anyMethod = fc.constantFrom(...METHODS.filter((method) => method !== 'CONNECT'));

function parameterText({ required, schema, in: place, name }: DocumentParameter): Arbitrary<Texts> {
  const right = validText(name, schema);
  const wrong = fc.oneof(
    fc.constantFrom(...ODD_TEXTS),
    fc.constantFrom(...BROKEN_ESCAPES),
    fc.string().map(encodeURIComponent),
  );
  const one = (isValid: boolean) => (text: string) => ({ texts: [text], isValid });
  const choices = [
    { weight: 12, arbitrary: right.map(one(true)) },
    { weight: 2, arbitrary: wrong.map(one(false)) },
  ];
  if (place === 'path') return fc.oneof(...choices);
  return fc.oneof(
    ...choices,
    { weight: required ? 1 : 12, arbitrary: fc.constant({ texts: [], isValid: !required }) },
    { weight: 1, arbitrary: fc.tuple(right, wrong).map((texts) => ({ texts, isValid: false })) },
  );
}

/** Generates a value that the schema allows, escaped for a URL. */
function validText(name: string, schema: Schema): Arbitrary<string> {
  const value = schema.format === 'date' ? days(name) : allowedValue(schema);
  return value.map((made) => encodeURIComponent(String(made)));
}

/** Generates a day for `from` or `to`. A day for `from` is always before a day for `to`. */
function days(name: string): Arbitrary<string> {
  const [min, max] = name === 'from' ? ['1000-01-01', '2024-12-31'] : ['2025-01-01', '9999-12-31'];
  return fc
    .date({ min: new Date(min), max: new Date(max), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
}

interface Headers {
  readonly values: Readonly<Record<string, string>>;
  readonly isValid: boolean;
}

function headersFor({ security }: DocumentOperation, token: string): Arbitrary<Headers> {
  const credential = fc.constantFrom(
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'Bearer a.b.c',
    `bearer ${token}x`,
    'x'.repeat(9_000),
  );
  const right = security.length === 0 ? {} : { Authorization: `Bearer ${token}` };
  const odd = fc.constantFrom<Record<string, string>>(
    { Accept: 'text/html' },
    { Accept: 'image/png;q=1, */*;q=0' },
    { Accept: 'no media type' },
    { 'Accept-Encoding': 'gzip, br, identity;q=0' },
    { 'X-Request-Id': 'x'.repeat(65) },
    { 'X-Request-Id': '../../etc/passwd' },
    { 'X-Forwarded-For': '1.2.3.4, not an address' },
    { Origin: 'https://elsewhere.example' },
    { 'If-None-Match': '*' },
    { 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    { Range: 'bytes=0-1' },
    { 'Content-Type': 'application/json; charset=koi8-r' },
    { 'X-HTTP-Method-Override': 'DELETE' },
    { Cookie: 'session=%00; a=b; __proto__=x' },
    { Upgrade: 'h2c' },
  );
  return fc.oneof(
    { weight: 10, arbitrary: fc.constant({ values: right, isValid: true }) },
    { weight: 4, arbitrary: odd.map((values) => ({ values: { ...right, ...values }, isValid: false })) },
    { weight: 2, arbitrary: credential.map((text) => ({ values: { Authorization: text }, isValid: false })) },
    { weight: 1, arbitrary: fc.constant({ values: {}, isValid: security.length === 0 }) },
  );
}

interface Body {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly isValid: boolean;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

function bodyFor(document: Document, { requestBody }: DocumentOperation): Arbitrary<Body | undefined> {
  if (requestBody === undefined) return oftenUndefined(fc.constantFrom(body('{}'), body('x', {})));
  const right = allowedValue(resolveReferences(document, requestBody.content['application/json'].schema)).map(
    (value) => ({
      ...body(JSON.stringify(value)),
      isValid: true,
    }),
  );
  const broken = fc.constantFrom(
    ...[
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '{"__proto__":{"x":1}}',
      '{"constructor":1}',
      '[[[[]]]]',
      '{"a":1}{',
      '\ufeff{}',
      'NaN',
    ].map((text) => body(text)),
    body('['.repeat(20_000)),
    body(JSON.stringify({ sql: 'x'.repeat(200_000), enable: 'x'.repeat(200_000) })),
    { ...body('{}'), bytes: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) },
    body('{"enable":true}', { 'Content-Type': 'text/plain' }),
    body('{"enable":true}', { 'Content-Type': 'application/json; charset=utf-7' }),
    body('{"enable":true}', {}),
    body('{"enable":true}', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }),
    body('{"enable":true}', { ...JSON_TYPE, 'Content-Encoding': 'no-such' }),
    {
      bytes: gzipSync(Buffer.alloc(3_000_000, 0x20)),
      headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
      isValid: false,
    },
  );
  const altered = fc.tuple(right, fc.jsonValue()).map(([{ bytes }, value]) => {
    const whole = JSON.parse(String(bytes)) as Record<string, unknown>;
    const [key = 'x'] = Object.keys(whole);
    return body(JSON.stringify({ ...whole, [key]: value, more: value }));
  });
  return fc.oneof(
    { weight: 6, arbitrary: right },
    { weight: 3, arbitrary: broken },
    { weight: 3, arbitrary: altered },
    { weight: 1, arbitrary: fc.jsonValue().map((value) => body(JSON.stringify(value))) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

function body(text: string, headers: Readonly<Record<string, string>> = JSON_TYPE): Body {
  return { bytes: Buffer.from(text), headers, isValid: false };
}

function oftenNothing(arbitrary: Arbitrary<string>): Arbitrary<string> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant('') }, { weight: 1, arbitrary });
}

function oftenUndefined<T>(arbitrary: Arbitrary<T>): Arbitrary<T | undefined> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

function sendable(path: string): string {
  return path.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}
