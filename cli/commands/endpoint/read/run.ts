import type { Command } from 'commander';
import { clockOf } from '../../../../server/clock.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import { databaseOption, parameterOption, rawFromOption } from '../options.js';

interface Options {
  readonly param: readonly string[];
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

export function addRunCommand(parent: Command, context: CommandContext): void {
  parent
    .command('run')
    .description('run an endpoint and show its rows')
    .argument('<name>', 'name or file of the endpoint')
    .addOption(parameterOption())
    .addOption(databaseOption('--database-url', 'use this database instead of DATABASE_URL'))
    .option('--json', 'print the envelope that the service returns')
    .action((name: string, options: Options) => run(context, name, options));
}

async function run(context: CommandContext, name: string, { param, databaseUrl, json }: Options): Promise<void> {
  const { toEnvelope } = await import('../../../../http/envelopes/envelope.js');
  const { findDefinition } = await import('../named-definitions.js');
  const { withEngine } = await import('../with-engine.js');
  const { output, settings, signal } = context;
  const answer = await withEngine(context, databaseUrl, async (engine) =>
    engine.run(await findDefinition(context, engine, name), rawFromOption(param), { signal }),
  );
  const envelope = toEnvelope(answer, clockOf(settings)());
  if (json) {
    output.json(envelope);
    return;
  }
  const { columns, rows, result } = envelope.data;
  output.table(
    columns.map(({ col }) => col),
    rows.map((row) => columns.map(({ col }) => row[col] ?? '')),
  );
  for (const notice of result.notices) output.warn(notice);
  const more = result.truncated ? ' (truncated)' : '';
  output.note(
    `${result.row_count} rows${more}; data as of ${result.data_as_of ?? 'an unknown time'}; ${result.latency}`,
  );
}
