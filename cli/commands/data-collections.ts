import { resolve } from 'node:path';
import type { Command } from 'commander';
import { clockOf } from '../../server/clock.js';
import { storeOf } from '../../server/warehouse.js';
import { importCollections } from '../../warehouse/collections.js';
import { refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import type { CommandContext } from '../command-context.js';
import { plural } from '../numbers.js';

export function addCollectionsCommand(parent: Command, { newWarehouse, settings, output, cwd }: CommandContext): void {
  parent
    .command('collections')
    .description('put the collections of a YAML or JSON file in the place of those that are there')
    .argument('<file>', 'a list of { id, name, public, items: [{ repo_name, repo_id }] }')
    .action(async (file: string) => {
      const store = storeOf(await newWarehouse());
      const { collections, items, unknown } = await importCollections(store, resolve(cwd, file));
      await refreshAsOf(store, clockOf(settings)());
      output.print(`${plural(collections, 'collection')} with ${plural(items, 'item')}.`);
      for (const name of unknown) output.warn(`${name}: no id given, and no event has told one; left out`);
    });
}
