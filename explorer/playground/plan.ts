import type { Cell, ResultSet } from '../../engine/index.js';

/** One step of a plan, as a table row for users. */
export type PlanRow = Readonly<Record<string, string | number | null>>;

/** The plan of a query. The plan contains no names of schemas, files or servers. */
export interface ReadPlan {
  readonly rows: readonly PlanRow[];
  /** The number of rows that the database has to read and compare, as estimated by the database. Can be infinite. */
  readonly estimatedRows: number;
}

/** Thrown if the plan does not have the expected form, so that the cost of the query is unknown. */
export class UnreadablePlanError extends Error {
  override readonly name = 'UnreadablePlanError';
}

/** The maximum number of characters of a text in a `PlanRow`. */
const MAX_TEXT_LENGTH = 300;

export function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_TEXT_LENGTH)];
  return characters.length > MAX_TEXT_LENGTH ? `${characters.slice(0, MAX_TEXT_LENGTH).join('')}…` : text;
}

/** Returns the rows of a plan as objects whose keys are the names of the columns. */
export function namedRows({ columns, rows }: ResultSet): ReadonlyMap<string, Cell>[] {
  return rows.map((row) => new Map(columns.map(({ name }, index) => [name, row[index] ?? null])));
}

/** Reads an estimate of the database. Throws `UnreadablePlanError` if it is not a number, or negative. */
export function readEstimate(cell: unknown): number {
  const number = typeof cell === 'string' && cell.trim() === '' ? Number.NaN : Number(cell ?? Number.NaN);
  if (number >= 0) return number;
  throw new UnreadablePlanError(`The plan has the estimate ${cell}; a number of 0 or more is expected.`);
}

/** A step of a query plan that is a tree. */
export interface PlanStep {
  /** The number of rows that the step returns. */
  readonly outputRows: number;
  /** Whether the step compares each row of one input with each row of the other. */
  readonly comparesAllPairs: boolean;
  readonly inputs: readonly PlanStep[];
}

/**
 * Returns the number of rows that a step and its inputs read and compare: the rows of each table and of each join. A join that compares all
 * pairs counts the pairs, because its conditions only remove rows from its result. Steps that read no table, such as sorting, read only
 * rows that are already counted.
 */
export function countExaminedRows(step: PlanStep): number {
  const ofInputs = step.inputs.reduce((sum, input) => sum + countExaminedRows(input), 0);
  return ofInputs + countOwnRows(step);
}

/** Returns the number of combinations of one row of each input: the product of their numbers of rows, or 1 without inputs. */
export function countPairs(inputs: readonly Pick<PlanStep, 'outputRows'>[]): number {
  // At least 1: an estimate of 0 must not hide the rows of the other inputs.
  return inputs.reduce((product, { outputRows }) => product * Math.max(1, outputRows), 1);
}

function countOwnRows({ outputRows, comparesAllPairs, inputs }: PlanStep): number {
  if (inputs.length === 1) return 0;
  return comparesAllPairs ? countPairs(inputs) : outputRows;
}
