import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';

interface Options {
  readonly json?: boolean;
}

export function addTableDropCommand(parent: Command, context: CommandContext): void {
  parent
    .command('drop')
    .description('drop an own table; definitions that read it fail until it is loaded again')
    .argument('<name>', 'name of the table, such as own_countries')
    .option('--json', 'print JSON')
    .action((name: string, options: Options) => drop(context, name, options));
}

async function drop({ warehouse, output }: CommandContext, name: string, { json }: Options): Promise<void> {
  const { requireStore } = await import('../../../server/databases/warehouse.js');
  const { dropOwnTable } = await import('../../../warehouse/own-tables/load-own-table.js');
  await dropOwnTable(requireStore(await warehouse()), name);
  if (json) output.json({ dropped: name });
  else output.print(`Dropped ${name}.`);
}
