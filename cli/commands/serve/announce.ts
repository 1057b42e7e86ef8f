import type { Service } from '../../../server/service.js';
import { databasePlace } from '../../../server/settings/database-location.js';
import type { BrokenSummary, ReadyWorker } from '../../../server/workers/messages.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { plural } from '../../terminal/numbers.js';

/** Prints the address at which the service listens. */
export function announce(
  { settings, output }: Pick<CommandContext, 'settings' | 'output'>,
  { url, endpoints, broken }: ReadyWorker,
  isWatching: boolean,
): void {
  const database = databasePlace(settings);
  output.announce(`repo-insight is listening at ${url}`, { url, endpoints, database }, [
    `  trending repositories  ${url}/v1/trends/repos/`,
    `  collections            ${url}/v1/collections/`,
    `  health                 ${url}/healthy/`,
    `${endpoints} endpoints over ${database}. Stop with Ctrl-C.`,
  ]);
  if (isWatching) output.print('A changed definition is served as soon as its file is saved.');
  if (broken.endpoints === 0) return;
  const verb = broken.endpoints === 1 ? 'returns' : 'return';
  output.warn(`${plural(broken.endpoints, 'endpoint')} cannot be served and ${verb} 503:`);
  for (const problem of broken.problems) output.warn(`  ${problem}`);
}

export async function describeBroken(service: Pick<Service, 'broken'>): Promise<BrokenSummary> {
  const broken = service.broken();
  if (broken.length === 0) return { endpoints: 0, problems: [] };
  const { formatProblems } = await import('../../../engine/index.js');
  return { endpoints: broken.length, problems: formatProblems(broken) };
}
