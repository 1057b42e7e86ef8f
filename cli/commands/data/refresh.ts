import type { Command } from 'commander';
import { clockOf } from '../../../server/clock.js';
import type { CommandContext } from '../../terminal/command-context.js';

interface Options {
  readonly full?: boolean;
  readonly json?: boolean;
}

export function addRefreshCommand(parent: Command, context: CommandContext): void {
  parent
    .command('refresh')
    .description('compute trending repositories and month ranks as of now')
    .option('--full', 'first rebuild all derived tables from the events')
    .option('--json', 'print JSON')
    .action((options: Options) => refresh(context, options));
}

async function refresh(
  { warehouse, settings, output }: CommandContext,
  { full = false, json }: Options,
): Promise<void> {
  const { requireStore } = await import('../../../server/databases/warehouse.js');
  const { refreshFull } = await import('../../../warehouse/derived/refresh.js');
  const { refreshAsOf } = await import('../../../warehouse/derived/refresh-as-of.js');
  const started = performance.now();
  const store = requireStore(await warehouse());
  if (full) await refreshFull(store);
  await refreshAsOf(store, clockOf(settings)());
  const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
  if (json) return output.json({ full, seconds });
  const what = full ? 'All derived tables' : 'Trending repositories and month ranks';
  output.print(`${what} are up to date, after ${seconds} s.`);
}
