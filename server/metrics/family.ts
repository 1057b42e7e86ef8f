import type { BucketCounts } from './counts.js';

export type Labels = Readonly<Record<string, string | number>>;

/** How the values of several processes are combined. */
export type Aggregation = 'sum' | 'max' | 'min' | 'average' | 'first';

interface Described {
  /** The name, with the prefix `repo_insight_` and the unit; names of counters end with `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Default: `sum`. */
  readonly aggregation?: Aggregation;
}

/**
 * A family of metrics. Its values are plain numbers, which are only collected when metrics are scraped, so that counting is cheap. Label
 * values must come from a closed set, never from a client.
 */
export type Family = NumberFamily | HistogramFamily;

export interface NumberFamily extends Described {
  readonly type: 'counter' | 'gauge';
  readonly samples: () => Iterable<readonly [Labels, number]>;
}

export interface HistogramFamily extends Described {
  readonly type: 'histogram';
  readonly samples: () => Iterable<readonly [Labels, BucketCounts]>;
}

/** Creates a family with one value and no labels. */
export function single(
  described: Omit<NumberFamily, 'labels' | 'samples'>,
  value: () => number | undefined,
): NumberFamily {
  const samples = () => {
    const current = value();
    return current === undefined ? [] : ([[{}, current]] as const);
  };
  return { ...described, labels: [], samples };
}

/** Creates a family with one label. Undefined values are omitted. */
export function labelled(
  described: Omit<NumberFamily, 'labels' | 'samples'>,
  label: string,
  values: () => Readonly<Record<string, number | undefined>>,
): NumberFamily {
  const samples = () =>
    Object.entries(values()).flatMap(([name, value]) =>
      value === undefined ? [] : [[{ [label]: name }, value] as const],
    );
  return { ...described, labels: [label], samples };
}
