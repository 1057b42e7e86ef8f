import type { Engine } from '../../answers/engine.js';
import { derive } from '../../answers/live/derive.js';
import { EngineError } from '../../databases/interface/errors.js';
import { DEFAULT_PREFIXES } from '../../definitions/definition-shape.js';
import { type BrokenEndpoint, brokenEndpointError } from '../../definitions/endpoint/broken-endpoint.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { createParameterReader } from '../../definitions/parameters/parameter-values.js';
import { keyOfTarget, type TargetRequest } from '../cache/answer-cache.js';
import { type AskedFormat, type Format, readFormat, splitSuffix } from '../formats/format.js';
import { isRead, methodNotAllowed } from '../operations/allowed-methods.js';
import { compareSpecificity, expressPath } from '../operations/route-path.js';
import { isPublicPath } from '../problems/error-answers.js';
import { HttpProblem } from '../problems/http-problem.js';
import { decodeParameter, readQuery } from '../requests/read-request.js';

/** The route of a path under `/v1` or `/q`. */
export interface DefinitionRoute {
  /** The name of the definition, or the id of the operation, for records; undefined for an unknown path. */
  readonly operation: string | undefined;
  /** Converts a request to a request for the cache. Throws if the request is invalid. */
  readonly read: (request: RoutedRequest) => TargetRequest;
}

/** The parts of a request that routes read: its method, its target as sent, and the format that its header `Accept` prefers. */
export interface RoutedRequest {
  readonly method: string;
  readonly target: string;
  readonly accepted: Format;
}

/** Finds the route of a path without its query string. Returns undefined for paths of other operations. */
export type FindDefinition = (path: string) => DefinitionRoute | undefined;

/** The id of the operation `/q/{wildcard}`. */
export const NAMED_QUERY = 'named-query';

/** Creates the function that finds the routes of all definitions. `operations` are hand-written and can also have paths under `/q/`; paths with
 * one of the `prefixes` belong to definitions only. */
export function createDefinitionFinder(
  engine: Engine,
  operations: readonly { readonly path: string }[],
  prefixes: readonly string[] = DEFAULT_PREFIXES,
): FindDefinition {
  const findRoute = createRouteFinder(engine);
  const reserved = new Set(operations.map(({ path }) => path.replace(/\/$/, '')));
  return (path) => {
    if (isPublicPath(path, prefixes)) return publicRoute(findRoute(path), path);
    const [, queryPath, name] = NAMED_PATH.exec(path) ?? [];
    if (queryPath === undefined || name === undefined || reserved.has(queryPath)) return undefined;
    return namedRoute(engine, path, name);
  };
}

const NAMED_PATH = /^(\/q\/([^/]+))\/?$/;

function publicRoute(route: EndpointRoute | undefined, path: string): DefinitionRoute {
  if (route === undefined) {
    const message = `There is no operation at ${path}; /docs lists all operations.`;
    return {
      operation: undefined,
      read: () => {
        throw new EngineError('endpoint_not_found', message);
      },
    };
  }
  const { endpoint } = route;
  return {
    operation: 'problems' in endpoint ? endpoint.name : endpoint.definition.name,
    read: ({ method, target, accepted }) => {
      requireRead(method, path);
      return publicRequest(route, target, accepted);
    },
  };
}

function namedRoute(engine: Engine, path: string, text: string): DefinitionRoute {
  return {
    operation: NAMED_QUERY,
    read: ({ method, target, accepted }) => {
      requireRead(method, path);
      const name = readName({ path: { wildcard: decodeParameter(text, 'wildcard') }, query: {} }).wildcard as string;
      const split = splitSuffix(name);
      return namedRequest(engine, split?.text ?? name, target, { accepted, suffix: split?.suffix });
    },
  };
}

function requireRead(method: string, path: string): void {
  if (!isRead(method)) throw methodNotAllowed(method, path, ['GET', 'HEAD', 'OPTIONS']);
}

export const NAME = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'Name of the definition. Its parameters are query parameters of the request.',
  example: 'list-collections',
} as const;

const readName = createParameterReader({ wildcard: { ...NAME, in: 'path' } });

/**
 * Converts a request for a definition by name to a request for the cache. The format is JSON if `asked` is absent.
 * Throws `query_not_found`, `endpoint_broken`, and the errors of `readFormat`.
 */
export function namedRequest(engine: Engine, name: string, target: string, asked?: AskedFormat): TargetRequest {
  const { generation } = engine;
  const stable = endpointOf(engine, name);
  const all = readQuery(target);
  const { format, query } = asked === undefined ? { format: undefined, query: all } : readFormat(stable, all, asked);
  const raw = { path: {}, query };
  const endpoint = engine.select(stable, raw, target);
  const key = keyOfTarget(target, asked?.accepted ?? 'json');
  return { endpoint, raw, representation: format ?? 'query', target: key, generation };
}

/** Returns a definition by its name. Throws `query_not_found` and `endpoint_broken`. */
export function endpointOf(engine: Engine, name: string): Endpoint {
  try {
    return engine.endpoint(name);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'endpoint_not_found') throw error;
    throw new HttpProblem('query_not_found', `${error.message} /openapi.json lists all endpoints.`);
  }
}

/** The definition that answers requests for a path. */
export interface EndpointRoute {
  readonly endpoint: Endpoint | BrokenEndpoint;
  /** The values of the path parameters, as sent. */
  readonly path: Readonly<Record<string, string>>;
  /** The format in the suffix of the path, such as `.csv`; undefined if the path has no such suffix. */
  readonly suffix: Format | undefined;
  /** The generation of the definitions when the route was found. */
  readonly generation: number;
  readonly select: Engine['select'];
}

/** Finds the route of a path without its query string. Returns undefined if no definition has such a path. */
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
      // If the path ends with a parameter, the suffix is part of the parameter's value.
      if (suffix !== undefined && expected.at(-1)?.parameter !== undefined) continue;
      const values = match(expected, segments);
      if (values !== undefined) return { endpoint, path: values, suffix, generation: engine.generation, select };
    }
    return undefined;
  };
  // A suffix is only removed if the complete path belongs to no definition, so that a suffix never changes the meaning of a path.
  return (path) => find(path, undefined) ?? findWithSuffix(path, find);
}

function findWithSuffix(
  path: string,
  find: (path: string, suffix: Format) => EndpointRoute | undefined,
): EndpointRoute | undefined {
  const split = splitSuffix(path);
  return split && find(split.text, split.suffix);
}

/** Compiles all paths, grouped by their number of segments. */
function compilePaths(engine: RoutedDefinitions): ReadonlyMap<number, readonly CompiledPath[]> {
  const byLength = new Map<number, CompiledPath[]>();
  for (const compiled of mostSpecificFirst(engine)) {
    const { length } = compiled.segments;
    byLength.set(length, [...(byLength.get(length) ?? []), compiled]);
  }
  return byLength;
}

/**
 * Converts a request for a path to a request for the cache. Throws `endpoint_broken`, `bad_parameter` for malformed
 * text, and the errors of `readFormat`.
 */
function publicRequest(route: EndpointRoute, target: string, accepted: Format): TargetRequest {
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

/** Compiles and sorts paths, the most specific first. If a broken and a valid definition have the same path, the valid one comes first. */
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

/** Splits a path into segments. A slash at the end is ignored. */
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
