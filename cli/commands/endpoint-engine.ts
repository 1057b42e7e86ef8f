import { closest } from 'fastest-levenshtein';
import { createEngine, type Endpoint, type Engine, UnpreparableEndpointsError } from '../../engine/index.js';
import { clockOf } from '../../server/clock.js';
import { DefinitionsError, loadDefinitions } from '../../server/definitions.js';
import type { CommandContext } from '../command-context.js';

/** The engine over all definitions and the warehouse, as the service has it. */
export async function engineOf({ settings, warehouse }: CommandContext): Promise<Engine> {
  const endpoints = await loadDefinitions(settings);
  try {
    return createEngine({ endpoints, database: await warehouse(), clock: clockOf(settings) });
  } catch (error) {
    throw error instanceof UnpreparableEndpointsError ? new DefinitionsError(error.problems) : error;
  }
}

/** The endpoint of a name, or an error that names the nearest one. */
export function endpointNamed(engine: Engine, name: string): Endpoint {
  const endpoint = engine.endpoints.find(({ definition }) => definition.name === name);
  if (endpoint !== undefined) return endpoint;
  const names = engine.endpoints.map(({ definition }) => definition.name);
  throw new Error(
    `There is no endpoint named ${name}; did you mean ${closest(name, names)}? \`endpoint list\` names them all.`,
  );
}
