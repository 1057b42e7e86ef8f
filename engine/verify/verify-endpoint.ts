import { basename } from 'node:path';
import { type TextRow, writePlainRows } from '../cells/row-writer.js';
import type { ExampleDefinition, ParameterValue } from '../definition/definition.js';
import { formatProblem } from '../definition/problem.js';
import type { BrokenEndpoint } from '../endpoint/broken-endpoint.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { EngineError } from '../interface/errors.js';
import { type RawParameters, rawFromValues } from '../parameters/parameter-values.js';
import type { Answer } from '../run/answer.js';
import type { Engine } from '../run/engine.js';
import { formatChoices } from '../template/template-variants.js';
import { baseValues, type Case, generateCases } from './cases.js';
import { findColumnMismatch } from './column-check.js';
import { variantValues } from './variant-values.js';

export interface Check {
  /** What the check examines: the file, a variant of the SQL, an example, a generated request or a declared column. */
  readonly kind: 'definition' | 'variant' | 'example' | 'case' | 'column';
  readonly name: string;
  readonly ok: boolean;
  readonly expected?: string;
  readonly got?: string;
  /** The duration of the check in milliseconds. */
  readonly ms: number;
}

export interface Verification {
  readonly name: string;
  readonly file: string;
  readonly ok: boolean;
  readonly checks: readonly Check[];
  /** The first rows of a valid request. */
  readonly rows: readonly TextRow[];
}

export interface VerifyOptions {
  readonly clock: () => Date;
  /** Returns milliseconds since any fixed moment. */
  readonly stopwatch: () => number;
  /** Base values that replace those of the definition. */
  readonly values?: Readonly<Record<string, ParameterValue>>;
  readonly signal?: AbortSignal;
}

/** Checks an endpoint on the database of the engine: its SQL variants, examples, columns, and generated requests. */
export async function verifyEndpoint(
  engine: Engine,
  endpoint: Endpoint,
  options: VerifyOptions,
): Promise<Verification> {
  // If the database rejects a query, all other checks would fail for the same reason.
  await engine.lookUp({ withinMs: endpoint.definition.limits.timeoutMs, ...options }, [endpoint]);
  await engine.refreshChoices({}, [endpoint]);
  const broken = engine.broken().find(({ file }) => file === endpoint.file);
  if (broken !== undefined) return createBrokenVerification(broken);
  const answers: Answer[] = [];
  const run = async (raw: RawParameters) => {
    options.signal?.throwIfAborted();
    const answer = await engine.run(endpoint, raw, options);
    answers.push(answer);
    return answer;
  };
  const { texts } = endpoint.query;
  const { examples, columns } = endpoint.definition;
  const base = baseValues(endpoint, options.values);
  const values = endpoint.readParameters(rawFromValues(endpoint.parameters, base));
  const { sql } = endpoint.query.compile(values, options.clock());
  const checks: Check[] = [];
  const check = async (kind: Check['kind'], name: string, find: () => Promise<Difference | undefined>) => {
    const started = options.stopwatch();
    const difference = await find().catch((error: unknown) => ({ expected: 'no error', got: reasonOf(error) }));
    checks.push({ kind, name, ok: difference === undefined, ...difference, ms: options.stopwatch() - started });
  };
  for (const { choices } of texts) {
    await check('variant', formatChoices(choices) || 'the only one', () => explain(engine, endpoint, base, choices));
  }
  for (const example of examples) await check('example', example.name, () => tryExample(endpoint, example, run));
  for (const one of generateCases(endpoint, base)) {
    await check('case', one.name, () => tryCase(endpoint, one, sql, options.clock(), run));
  }
  // Columns are checked only if a request was answered. Otherwise a failed check above contains the reason.
  for (const [index, column] of answers.length === 0 ? [] : columns.entries()) {
    const cells = answers.flatMap(({ rows }) => rows.map((row) => row[index] ?? null));
    await check('column', column.col, async () => findColumnMismatch(column, answers[0]?.columns[index], cells));
  }
  const { name } = endpoint.definition;
  const rows = writePlainRows(endpoint, answers.find((answer) => answer.rows.length > 0)?.rows.slice(0, 5) ?? []);
  return { name, file: endpoint.file, ok: checks.every(({ ok }) => ok), checks, rows };
}

/** Creates the verification of a broken definition: one failed check per problem. */
export function createBrokenVerification({ name, file, problems }: BrokenEndpoint): Verification {
  const checks = problems.map((problem): Check => {
    return { kind: 'definition', name: formatProblem(problem), ok: false, ms: 0 };
  });
  return { name: name ?? basename(file), file, ok: false, checks, rows: [] };
}

interface Difference {
  readonly expected: string;
  readonly got: string;
}

type Run = (raw: RawParameters) => Promise<Answer>;

async function explain(
  engine: Engine,
  endpoint: Endpoint,
  base: Readonly<Record<string, ParameterValue>>,
  choices: Readonly<Record<string, ParameterValue | null>>,
): Promise<Difference | undefined> {
  const values = variantValues(endpoint, base, choices);
  if ('missing' in values) return { expected: `an example of ${values.missing}`, got: 'none' };
  const plan = await engine.explain(endpoint, values.raw);
  return plan.rows.length > 0 ? undefined : { expected: 'a plan', got: 'nothing' };
}

async function tryExample(endpoint: Endpoint, example: ExampleDefinition, run: Run): Promise<Difference | undefined> {
  const answer = await run(rawFromValues(endpoint.parameters, example.params));
  if (example.rows === undefined) return undefined;
  const [expected, got] = [example.rows, writePlainRows(endpoint, answer.rows)].map((rows) => JSON.stringify(rows));
  return expected === got ? undefined : { expected: expected ?? '', got: got ?? '' };
}

async function tryCase(
  endpoint: Endpoint,
  { raw, expected, parameter }: Case,
  baseSql: string,
  now: Date,
  run: Run,
): Promise<Difference | undefined> {
  const outcome = await run(raw).catch((error: unknown) => error);
  if (outcome instanceof EngineError && outcome.code === 'bad_parameter') {
    if (expected === 'answer') return { expected, got: outcome.message };
    const named = outcome.details.parameters?.map((error) => error.parameter) ?? [];
    return named.includes(parameter) ? undefined : { expected: `an error naming ${parameter}`, got: outcome.message };
  }
  if (outcome instanceof Error) return { expected, got: reasonOf(outcome) };
  if (expected === 'bad_parameter') return { expected, got: 'an answer' };
  const { sql } = endpoint.query.compile(endpoint.readParameters(raw), now);
  return expected === 'answer' || sql === baseSql ? undefined : { expected: 'the same SQL', got: sql };
}

/** The author of a definition needs the message of the database, so the reason includes it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof EngineError ? error.details.cause : undefined;
  const { message } = (cause instanceof Error ? cause : error) as Error;
  return error instanceof EngineError ? `${error.code}: ${message}` : message;
}
