import type { FamilyValues } from '../metrics/metrics.js';
import type { ProcessMetrics } from './messages.js';
import type { WorkerProcess } from './worker-process.js';

/** The time limit for the metrics of a worker. A scrape fails without them, because a sum without a worker would be wrong. */
const READ_MS = 5_000;

/** The metrics of the workers. Counts of workers that have ended stay in the sums, so that no counter decreases. */
export class WorkerMetrics {
  /** What each worker last reported. */
  readonly #reported = new Map<WorkerProcess, readonly FamilyValues[]>();
  #ended: readonly FamilyValues[] = [];

  report(worker: WorkerProcess, families: readonly FamilyValues[]): void {
    this.#reported.set(worker, families);
  }

  /** Keeps the counts of a worker that has ended. */
  end(worker: WorkerProcess): void {
    const last = this.#reported.get(worker);
    if (last === undefined) return;
    this.#reported.delete(worker);
    this.#ended = this.#withoutRemoved(sumCounts([...this.#ended, ...last.filter(isCount)]));
  }

  /** Asks these workers for their metrics. Returns the metrics of all workers; undefined if a worker does not answer in time. */
  async read(workers: readonly WorkerProcess[]): Promise<ProcessMetrics | undefined> {
    const answers = await Promise.all(workers.map((worker) => worker.readMetrics(READ_MS)));
    // A worker that has ended since then is part of `#ended`.
    return answers.includes('late') ? undefined : [...this.#reported.values(), this.#ended];
  }

  /** Forgets operations that no worker has counted if there are many, because a reload can have removed their definitions. */
  #withoutRemoved(ended: readonly FamilyValues[]): readonly FamilyValues[] {
    if (operationsOf(ended).size <= MAX_ENDED_OPERATIONS) return ended;
    const known = operationsOf([...this.#reported.values()].flat());
    const isKept = ({ labels: { operation } }: Value) => operation === undefined || known.has(operation);
    return ended.map((family) => ({ ...family, values: family.values.filter(isKept) }));
  }
}

/** More operations than a service usually has. The counts of those that still exist are forgotten as by a restart. */
const MAX_ENDED_OPERATIONS = 500;

function operationsOf(families: readonly FamilyValues[]): ReadonlySet<string | number> {
  const operations = families.flatMap(({ values }) => values.map(({ labels }) => labels.operation));
  return new Set(operations.filter((operation) => operation !== undefined));
}

function isCount({ type, aggregator }: FamilyValues): boolean {
  return type !== 'gauge' && aggregator === 'sum';
}

type Value = FamilyValues['values'][number];

/** Adds the values with the same name and labels. */
function sumCounts(families: readonly FamilyValues[]): FamilyValues[] {
  const sums = new Map<string, { readonly family: FamilyValues; readonly values: Map<string, Value> }>();
  for (const family of families) {
    const { values } = sums.get(family.name) ?? { values: new Map<string, Value>() };
    for (const value of family.values) {
      const key = JSON.stringify([value.metricName, Object.entries(value.labels).sort()]);
      values.set(key, { ...value, value: value.value + (values.get(key)?.value ?? 0) });
    }
    sums.set(family.name, { family, values });
  }
  return [...sums.values()].map(({ family, values }) => ({ ...family, values: [...values.values()] }));
}
