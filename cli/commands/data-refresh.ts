import type { Command } from 'commander';
import { clockOf } from '../../server/clock.js';
import { storeOf } from '../../server/warehouse.js';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import type { CommandContext } from '../command-context.js';

export function addRefreshCommand(parent: Command, { warehouse, settings, output }: CommandContext): void {
  parent
    .command('refresh')
    .description('compute trending repositories and month ranks as of now; --full rebuilds every derived table')
    .option('--full', 'rebuild all derived tables from the events')
    .action(async ({ full }: { full?: boolean }) => {
      const started = performance.now();
      const store = storeOf(await warehouse());
      if (full) await refreshFull(store);
      await refreshAsOf(store, clockOf(settings)());
      const what = full ? 'All derived tables' : 'Trending repositories and month ranks';
      output.print(`${what} are up to date, after ${((performance.now() - started) / 1000).toFixed(1)} s.`);
    });
}
