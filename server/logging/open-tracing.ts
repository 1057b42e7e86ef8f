import type { Database } from '../../engine/index.js';
import type { Settings } from '../settings/settings.js';
import type { Tracing } from './tracing.js';

/** Creates the tracing if a collector is configured. Otherwise its packages are not loaded. */
export async function openTracing(
  { otlpEndpoint: endpoint }: Pick<Settings, 'otlpEndpoint'>,
  { name: database }: Pick<Database, 'name'>,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const tracing = await import('./tracing.js');
  return new tracing.Tracing({ endpoint, database });
}
