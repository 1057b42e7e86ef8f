import type { BucketCounts } from './counts.js';
import type { Aggregation, Family, Labels } from './family.js';

/** The values of one family, in the form of prom-client. It can be sent from one process to another as JSON. */
export interface FamilyValues {
  readonly name: string;
  readonly help: string;
  readonly type: Family['type'];
  readonly aggregator: Aggregation;
  readonly values: readonly {
    readonly labels: Labels;
    readonly value: number;
    /** For a histogram: the name of the sample, such as `…_bucket`. */
    readonly metricName?: string;
  }[];
}

/** The metrics of one service. Each part of the service adds its families. */
export class Metrics {
  readonly #families = new Map<string, Family>();

  add(families: readonly Family[]): void {
    for (const family of families) {
      if (this.#families.has(family.name)) throw new Error(`the metric ${family.name} exists already`);
      this.#families.set(family.name, family);
    }
  }

  get families(): readonly Family[] {
    return [...this.#families.values()];
  }

  /** Reads the current values of all families. */
  read(): FamilyValues[] {
    return this.families.map((family) => {
      const { name, help, type, aggregation = 'sum' } = family;
      return { name, help, type, aggregator: aggregation, values: valuesOf(family) };
    });
  }
}

function valuesOf(family: Family): FamilyValues['values'] {
  if (family.type !== 'histogram') return [...family.samples()].map(([labels, value]) => ({ labels, value }));
  return [...family.samples()].flatMap(([labels, histogram]) => histogramValues(family.name, labels, histogram));
}

function histogramValues(name: string, labels: Labels, { bounds, counts, sum, count }: BucketCounts) {
  let below = 0;
  const buckets = [...bounds, '+Inf'].map((bound, place) => {
    below += counts[place] ?? 0;
    return { labels: { le: bound, ...labels }, value: below, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}
