import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../../answers/answer.js';
import { type TextRow, writeTextRows } from '../../answers/cells/cells.js';
import { listRowDifferences } from '../../answers/cells/row-difference.js';
import type { Engine } from '../../answers/engine.js';
import type { ParameterValue } from '../../definitions/definition.js';
import { type Endpoint, trialRequest } from '../../definitions/endpoint/endpoint.js';
import { type Check, CheckList, explainError } from './check-list.js';
import { type FixtureEngine, FixtureError } from './fixture-engine.js';
import { comparedFacts, FACTS, type Facts } from './verify-fixtures.js';

/** New expected rows for an example or a fixture. */
export interface RowsEdit {
  readonly list: 'examples' | 'fixtures';
  readonly index: number;
  readonly name: string;
  readonly rows: readonly TextRow[];
  /** New expected notices and sources; absent if the definition does not compare them. */
  readonly facts: Facts;
}

export interface NewRows {
  readonly edits: readonly RowsEdit[];
  /** One failed check for each request without an answer. */
  readonly failed: readonly Check[];
}

export interface NewRowsOptions {
  /** Whether rows are also added to examples without the key `rows`. */
  readonly addsRows: boolean;
  /** The engine for examples; without it, only fixtures get new rows. */
  readonly engine: Engine | undefined;
  readonly fixtures: FixtureEngine | undefined;
  readonly stopwatch: () => number;
  readonly signal?: AbortSignal;
}

/** Runs the examples and fixtures of an endpoint, and returns the rows that differ from the expected ones. */
export async function findNewRows(endpoint: Endpoint, options: NewRowsOptions): Promise<NewRows> {
  const { addsRows, engine, fixtures, stopwatch, signal } = options;
  const edits: RowsEdit[] = [];
  const checks = new CheckList(stopwatch, signal);
  const update = (list: RowsEdit['list'], index: number, request: Request, run: () => Promise<Answer>) => {
    const find = async () => {
      const edit = editOf(endpoint, list, index, request, await run());
      if (edit !== undefined) edits.push(edit);
      return undefined;
    };
    const explain = (error: unknown) => {
      if (error instanceof FixtureError) return error.problems;
      return explainError(endpoint, error, 'an answer', endpoint.problem([list, index], ''));
    };
    return checks.add(list === 'examples' ? 'example' : 'fixture', request.name, find, explain);
  };
  const { definition } = endpoint;
  const limits = signal === undefined ? {} : { signal };
  for (const [index, example] of engine === undefined ? [] : definition.examples.entries()) {
    if (example.rows === undefined && !addsRows) continue;
    const run = async () => {
      if (engine === undefined) throw new Error('the data are not open');
      return engine.run(endpoint, trialRequest(endpoint, example.params), limits);
    };
    await update('examples', index, example, run);
  }
  for (const [index, fixture] of fixtures === undefined ? [] : definition.fixtures.entries()) {
    const run = async () => {
      if (fixtures === undefined) throw new Error('the database of the fixtures is not open');
      return fixtures.run(endpoint, fixture, signal);
    };
    await update('fixtures', index, fixture, run);
  }
  return { edits, failed: checks.all.filter(({ ok }) => !ok) };
}

interface Request extends Facts {
  readonly name: string;
  readonly params: Readonly<Record<string, ParameterValue>>;
  readonly rows?: readonly TextRow[];
}

function editOf(
  endpoint: Endpoint,
  list: RowsEdit['list'],
  index: number,
  { name, rows: expected, ...written }: Request,
  answer: Answer,
): RowsEdit | undefined {
  const rows = writeTextRows(endpoint, answer.rows);
  const facts = comparedFacts(written, answer);
  const isSame = expected !== undefined && listRowDifferences(expected, rows, 1).length === 0;
  if (isSame && FACTS.every((key) => isDeepStrictEqual(facts[key], written[key]))) return undefined;
  return { list, index, name, rows, facts };
}
