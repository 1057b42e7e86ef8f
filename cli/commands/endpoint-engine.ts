import { closest } from 'fastest-levenshtein';
import type { Endpoint, Engine } from '../../engine/index.js';
import { openEngine } from '../../server/open-engine.js';
import type { CommandContext } from '../command-context.js';

/** The engine over all definitions and the warehouse, as the service has it. */
export async function engineOf({ settings, warehouse }: CommandContext): Promise<Engine> {
  const { database } = await warehouse();
  return openEngine(settings, database);
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
