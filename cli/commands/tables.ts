import type { Command } from 'commander';
import type { TableReference } from '../../warehouse/reference/table-reference-entry.js';
import type { CommandContext } from '../terminal/command-context.js';
import type { Output } from '../terminal/output.js';

interface Options {
  readonly json?: boolean;
}

export function addTablesCommand(program: Command, context: CommandContext): void {
  program
    .command('tables')
    .description(
      'list the tables that SQL of users can read and the own tables, or describe one of them; needs no database',
    )
    .argument('[name]', 'name of a table')
    .option('--json', 'print JSON')
    .action((name: string | undefined, options: Options) =>
      name === undefined ? list(context, options) : describe(context, name, options),
    );
}

async function list(context: CommandContext, { json = false }: Options): Promise<void> {
  const { toTableSummary } = await import('../../warehouse/reference/find-table.js');
  const { TABLE_REFERENCE } = await import('../../warehouse/table-reference.js');
  const { readOwnTablesIfAny } = await import('./own-tables.js');
  const { output } = context;
  const own = await readOwnTablesIfAny(context, ['tables', ...(json ? ['--json'] : [])]);
  if (own === 'answered by the service') return;
  const tables = [...TABLE_REFERENCE, ...own].map(([name, table]) => {
    return { ...toTableSummary(name, table), isOwn: own.has(name) };
  });
  if (json) output.json(tables);
  else {
    output.list(
      tables.map(({ name, description, isOwn }) => {
        if (!isOwn) return [name, firstSentence(description)];
        return [
          name,
          description === '' ? 'Own table without documentation.' : `Own table: ${firstSentence(description)}`,
        ];
      }),
    );
    output.note('\n`repo-insight tables <name>` describes a table and its columns.');
  }
}

async function describe(context: CommandContext, name: string, { json = false }: Options): Promise<void> {
  const { findTable, toTableDetails, UnknownTableError } = await import('../../warehouse/reference/find-table.js');
  const { tableNotes } = await import('../../warehouse/reference/table-notes.js');
  const { TABLE_REFERENCE } = await import('../../warehouse/table-reference.js');
  const { readOwnTablesIfAny } = await import('./own-tables.js');
  const { output } = context;
  const isPublic = TABLE_REFERENCE.has(name.toLowerCase());
  const words = ['tables', ...(json ? ['--json'] : []), '--', name];
  const own = isPublic ? new Map() : await readOwnTablesIfAny(context, words);
  if (own === 'answered by the service') return;
  try {
    const [key, table] = findTable(new Map([...TABLE_REFERENCE, ...own]), name);
    const kind = own.has(key) ? 'own table' : 'table';
    if (json) output.json({ ...toTableDetails(key, table), isOwn: own.has(key) });
    else printTable(output, table, [[kind, key], ['meaning', table.description], ...tableNotes(table)]);
  } catch (error) {
    if (!(error instanceof UnknownTableError)) throw error;
    throw new Error(`${error.message} \`repo-insight tables\` lists all tables.`);
  }
}

function printTable(
  output: Output,
  { columns, example }: TableReference,
  facts: readonly (readonly [kind: string, text: string])[],
): void {
  output.list(facts);
  output.print();
  output.list(
    [...columns].map(([name, { type, unit, description }]) => {
      return [name, unit === undefined ? type : `${type} (${unit})`, description];
    }),
  );
  if (example !== undefined) output.print(`\nexample:\n\n${example.replaceAll(/^/gm, '  ')}`);
}

/** Returns the first sentence of a description. */
function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}
