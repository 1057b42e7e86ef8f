import { type Endpoint, type Engine, formatProblems, unknownEndpointError } from '../../../engine/index.js';

/**
 * Returns the endpoint with this name. Throws an error with the problems of the endpoint if it is broken, or with the
 * nearest name if the name is unknown.
 */
export function endpointNamed(engine: Pick<Engine, 'endpoints' | 'broken'>, name: string): Endpoint {
  const broken = engine.broken().find((one) => one.name === name);
  if (broken !== undefined) {
    const problems = formatProblems([broken]).map((problem) => `  ${problem}`);
    throw new Error(`${name} is broken:\n${problems.join('\n')}`);
  }
  const endpoint = engine.endpoints.find(({ definition }) => definition.name === name);
  if (endpoint !== undefined) return endpoint;
  throw new Error(`${unknownEndpointError(name, engine.endpoints).message} \`endpoint list\` lists all names.`);
}
