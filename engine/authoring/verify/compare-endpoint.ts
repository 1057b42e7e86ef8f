import type { Answer } from '../../answers/answer.js';
import { type TextRow, writeNativeRows, writeTextRows } from '../../answers/cells/cells.js';
import { findRowDifference, type RowDifference } from '../../answers/cells/row-difference.js';
import type { Engine } from '../../answers/engine.js';
import { EngineError } from '../../databases/interface/errors.js';
import type { ParameterDefinition, ParameterValue } from '../../definitions/definition.js';
import { type Endpoint, trialRequest } from '../../definitions/endpoint/endpoint.js';
import { isOptional } from '../../definitions/template/template-condition.js';
import { baseValues, validValues } from './cases.js';

/** The result of a comparison of two databases. */
export interface Comparison {
  readonly name: string;
  readonly requests: number;
  /** The number of rows that the first database returned. */
  readonly rows: number;
  readonly differences: readonly AnswerDifference[];
}

export interface AnswerDifference extends RowDifference {
  readonly request: RequestValues;
}

export interface CompareOptions {
  /**
   * Additional base values. Each entry produces an additional set of requests, after the requests with the endpoint's
   * own base values.
   */
  readonly bases?: readonly RequestValues[];
  readonly signal?: AbortSignal;
}

/** Sends generated requests to the engines of two databases and compares the answers. Rows must be byte-equal and in the same order. */
export async function compareEndpoint(
  one: Compared,
  other: Compared,
  name: string,
  { bases = [], signal }: CompareOptions = {},
): Promise<Comparison> {
  const requests = [{}, ...bases].flatMap((base) => generateRequests(one.endpoint(name), base));
  const differences: AnswerDifference[] = [];
  let rows = 0;
  for (const request of requests) {
    signal?.throwIfAborted();
    const answers = await Promise.all([one, other].map((engine) => outcomeOf(engine, name, request, signal)));
    const [left, right] = answers as [Outcome, Outcome];
    rows += left.rows.length;
    const difference = findDifference(left, right);
    if (difference !== undefined) differences.push({ request, ...difference });
  }
  return { name, requests: requests.length, rows, differences };
}

/** The part of an engine that a comparison uses. */
export type Compared = Pick<Engine, 'endpoint' | 'run'>;

interface Outcome {
  /**
   * The error of a request. All requests are valid, so an error counts as a difference even if both databases return
   * the same error.
   */
  readonly error: string | undefined;
  readonly rows: readonly TextRow[];
  /** The same rows as native values. */
  readonly native: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

async function outcomeOf(
  engine: Compared,
  name: string,
  values: RequestValues,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const endpoint = engine.endpoint(name);
  try {
    const raw = trialRequest(endpoint, values);
    return outcomeOfAnswer(endpoint, await engine.run(endpoint, raw, signal === undefined ? {} : { signal }));
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'query_cancelled') throw error;
    const cause = error.details.cause instanceof Error ? `: ${error.details.cause.message}` : '';
    return { error: `${error.code}${cause}`, rows: [], native: [], metadata: {} };
  }
}

function outcomeOfAnswer(endpoint: Endpoint, answer: Answer): Outcome {
  return {
    error: undefined,
    rows: writeTextRows(endpoint, answer.rows),
    native: writeNativeRows(endpoint, answer.rows).map((row) => JSON.stringify(row)),
    metadata: {
      'whether there are more rows': String(answer.truncated),
      notices: JSON.stringify([...answer.notices, ...answer.emptyNotices]),
      sources: JSON.stringify(answer.sources ?? null),
      'the age of the data': String(answer.dataAsOf?.toISOString()),
    },
  };
}

function findDifference(one: Outcome, other: Outcome): RowDifference | undefined {
  const part = (at: string, left = 'nothing', right = 'nothing') =>
    left === right ? undefined : { at, one: left, other: right };
  const rows = Array.from({ length: Math.max(one.rows.length, other.rows.length) }, (_, index) => index);
  if (one.error !== undefined || other.error !== undefined) {
    return { at: 'the error', one: one.error ?? 'no error', other: other.error ?? 'no error' };
  }
  return (
    findRowDifference(one.rows, other.rows) ??
    findFirst(rows, (index) => part(`row ${index + 1}, as native values`, one.native[index], other.native[index])) ??
    findFirst(Object.keys(one.metadata), (key) => part(key, one.metadata[key], other.metadata[key]))
  );
}

function findFirst<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

type RequestValues = Readonly<Record<string, ParameterValue>>;

/**
 * Generates valid requests: the examples, and all combinations of enums, booleans and optional lists. All other parameters have their base
 * values; further requests replace one of these values by a bound. Values in `base` replace base values of the same name.
 */
function generateRequests(endpoint: Endpoint, base: RequestValues = {}): RequestValues[] {
  const parameters = Object.entries(endpoint.parameters);
  const known = Object.entries(base).filter(([name]) => name in endpoint.parameters);
  const start = { ...baseValues(endpoint), ...Object.fromEntries(known) };
  const bounds = parameters.filter(([, definition]) => !isChoice(definition)).flatMap(boundsOf);
  const combined = parameters
    .filter(([, definition]) => isChoice(definition))
    .reduce<RequestValues[]>(
      (requests, [name, definition]) =>
        requests.flatMap((values) => {
          const { [name]: _removed, ...others } = values;
          const present = validValues(definition).map((value) => ({ ...values, [name]: value }));
          return isOptionalList(definition) ? [...present, others] : present;
        }),
      [start],
    );
  return [
    ...combined.flatMap((values) => [values, ...bounds.map((bound) => ({ ...values, ...bound }))]),
    ...endpoint.definition.examples.map(({ params }) => params),
  ];
}

function isChoice(definition: ParameterDefinition): boolean {
  return definition.enum !== undefined || definition.type === 'boolean' || isOptionalList(definition);
}

/** Whether a parameter is an optional list. The absence of such a list selects a different SQL variant. */
function isOptionalList(definition: ParameterDefinition): boolean {
  return definition.type === 'array' && isOptional(definition);
}

function boundsOf([name, definition]: readonly [string, ParameterDefinition]): RequestValues[] {
  return validValues(definition).map((value) => ({ [name]: value }));
}
