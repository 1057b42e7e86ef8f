import { resolve } from 'node:path';
import type { Command } from 'commander';
import { clockOf } from '../../../server/clock.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { plural } from '../../terminal/numbers.js';

interface Options {
  readonly json?: boolean;
}

export function addCollectionsCommand(parent: Command, context: CommandContext): void {
  parent
    .command('collections')
    .description('replace all collections with the collections of a YAML or JSON file')
    .argument('<file>', 'a list of { id, name, public, items: [{ repo_name, repo_id }] }')
    .option('--json', 'print JSON')
    .action((file: string, options: Options) => replaceCollections(context, file, options));
}

async function replaceCollections(context: CommandContext, file: string, { json }: Options): Promise<void> {
  const { requireStore } = await import('../../../server/databases/warehouse.js');
  const { importCollections } = await import('../../../warehouse/collections.js');
  const { refreshAsOf } = await import('../../../warehouse/derived/refresh-as-of.js');
  const { output, cwd } = context;
  const store = requireStore(await context.newWarehouse());
  const { collections, items, unknown } = await importCollections(store, resolve(cwd, file));
  await refreshAsOf(store, clockOf(context.settings)());
  if (json) return output.json({ collections, items, skipped: unknown });
  output.print(`${plural(collections, 'collection')} with ${plural(items, 'item')}.`);
  for (const name of unknown) output.warn(`${name}: skipped, because neither the file nor an event has its id`);
}
