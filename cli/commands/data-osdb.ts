import { resolve } from 'node:path';
import type { Command } from 'commander';
import { storeOf } from '../../server/warehouse.js';
import { importOsdbRepos } from '../../warehouse/osdb-repos.js';
import type { CommandContext } from '../command-context.js';
import { plural } from '../numbers.js';

export function addOsdbCommand(parent: Command, { newWarehouse, output, cwd }: CommandContext): void {
  parent
    .command('osdb')
    .description('put the open-source databases of a YAML or JSON file in the place of those that are there')
    .argument('<file>', 'a list of { group_name, repo_id, repo_name }')
    .action(async (file: string) => {
      const store = storeOf(await newWarehouse());
      output.print(`${plural(await importOsdbRepos(store, resolve(cwd, file)), 'repository')}.`);
    });
}
