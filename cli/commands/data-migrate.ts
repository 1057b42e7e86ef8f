import type { Command } from 'commander';
import { databasePlace } from '../../server/settings/database-location.js';
import { storeOf } from '../../server/warehouse.js';
import type { CommandContext } from '../command-context.js';

export function addMigrateCommand(parent: Command, context: CommandContext): void {
  parent
    .command('migrate')
    .description('make the tables in a database, or bring them up to date; opening a database does it, too')
    .action(async () => {
      // Opening a warehouse migrates it, and tells nothing when there is nothing to do.
      storeOf(await context.newWarehouse());
      context.output.print(`${databasePlace(context.settings)} has the tables of this version.`);
    });
}
