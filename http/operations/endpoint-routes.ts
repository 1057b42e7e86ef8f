import type { RequestHandler } from 'express';
import { type BrokenEndpoint, brokenEndpointError, derive, type Endpoint, type Engine } from '../../engine/index.js';
import { type AnswerCache, keyOfTarget, type TargetRequest } from '../cache/answer-cache.js';
import { deprecationHeaders } from '../cache/deprecation-headers.js';
import { sendAnswer, setHeaders } from '../cache/send-answer.js';
import { serveTarget } from '../cache/serve-target.js';
import { acceptedFormat } from '../formats/accepted-format.js';
import { readFormat, splitSuffix } from '../formats/asked-format.js';
import type { Format } from '../formats/format.js';
import { recordOf } from '../records/request-record.js';
import { abortOnClose, decodeParameter, readQuery } from '../requests/read-request.js';
import { isStreamed, streamAnswer } from '../streams/stream-answer.js';
import { allowOnly } from './allowed-methods.js';
import type { ApplyLimit } from './operation.js';
import { compareSpecificity, expressPath } from './route-path.js';

/** The definition that answers the requests for a path. */
export interface EndpointRoute {
  readonly endpoint: Endpoint | BrokenEndpoint;
  /** The values of the path parameters, as sent. */
  readonly path: Readonly<Record<string, string>>;
  /** The format of the suffix of the path, if the path without it is the path of the definition. */
  readonly suffix: Format | undefined;
  /** The generation of the definitions in which the route was found. */
  readonly generation: number;
  readonly select: Engine['select'];
}

/** Finds the route of a path without its query. Undefined if no definition has such a path. */
export type FindRoute = (path: string) => EndpointRoute | undefined;

type RoutedDefinitions = Pick<Engine, 'endpoints' | 'generation' | 'broken' | 'select'>;

/**
 * Creates the function that finds routes in the current definitions, including broken definitions. Literal segments take precedence
 * over parameters.
 */
export function createRouteFinder(engine: RoutedDefinitions): FindRoute {
  const current = derive(engine, compilePaths);
  const select: Engine['select'] = (endpoint, raw, target) => engine.select(endpoint, raw, target);
  const find = (path: string, suffix: Format | undefined): EndpointRoute | undefined => {
    const segments = segmentsOf(path);
    for (const { endpoint, segments: expected } of current().get(segments.length) ?? []) {
      // After a parameter, a suffix would be part of its value, for example of the name of a repository.
      if (suffix !== undefined && expected.at(-1)?.parameter !== undefined) continue;
      const values = match(expected, segments);
      if (values !== undefined) return { endpoint, path: values, suffix, generation: engine.generation, select };
    }
    return undefined;
  };
  // A suffix is only read where the path as sent belongs to no definition, so that it never changes the meaning of a path.
  return (path) => find(path, undefined) ?? findWithSuffix(path, find);
}

function findWithSuffix(
  path: string,
  find: (path: string, suffix: Format) => EndpointRoute | undefined,
): EndpointRoute | undefined {
  const split = splitSuffix(path);
  return split && find(split.text, split.suffix);
}

/** Compiles the paths by their number of segments. */
function compilePaths(engine: RoutedDefinitions): ReadonlyMap<number, readonly CompiledPath[]> {
  const byLength = new Map<number, CompiledPath[]>();
  for (const compiled of mostSpecificFirst(engine)) {
    const { length } = compiled.segments;
    byLength.set(length, [...(byLength.get(length) ?? []), compiled]);
  }
  return byLength;
}

/**
 * Counts every request for a public path against the limits. Also a rejected request belongs to its definition, so that its log line and
 * metrics show what the clients over a limit ask for.
 */
export function limitPublicRoutes(applyLimit: ApplyLimit, findRoute: FindRoute): RequestHandler {
  return async (request, response, next) => {
    try {
      await applyLimit(request);
    } catch (error) {
      const route = findRoute(request.baseUrl + request.path);
      if (route !== undefined) recordOf(response).operation = nameOf(route);
      throw error;
    }
    next();
  };
}

/** Answers the GET requests for all definitions with a path. */
export function publicRoutes(
  findRoute: FindRoute,
  cache: Pick<AnswerCache, 'serve'>,
  engine: Pick<Engine, 'identify' | 'stream'>,
): RequestHandler {
  const rejectMethod = allowOnly('GET');
  return async (request, response, next) => {
    const route = findRoute(request.path);
    if (route === undefined) return next();
    const record = recordOf(response);
    record.operation = nameOf(route);
    if (request.method !== 'GET' && request.method !== 'HEAD') return rejectMethod(request, response, next);
    const { originalUrl: target } = request;
    const wanted = publicRequest(route, target, acceptedFormat(request.headers.accept));
    // An error of a deprecated endpoint has these headers too.
    setHeaders(response, deprecationHeaders(wanted.endpoint.definition));
    if (isStreamed(wanted)) return streamAnswer(engine, wanted, request, response);
    const answer = await serveTarget(cache, wanted, request, { signal: abortOnClose(response), requestId: record.id });
    sendAnswer(request, response, answer, target);
  };
}

function nameOf({ endpoint }: EndpointRoute): string | undefined {
  return 'problems' in endpoint ? endpoint.name : endpoint.definition.name;
}

/**
 * Returns what a route asks of the cache. Throws `endpoint_broken`, `bad_parameter` for malformed text, and the errors of
 * `readFormat`.
 */
export function publicRequest(route: EndpointRoute, target: string, accepted: Format): TargetRequest {
  const { endpoint, path, suffix, generation, select } = route;
  if ('problems' in endpoint) throw brokenEndpointError(endpoint);
  const decoded = Object.entries(path).map(([name, text]) => [name, decodeParameter(text, name)]);
  const { format, query } = readFormat(endpoint, readQuery(target), { accepted, suffix });
  const raw = { path: Object.fromEntries(decoded), query };
  const key = keyOfTarget(target, accepted);
  return {
    endpoint: select(endpoint, raw, target),
    raw,
    representation: format ?? 'envelope',
    target: key,
    generation,
  };
}

interface CompiledPath {
  readonly endpoint: Endpoint | BrokenEndpoint;
  readonly segments: readonly Segment[];
}

interface Segment {
  readonly text: string;
  /** The name of the parameter; undefined for literal text. */
  readonly parameter: string | undefined;
}

/** If a broken and a valid definition have the same path, the valid definition answers. */
function mostSpecificFirst(engine: RoutedDefinitions): CompiledPath[] {
  const { endpoints } = engine;
  const loaded = new Set(endpoints.map(({ file }) => file));
  const broken = engine.broken().filter(({ file }) => !loaded.has(file));
  return [
    ...endpoints.map((endpoint) => ({ endpoint, path: endpoint.definition.path })),
    ...broken.map((endpoint) => ({ endpoint, path: endpoint.path })),
  ]
    .flatMap(({ endpoint, path }) => (path === undefined ? [] : [{ endpoint, path }]))
    .sort((a, b) => compareSpecificity(expressPath(a.path), expressPath(b.path)))
    .map(({ endpoint, path }) => ({ endpoint, segments: segmentsOf(path).map(compileSegment) }));
}

function compileSegment(text: string): Segment {
  return { text, parameter: /^\{(\w+)\}$/.exec(text)?.[1] };
}

/** Splits a path. A slash at its end does not count. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function match(expected: readonly Segment[], segments: readonly string[]): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  for (let place = 0; place < expected.length; place += 1) {
    const { text, parameter } = expected[place] as Segment;
    const segment = segments[place] as string;
    if (parameter === undefined) {
      if (segment !== text) return undefined;
    } else {
      if (segment === '') return undefined;
      values[parameter] = segment;
    }
  }
  return values;
}
