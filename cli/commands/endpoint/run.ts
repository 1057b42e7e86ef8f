import { type Command, Option } from 'commander';
import { clockOf } from '../../../server/clock.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { claimOption, databaseOption, parameterOption, requestOf } from './options.js';

interface Options {
  readonly param: readonly string[];
  readonly claim: readonly string[];
  readonly databaseUrl?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly ndjson?: boolean;
}

export function addRunCommand(parent: Command, context: CommandContext): void {
  parent
    .command('run')
    .description('run an endpoint and show its rows')
    .argument('<name>', 'name or file of the endpoint')
    .addOption(parameterOption())
    .addOption(claimOption())
    .addOption(databaseOption('--database-url', 'use this database instead of DATABASE_URL'))
    .option('--json', 'print the envelope that the service returns')
    .addOption(new Option('--csv', 'print the rows as CSV').conflicts(['json', 'ndjson']))
    .addOption(new Option('--ndjson', 'print the rows as one JSON object per line').conflicts('json'))
    .action((name: string, options: Options) => run(context, name, options));
}

async function run(context: CommandContext, name: string, options: Options): Promise<void> {
  const { databaseUrl, json, csv, ndjson } = options;
  if (csv || ndjson) return runAsRows(context, name, options);
  const { toEnvelope } = await import('../../../engine/http/envelopes/envelope.js');
  const { findDefinition } = await import('./named-definitions.js');
  const { withEngine } = await import('./with-engine.js');
  const { output, settings, signal } = context;
  const answer = await withEngine(context, databaseUrl, async (engine) => {
    const endpoint = await findDefinition(context, engine, name);
    return engine.run(endpoint, await requestOf(context.settings, endpoint, options), { signal });
  });
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

async function runAsRows(context: CommandContext, name: string, options: Options): Promise<void> {
  const { findDefinition } = await import('./named-definitions.js');
  const { withEngine } = await import('./with-engine.js');
  const { writeRows } = await import('./write-rows.js');
  await withEngine(context, options.databaseUrl, async (engine) => {
    const endpoint = await findDefinition(context, engine, name);
    const request = { endpoint, raw: await requestOf(context.settings, endpoint, options) };
    await writeRows(engine, request, options.csv ? 'csv' : 'ndjson', context);
  });
}
