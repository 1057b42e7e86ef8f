import type { Command } from 'commander';
import { databasePlace } from '../../../server/settings/database-location.js';
import type { CommandContext } from '../../terminal/command-context.js';

interface Options {
  readonly json?: boolean;
}

export function addMigrateCommand(parent: Command, context: CommandContext): void {
  parent
    .command('migrate')
    .description('create the tables of a database or update them; commands that write also do this')
    .option('--json', 'print JSON')
    .action((options: Options) => migrate(context, options));
}

async function migrate({ newWarehouse, settings, output }: CommandContext, { json }: Options): Promise<void> {
  const { requireStore } = await import('../../../server/databases/warehouse.js');
  // Opening the warehouse runs the migrations.
  requireStore(await newWarehouse());
  const database = databasePlace(settings);
  if (json) output.json({ database });
  else output.print(`${database} has the tables of this version.`);
}
