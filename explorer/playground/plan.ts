import type { Cell, ResultSet } from '../../engine/index.js';

/** One step of a plan, for people. */
export type PlanRow = Readonly<Record<string, string | number | null>>;

/** The plan of a query. It names no schema, file or server. */
export interface ReadPlan {
  readonly rows: readonly PlanRow[];
  /** The number of rows that the database has to read and compare, as it estimates it. Can be infinite. */
  readonly estimatedRows: number;
}

/** The plan has another form than expected, so that the cost of the query is unknown. */
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

/** Reads a number that the database estimates. Throws `UnreadablePlanError` for anything but a number of 0 or more. */
export function readEstimate(cell: unknown): number {
  const number = typeof cell === 'string' && cell.trim() === '' ? Number.NaN : Number(cell ?? Number.NaN);
  if (number >= 0) return number;
  throw new UnreadablePlanError(`The plan has the estimate ${cell}; a number of 0 or more is expected.`);
}
