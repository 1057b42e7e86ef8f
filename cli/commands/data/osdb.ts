import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';
import { plural } from '../../terminal/numbers.js';

export function addOsdbCommand(parent: Command, context: CommandContext): void {
  parent
    .command('osdb')
    .description('replace all open-source databases with the open-source databases of a YAML or JSON file')
    .argument('<file>', 'a list of { group_name, repo_id, repo_name }')
    .action((file: string) => replaceOsdb(context, file));
}

async function replaceOsdb({ newWarehouse, output, cwd }: CommandContext, file: string): Promise<void> {
  const { requireStore } = await import('../../../server/warehouse.js');
  const { importOsdbRepos } = await import('../../../warehouse/osdb-repos.js');
  const store = requireStore(await newWarehouse());
  output.print(`${plural(await importOsdbRepos(store, resolve(cwd, file)), 'repository')}.`);
}
