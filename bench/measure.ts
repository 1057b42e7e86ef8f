/**
 * A figure of the benchmark: a ratio measured side by side in this run, against the bar it must keep. A value that could
 * not be measured is NaN, which keeps nothing.
 */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: '×' | 's' | 'ms' | 'MB' | 'scans';
  readonly bar: number;
  /** Whether the bar is the most or the least that the figure may be. */
  readonly keeps: 'at most' | 'at least';
  /** What was measured, in words and numbers. */
  readonly detail: string;
}

export function isKept({ value, bar, keeps }: Figure): boolean {
  return keeps === 'at most' ? value <= bar : value >= bar;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  const lower = sorted[Math.ceil(middle) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('no values to take the median of');
  return (upper + lower) / 2;
}

/** Runs the works in turn, round after round, so that a change of the machine's speed meets all of them alike. */
export async function inTurn<Name extends string>(
  rounds: number,
  works: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const results = Object.fromEntries(Object.keys(works).map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(works) as [Name, () => Promise<number>][]) {
      results[name].push(await work());
    }
  }
  return results;
}
