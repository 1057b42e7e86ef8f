import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';
import { plural } from '../../terminal/numbers.js';

interface Options {
  readonly json?: boolean;
}

export function addOsdbCommand(parent: Command, context: CommandContext): void {
  parent
    .command('osdb')
    .description('replace all open-source databases with the open-source databases of a YAML or JSON file')
    .argument('<file>', 'a list of { group_name, repo_id, repo_name }')
    .option('--json', 'print JSON')
    .action((file: string, options: Options) => replaceOsdb(context, file, options));
}

async function replaceOsdb(
  { newWarehouse, output, cwd }: CommandContext,
  file: string,
  { json }: Options,
): Promise<void> {
  const { requireStore } = await import('../../../server/databases/warehouse.js');
  const { importOsdbRepos } = await import('../../../warehouse/osdb-repos.js');
  const store = requireStore(await newWarehouse());
  const repositories = await importOsdbRepos(store, resolve(cwd, file));
  if (json) output.json({ repositories });
  else output.print(`${plural(repositories, 'repository')}.`);
}
