import type { Command } from 'commander';
import type { CommandContext } from '../terminal/command-context.js';
import { databaseOption } from './endpoint/options.js';
import type { InitOptions } from './init/create-folder.js';

export function addInitCommand(program: Command, context: CommandContext): void {
  program
    .command('init')
    .description('create a folder with an API over your own database')
    .argument('<folder>', 'the new folder')
    .addOption(databaseOption('--database-url', 'database of the API; the account needs only read access'))
    .option(
      '--files <pattern>',
      'Parquet, CSV or JSON files as a table, such as data/*.parquet; repeatable',
      (pattern: string, earlier: readonly string[]) => [...earlier, pattern],
      [],
    )
    .option('--table <name>', 'table of the first endpoint; by default the largest table with a primary key')
    .option('--title <text>', 'title of the API; by default from the name of the folder')
    .action(async (folder: string, options: InitOptions) => {
      const { createApiFolder } = await import('./init/create-folder.js');
      await createApiFolder(context, folder, options);
    });
}
