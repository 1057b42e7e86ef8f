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
  const { api } = settings;
  output.announce(`${api?.title ?? 'repo-insight'} is listening at ${url}`, { url, endpoints, database }, [
    ...(api === undefined ? GITHUB_PATHS : OWN_PATHS).map(([name, path]) => `  ${name.padEnd(21)}  ${url}${path}`),
    `  health                 ${url}/healthy/`,
    `${endpoints} endpoints over ${database}. Stop with Ctrl-C.`,
  ]);
  if (isWatching) output.print('A changed definition is served as soon as its file is saved.');
  if (broken.endpoints === 0) return;
  const verb = broken.endpoints === 1 ? 'returns' : 'return';
  output.warn(`${plural(broken.endpoints, 'endpoint')} cannot be served and ${verb} 503:`);
  for (const problem of broken.problems) output.warn(`  ${problem}`);
}

const GITHUB_PATHS = [
  ['trending repositories', '/v1/trends/repos/'],
  ['collections', '/v1/collections/'],
] as const;

const OWN_PATHS = [
  ['pages', '/'],
  ['API reference', '/docs'],
  ['MCP', '/mcp'],
] as const;

export async function describeBroken(service: Pick<Service, 'broken'>): Promise<BrokenSummary> {
  const broken = service.broken();
  if (broken.length === 0) return { endpoints: 0, problems: [] };
  const { formatProblems } = await import('../../../engine/index.js');
  return { endpoints: broken.length, problems: formatProblems(broken) };
}
