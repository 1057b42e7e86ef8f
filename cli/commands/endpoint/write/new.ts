import { type Command, Option } from 'commander';
import type { CommandContext } from '../../../terminal/command-context.js';
import { databaseOption, parameterOption } from '../options.js';
import type { NewOptions } from './new-options.js';

export function addNewCommand(parent: Command, context: CommandContext): void {
  parent
    .command('new')
    .description('write a definition from a SELECT or a table, then check and test it; without both, ask on a terminal')
    .option('--sql <file>', 'file with a SELECT; - reads the standard input')
    .option('--table <name>', 'table whose rows the endpoint returns')
    .option('--name <name>', 'name of the endpoint; default: from the tables and GROUP BY')
    .option('--path <path>', 'route; a parameter is in the path if the path contains it')
    .option('--summary <text>', 'one line that describes the answer')
    .addOption(parameterOption('name of the parameter for a literal of the SELECT; repeatable'))
    .addOption(keepOption())
    .option('--out <file>', 'file to write; default: <name>.yaml in the folder of the definitions')
    .option('--force', 'overwrite an existing file')
    .option('--dry-run', 'print the definition and write no file')
    .addOption(databaseOption('--database-url', 'use this database instead of DATABASE_URL'))
    .option('--json', 'print JSON')
    .action((options: NewOptions) => create(context, options));
}

function keepOption(): Option {
  return new Option('--keep <literal>', 'literal that stays in the SQL, or LIMIT; repeatable')
    .default([], 'none')
    .argParser((text: string, earlier: readonly string[]) => [...earlier, text]);
}

async function create(context: CommandContext, options: NewOptions): Promise<void> {
  const { createDefinition } = await import('./create-definition.js');
  if (options.sql !== undefined && options.table !== undefined) throw new Error('Use --sql or --table, not both.');
  // The input is read here in any case. If a service has the database open, it runs the command and gets this text.
  if (options.sql === '-') await context.input();
  if (options.sql !== undefined || options.table !== undefined) return createDefinition(context, options);
  if (context.ask === undefined)
    throw new Error(
      'Use --sql <file>, --sql - or --table <name>. Without them, `endpoint new` asks, which needs a terminal.',
    );
  const { askForDefinition } = await import('./ask-for-definition.js');
  const answers = await askForDefinition(context, context.ask, options);
  return createDefinition(context, answers);
}
