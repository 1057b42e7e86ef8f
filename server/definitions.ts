import { type Endpoint, formatProblem, loadEndpoints, type Problem } from '../engine/index.js';
import { PRIVATE_DATA } from '../warehouse/private-data.js';
import { DEFINITIONS_FOLDER } from './package-root.js';
import type { Settings } from './settings/settings.js';

/** Definitions that cannot be served; the message lists every problem with file, line and column. */
export class DefinitionsError extends Error {
  override readonly name = 'DefinitionsError';

  constructor(readonly problems: readonly Problem[]) {
    const count = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
    super(`${count} in the definitions:\n${problems.map((problem) => `  ${formatProblem(problem)}`).join('\n')}`);
  }
}

export function definitionsFolder({ endpointsDirectory }: Pick<Settings, 'endpointsDirectory'>): string {
  return endpointsDirectory ?? DEFINITIONS_FOLDER;
}

/** All definitions, or `DefinitionsError`: a service never starts with a part of its endpoints. */
export async function loadDefinitions(settings: Pick<Settings, 'endpointsDirectory'>): Promise<readonly Endpoint[]> {
  const { endpoints, problems } = await loadEndpoints(definitionsFolder(settings), PRIVATE_DATA);
  if (problems.length > 0) throw new DefinitionsError(problems);
  return endpoints;
}
