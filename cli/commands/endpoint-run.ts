import type { Command } from 'commander';
import { toEnvelope } from '../../http/envelopes/envelope.js';
import { clockOf } from '../../server/clock.js';
import type { CommandContext } from '../command-context.js';
import { databaseOption, endpointNamed, withEngine } from './endpoint-engine.js';
import { parameterOption, rawFromOption } from './endpoint-parameters.js';

interface RunOptions {
  readonly param: readonly string[];
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

export function addRunCommand(parent: Command, context: CommandContext): void {
  parent
    .command('run')
    .description('run an endpoint and show its rows')
    .argument('<name>')
    .addOption(parameterOption())
    .addOption(databaseOption('--database-url', 'another database than that of DATABASE_URL'))
    .option('--json', 'the envelope, as the service answers it')
    .action(async (name: string, { param, databaseUrl, json }: RunOptions) => {
      const { output, settings, signal } = context;
      const answer = await withEngine(context, databaseUrl, (engine) =>
        engine.run(endpointNamed(engine, name), rawFromOption(param), { signal }),
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
      const more = result.truncated ? ', and there are more' : '';
      output.note(
        `${result.row_count} rows${more}; data as of ${result.data_as_of ?? 'an unknown time'}; ${result.latency}`,
      );
    });
}
