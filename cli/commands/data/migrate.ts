import type { Command } from 'commander';
import { databasePlace } from '../../../server/settings/database-location.js';
import type { CommandContext } from '../../terminal/command-context.js';

export function addMigrateCommand(parent: Command, context: CommandContext): void {
  parent
    .command('migrate')
    .description('create the tables of a database or update them; commands that write also do this')
    .action(() => migrate(context));
}

async function migrate({ newWarehouse, settings, output }: CommandContext): Promise<void> {
  const { requireStore } = await import('../../../server/warehouse.js');
  // Opening a warehouse migrates it.
  requireStore(await newWarehouse());
  output.print(`${databasePlace(settings)} has the tables of this version.`);
}
