import { createEngine, type Database, type Engine, type Observe, UnpreparableEndpointsError } from '../engine/index.js';
import { clockOf } from './clock.js';
import { DefinitionsError, loadDefinitions } from './definitions.js';
import type { Settings } from './settings/settings.js';

/** The engine over all definitions and one database. Throws `DefinitionsError`. */
export async function openEngine(
  settings: Pick<Settings, 'endpointsDirectory' | 'now' | 'staleAfterHours'>,
  database: Database,
  observe?: Observe,
): Promise<Engine> {
  const endpoints = await loadDefinitions(settings);
  const stopwatch = () => performance.now();
  const staleAfterMs = settings.staleAfterHours * 3_600_000;
  const parts = { endpoints, database, clock: clockOf(settings), stopwatch, staleAfterMs };
  try {
    return createEngine({ ...parts, ...(observe && { observe }) });
  } catch (error) {
    throw error instanceof UnpreparableEndpointsError ? new DefinitionsError(error.problems) : error;
  }
}
