import type { Command } from 'commander';
import type { Catalogue, CatalogueTable } from '../../engine/index.js';
import type { ApiFolder } from '../../server/settings/api-folder.js';
import type { CommandContext } from '../terminal/command-context.js';
import { plural } from '../terminal/numbers.js';

interface Options {
  readonly json?: boolean;
}

/** Adds the command `tables` of an API in a folder, which shows the tables of its database. */
export function addCatalogueCommand(program: Command, context: CommandContext, api: ApiFolder): void {
  program
    .command('tables')
    .description('list the tables of the database, or describe one of them')
    .argument('[name]', 'name of a table')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, { json = false }: Options) => {
      const { readOwnCatalogue } = await import('../../server/databases/own-catalogue.js');
      const catalogue = await readOwnCatalogue(
        { ...context.settings, api },
        (await context.warehouse()).database,
        context.signal,
      );
      if (name === undefined) list(context, catalogue, json);
      else await describe(context, catalogue, { name, json });
    });
}

function list({ output }: CommandContext, catalogue: Catalogue, json: boolean): void {
  const tables = [...catalogue.values()];
  if (json) {
    output.json(
      tables.map(({ name, comment, rows, columns }) => ({ name, comment, rows: rows ?? null, columns: columns.size })),
    );
    return;
  }
  output.list(tables.map((table) => [table.name, factsOf(table)]));
  output.note(
    '\n`repo-insight tables <name>` describes a table; `endpoint new --table <name>` makes an endpoint of it.',
  );
}

async function describe(
  { output }: CommandContext,
  catalogue: Catalogue,
  { name, json }: { readonly name: string; readonly json: boolean },
): Promise<void> {
  const table = catalogue.get(name.toLowerCase());
  if (table === undefined) {
    const { didYouMean } = await import('../../engine/index.js');
    throw new Error(`The database has no table ${name}${didYouMean(name, [...catalogue.keys()])}.`);
  }
  const columns = [...table.columns.values()];
  if (json) {
    output.json({ name: table.name, comment: table.comment, rows: table.rows ?? null, keys: table.keys, columns });
    return;
  }
  output.list([
    ['table', table.name],
    ['facts', factsOf(table)],
    ['unique', table.keys.length === 0 ? 'no unique key' : table.keys.map((key) => key.join(', ')).join('; ')],
  ]);
  output.print();
  output.list(
    columns.map(({ name: column, type, isNotNull, comment }) => [
      column,
      isNotNull ? `${type} NOT NULL` : type,
      comment,
    ]),
  );
}

function factsOf({ comment, rows, columns }: CatalogueTable): string {
  const size = rows === undefined ? 'view' : `about ${plural(rows, 'row')}`;
  return [comment, `${size}, ${plural(columns.size, 'column')}`].filter((text) => text !== '').join(' · ');
}
