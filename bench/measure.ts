/**
 * A measured figure and its target. For a ratio, both values are measured in the same run. NaN means that the figure
 * was not measured.
 */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: '×' | '%' | 's' | 'h' | 'ms' | 'MB' | 'KB' | 'shift' | 'scans' | 'queries' | 'answers' | 'requests';
  readonly target: number;
  /** Whether the target is a maximum or a minimum. */
  readonly bound: 'at most' | 'at least';
  /** The measured values as text. */
  readonly detail: string;
  /** The measured values by name, for the JSON report. */
  readonly measured?: Readonly<Record<string, number>>;
}

/** Whether a figure meets its target; false for a figure that was not measured. */
export function meetsTarget({ value, target, bound }: Figure): boolean {
  return bound === 'at most' ? value <= target : value >= target;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  const lower = sorted[Math.ceil(middle) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('no values to take the median of');
  return (upper + lower) / 2;
}

/** Runs the functions alternately, round by round, so that changes in the speed of the machine affect all of them. */
export async function alternate<Name extends string, Result = number>(
  rounds: number,
  works: Readonly<Record<Name, (round: number) => Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  const results = Object.fromEntries(Object.keys(works).map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(works) as [Name, (round: number) => Promise<Result>][]) {
      results[name].push(await work(round));
    }
  }
  return results;
}
