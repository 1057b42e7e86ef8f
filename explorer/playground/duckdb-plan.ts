import type { ResultSet } from '../../engine/index.js';
import {
  countExaminedRows,
  countPairs,
  namedRows,
  type PlanRow,
  type PlanStep,
  type ReadPlan,
  readEstimate,
  shortened,
  UnreadablePlanError,
} from './plan.js';

/** Parses the result of DuckDB's `EXPLAIN (FORMAT JSON)`. Throws `UnreadablePlanError`. */
export function readDuckdbPlan(result: ResultSet): ReadPlan {
  const operators = readDuckdbOperators(result);
  const [root] = operators;
  if (root === undefined || operators.length > 1) {
    throw new UnreadablePlanError(`The plan of DuckDB has ${operators.length} roots; 1 is expected.`);
  }
  return { rows: toRows(root, 0), estimatedRows: countExaminedRows(toStep(root)) };
}

/** Reads the operators at the top of the plan, usually one. Throws `UnreadablePlanError`. */
export function readDuckdbOperators(result: ResultSet): readonly DuckdbOperator[] {
  const text = namedRows(result)
    .find((row) => row.get('explain_key') === 'physical_plan')
    ?.get('explain_value');
  return readOperators(parseJson(String(text)));
}

export interface DuckdbOperator {
  readonly name: string;
  readonly children: readonly DuckdbOperator[];
  readonly info: Readonly<Record<string, unknown>>;
}

/** The member of `info` that contains the estimated number of rows. */
export const ESTIMATE = 'Estimated Cardinality';

/**
 * Joins that compare all pairs of rows. Joins on inequalities sort their inputs first, but usually also return a large part of all pairs.
 */
const ALL_PAIRS = new Set([
  'CROSS_PRODUCT',
  'NESTED_LOOP_JOIN',
  'BLOCKWISE_NL_JOIN',
  'PIECEWISE_MERGE_JOIN',
  'IE_JOIN',
]);
/**
 * Operators that return at most the rows of their input. Above a LIMIT, their own estimate can be 0, so it is ignored. The plan does not
 * contain the number of rows of a LIMIT without ORDER BY, so a LIMIT does not reduce the estimate.
 */
const PASSING = new Set([
  ...['PROJECTION', 'ORDER_BY', 'WINDOW', 'STREAMING_WINDOW', 'LIMIT', 'STREAMING_LIMIT', 'LIMIT_PERCENT'],
]);
const SINGLE_ROW = new Set(['DUMMY_SCAN', 'EMPTY_RESULT', 'UNGROUPED_AGGREGATE', 'SIMPLE_AGGREGATE']);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadablePlanError('The plan of DuckDB is not JSON.', { cause });
  }
}

function readOperators(value: unknown): readonly DuckdbOperator[] {
  if (!Array.isArray(value)) throw new UnreadablePlanError('The plan of DuckDB has no list of operators.');
  return value.map((operator: unknown) => {
    const { name, children, extra_info: info } = (operator ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string') throw new UnreadablePlanError('An operator in the plan of DuckDB has no name.');
    const isObject = typeof info === 'object' && info !== null;
    return { name, children: readOperators(children), info: isObject ? { ...info } : {} };
  });
}

function toStep(operator: DuckdbOperator): PlanStep {
  const inputs = operator.children.map(toStep);
  return { inputs, outputRows: countOutput(operator, inputs), comparesAllPairs: ALL_PAIRS.has(operator.name) };
}

function countOutput({ name, info }: DuckdbOperator, inputs: readonly PlanStep[]): number {
  const [first, second] = inputs;
  const most = Math.max(0, ...inputs.map(({ outputRows }) => outputRows));
  if (SINGLE_ROW.has(name)) return 1;
  if (name === 'TOP_N' && info.Top !== undefined) return Math.min(most, readEstimate(info.Top));
  if (PASSING.has(name) && first !== undefined) return first.outputRows;
  if (name === 'UNION') return inputs.reduce((sum, { outputRows }) => sum + outputRows, 0);
  const estimate = info[ESTIMATE] === undefined ? undefined : readEstimate(info[ESTIMATE]);
  // Above a LIMIT, the estimates of joins and groups can also be 0.
  if (estimate !== undefined && (estimate > 0 || first === undefined)) return estimate;
  if (first === undefined) throw new UnreadablePlanError(`The operator ${name} in the plan of DuckDB has no estimate.`);
  // The pairs of a join below one of these operators are already counted.
  if (second === undefined || /DELIM_JOIN$|^CTE$/.test(name)) return most;
  if (estimate !== undefined && !ALL_PAIRS.has(name)) return most;
  return countPairs(inputs);
}

function toRows({ name, children, info }: DuckdbOperator, depth: number): PlanRow[] {
  const details = Object.entries(info).filter(([key, value]) => key !== ESTIMATE && String(value) !== '');
  const row = {
    operator: `${'  '.repeat(depth)}${name}`,
    estimatedRows: info[ESTIMATE] === undefined ? null : readEstimate(info[ESTIMATE]),
    details: shortened(details.map(([key, value]) => `${key}: ${writeDetail(key, value)}`).join('; ')),
  };
  return [row, ...children.flatMap((child) => toRows(child, depth + 1))];
}

/** Writes a detail of an operator. The name of a table starts with the name of the database file, which users must not see. */
function writeDetail(key: string, value: unknown): string {
  const text = [value].flat().map(String).join(', ');
  return key === 'Table' ? (text.split('.').at(-1) ?? '') : text;
}
