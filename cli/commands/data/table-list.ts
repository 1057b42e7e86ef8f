import type { Command } from 'commander';
import type { CommandContext } from '../../terminal/command-context.js';
import { count } from '../../terminal/numbers.js';

interface Options {
  readonly json?: boolean;
}

export function addTableListCommand(parent: Command, context: CommandContext): void {
  parent
    .command('list')
    .description('list the own tables with their columns, rows and versions')
    .option('--json', 'print JSON')
    .action((options: Options) => list(context, options));
}

async function list({ warehouse, output }: CommandContext, { json }: Options): Promise<void> {
  const { listOwnTables } = await import('../../../warehouse/own-tables/stored-own-tables.js');
  const tables = await listOwnTables((await warehouse()).database);
  if (json) {
    output.json(
      tables.map(({ name, document: { description, columns, key = [] }, rows, loadedAt, source, version = null }) => ({
        name,
        description,
        columns: Object.entries(columns).map(([column, facts]) => ({ name: column, ...facts })),
        key,
        rows,
        loadedAt,
        source,
        version,
      })),
    );
    return;
  }
  if (tables.length === 0) {
    output.print('There are no own tables. `data table load <file>` loads one.');
    return;
  }
  output.table(
    ['table', 'rows', 'columns', 'loaded (UTC)', 'file', 'version'],
    tables.map(({ name, document, rows, loadedAt, source, version }) => [
      name,
      count(rows),
      Object.keys(document.columns).join(', '),
      loadedAt,
      source,
      version ?? 'interrupted',
    ]),
    { optional: ['version', 'file'], prose: ['columns'] },
  );
  for (const { name } of tables.filter(({ version }) => version === undefined)) {
    output.warn(`${name}: the last load or drop was interrupted; run it again`);
  }
}
