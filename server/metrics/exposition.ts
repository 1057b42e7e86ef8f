import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { FamilyValues } from './metrics.js';

/** The response body of a scrape. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** Reads the metrics of this process: CPU time, memory, garbage collection and the lag of the event loop. */
export async function readProcessMetrics(): Promise<FamilyValues[]> {
  processRegistry ??= createProcessRegistry();
  return (await processRegistry.getMetricsAsJSON()) as unknown as FamilyValues[];
}

/** Shared by all services in this process: it observes the process, and its observers cannot be removed. */
let processRegistry: Registry | undefined;

function createProcessRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Writes the sum of the metrics of one or several processes, in the format that the `Accept` header of the scrape prefers. */
export async function writeExposition(
  processes: readonly (readonly FamilyValues[])[],
  accept: string | undefined,
): Promise<Exposition> {
  const isOpenMetrics = /application\/openmetrics-text/.test(accept ?? '');
  const type = isOpenMetrics ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE;
  const families = isOpenMetrics ? processes.map((families) => families.map(withoutSuffix)) : processes;
  // The types of prom-client allow only one of its two content types here.
  const aggregate = AggregatorRegistry.aggregate as (values: unknown, type: string) => Registry;
  return { contentType: type, text: await aggregate(families, type).metrics() };
}

/** Removes `_total` from the name of a counter: in OpenMetrics only the samples have this suffix. */
function withoutSuffix(family: FamilyValues): FamilyValues {
  return family.type === 'counter' ? { ...family, name: family.name.replace(/_total$/, '') } : family;
}
