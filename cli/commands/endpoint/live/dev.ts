import type { Command } from 'commander';
import type { CommandContext } from '../../../terminal/command-context.js';
import { databaseOption, parameterOption } from '../options.js';
import type { RoundOptions } from './run-round.js';

interface Options extends RoundOptions {
  readonly databaseUrl?: string;
}

export function addDevCommand(parent: Command, context: CommandContext): void {
  parent
    .command('dev')
    .description('check and test a definition each time that its file or a shared file is saved, until Ctrl-C')
    .argument('<name>', 'name or file of the definition; the file need not exist yet')
    .addOption(parameterOption('value that exists in the data, instead of the value of the examples; repeatable'))
    .addOption(databaseOption('--database-url', 'use this database instead of DATABASE_URL'))
    .option('--verbose', 'also show passed checks')
    .option('--json', 'print one line of JSON for each save')
    .action((name: string, options: Options) => develop(context, name, options));
}

async function develop(context: CommandContext, name: string, options: Options): Promise<void> {
  const { withDatabase } = await import('../with-engine.js');
  const { findDeveloped } = await import('./developed-definition.js');
  const { followDefinition } = await import('./follow-definition.js');
  const { runRound } = await import('./run-round.js');
  context.elsewhere.isEndless = true;
  await withDatabase(context, options.databaseUrl, async (database) => {
    const definition = await findDeveloped(context, name);
    await followDefinition(definition, context.signal, (saved, signal) =>
      runRound({ ...context, signal }, database, saved, options),
    );
  });
}
