import type { FamilyValues } from '../metrics/metrics.js';
import type { ProcessMetrics } from './messages.js';
import type { WorkerProcess } from './worker-process.js';

/** The time limit for the metrics of a worker. If a worker does not answer in time, the scrape fails, because the sums would be wrong. */
const READ_MS = 5_000;

/** The metrics of the workers. The sums include workers that have ended, so that counters never decrease. */
export class WorkerMetrics {
  /** The last metrics that each worker reported. */
  readonly #reported = new Map<WorkerProcess, readonly FamilyValues[]>();
  #ended: readonly FamilyValues[] = [];

  report(worker: WorkerProcess, families: readonly FamilyValues[]): void {
    this.#reported.set(worker, families);
  }

  /** Adds the counts of an ended worker to `#ended`. */
  end(worker: WorkerProcess): void {
    const last = this.#reported.get(worker);
    if (last === undefined) return;
    this.#reported.delete(worker);
    this.#ended = this.#withoutRemoved(sumCounts([...this.#ended, ...last.filter(isCount)]));
  }

  /**
   * Requests the metrics of these workers. Returns the metrics of all workers, including ended ones. Undefined if a worker does not answer
   * in time.
   */
  async read(workers: readonly WorkerProcess[]): Promise<ProcessMetrics | undefined> {
    const answers = await Promise.all(workers.map((worker) => worker.readMetrics(READ_MS)));
    // The metrics of a worker that has ended in the meantime are in `#ended`.
    return answers.includes('late') ? undefined : [...this.#reported.values(), this.#ended];
  }

  /** If there are many operations, drops those that no running worker has counted, because their definitions have probably been removed. */
  #withoutRemoved(ended: readonly FamilyValues[]): readonly FamilyValues[] {
    if (operationsOf(ended).size <= MAX_ENDED_OPERATIONS) return ended;
    const known = operationsOf([...this.#reported.values()].flat());
    const isKept = ({ labels: { operation } }: Value) => operation === undefined || known.has(operation);
    return ended.map((family) => ({ ...family, values: family.values.filter(isKept) }));
  }
}

/** More operations than a service usually has. Above this number, counts of ended workers can be lost, as in a restart. */
const MAX_ENDED_OPERATIONS = 500;

function operationsOf(families: readonly FamilyValues[]): ReadonlySet<string | number> {
  const operations = families.flatMap(({ values }) => values.map(({ labels }) => labels.operation));
  return new Set(operations.filter((operation) => operation !== undefined));
}

function isCount({ type, aggregator }: FamilyValues): boolean {
  return type !== 'gauge' && aggregator === 'sum';
}

type Value = FamilyValues['values'][number];

/** Adds up the values with the same name and labels. */
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
