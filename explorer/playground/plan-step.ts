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

/** Returns the number of pairs of rows of all inputs. A step without inputs has one pair. */
export function countPairs(inputs: readonly Pick<PlanStep, 'outputRows'>[]): number {
  // At least 1: an estimate of 0 must not hide the rows of the other inputs.
  return inputs.reduce((product, { outputRows }) => product * Math.max(1, outputRows), 1);
}

function countOwnRows({ outputRows, comparesAllPairs, inputs }: PlanStep): number {
  if (inputs.length === 1) return 0;
  return comparesAllPairs ? countPairs(inputs) : outputRows;
}
