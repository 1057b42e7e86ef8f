import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { FamilyValues } from './metrics.js';

/** The text of a scrape. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** Reads the metrics of this process: CPU time, memory, garbage collection and the lag of the event loop. */
export async function readProcessMetrics(): Promise<FamilyValues[]> {
  processRegistry ??= createProcessRegistry();
  return (await processRegistry.getMetricsAsJSON()) as unknown as FamilyValues[];
}

/** Several services of one process share it: it observes the process, and the observers cannot be removed. */
let processRegistry: Registry | undefined;

function createProcessRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Writes the values of one or several processes, in the format that the `Accept` header of the scrape prefers. */
export async function writeExposition(
  processes: readonly (readonly FamilyValues[])[],
  accept: string | undefined,
): Promise<Exposition> {
  const isOpenMetrics = /application\/openmetrics-text/.test(accept ?? '');
  const type = isOpenMetrics ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE;
  const families = isOpenMetrics ? processes.map((families) => families.map(withoutSuffix)) : processes;
  // The types of prom-client describe only the first of its two content types.
  const aggregate = AggregatorRegistry.aggregate as (values: unknown, type: string) => Registry;
  return { contentType: type, text: await aggregate(families, type).metrics() };
}

/** OpenMetrics adds `_total` only to the samples of a counter. */
function withoutSuffix(family: FamilyValues): FamilyValues {
  return family.type === 'counter' ? { ...family, name: family.name.replace(/_total$/, '') } : family;
}
