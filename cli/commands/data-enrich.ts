import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import {
  createEnrichment,
  createProfileCompleter,
  ENRICHMENT_KINDS,
  type EnrichmentKind,
  TARGETS,
} from '../../github/enrichment/create-enrichment.js';
import { enrich } from '../../github/enrichment/enrich.js';
import { enrichFromFile } from '../../github/enrichment/enrich-from-file.js';
import { clockOf } from '../../server/clock.js';
import { createConfiguredGitHubClient } from '../../server/github-client.js';
import { storeOf } from '../../server/warehouse.js';
import type { CommandContext } from '../command-context.js';
import { count, plural, wholeNumber } from '../numbers.js';

interface Options {
  readonly from?: string;
  readonly limit?: number;
  readonly olderThan: number;
  readonly wait: boolean;
  readonly json?: boolean;
}

export function addEnrichCommand(parent: Command, context: CommandContext): void {
  parent
    .command('enrich')
    .description('fill in what events do not tell: profiles, countries, organisations, stars, languages')
    .addArgument(new Argument('<what>').choices(ENRICHMENT_KINDS))
    .option('--from <file>', 'take it from a CSV file with a header instead of asking the hosting platform')
    .option('--limit <number>', 'records at most, the most important first', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--older-than <days>', 'ask again about records that were told of so long ago', wholeNumber(0, 99_999), 90)
    .option('--no-wait', "stop at the platform's limit instead of waiting for its end")
    .option('--json', 'the summary as JSON')
    .action((what: EnrichmentKind, options: Options) =>
      options.from === undefined ? askPlatform(context, what, options) : readFile(context, what, options.from, options),
    );
}

async function askPlatform(context: CommandContext, what: EnrichmentKind, options: Options): Promise<void> {
  const { output, settings, signal } = context;
  const client = createConfiguredGitHubClient(settings, 3, (notice) => output.warn(notice));
  if (client === undefined) {
    throw new Error('Set HOST_TOKEN to a token of the hosting platform, or give a file with --from.');
  }
  const warehouse = await context.warehouse();
  const { database } = warehouse;
  const progress = output.progress(`Enriching ${what}`);
  const complete = await createProfileCompleter(what);
  const enrichment = createEnrichment(what, { store: storeOf(warehouse), database, client, complete });
  const summary = await enrich(enrichment, {
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    olderThanDays: options.olderThan,
    wait: options.wait,
    clock: clockOf(settings),
    signal,
    onProgress: ({ done, total, deleted }) =>
      progress.update(done, total, `${count(done)} of ${plural(total, 'record')}, ${count(deleted)} of them gone`),
    onNotice: (notice) => output.note(notice),
  }).finally(() => progress.stop());
  if (options.json) output.json({ what, ...summary });
  else {
    const { refreshed, deleted, declined, left, seconds } = summary;
    const gone =
      (deleted === 0 ? '' : `, ${count(deleted)} gone`) + (declined === 0 ? '' : `, ${count(declined)} not shown`);
    output.print(`${plural(refreshed, 'record')} refreshed${gone}, ${count(left)} left, in ${seconds.toFixed(1)} s.`);
    if (summary.stopped !== undefined) output.warn(`${summary.stopped} The same command goes on from here.`);
  }
  context.exitCode = summary.stopped === undefined ? 0 : 1;
}

async function readFile(context: CommandContext, what: EnrichmentKind, from: string, { json }: Options): Promise<void> {
  const { output, settings, signal, cwd } = context;
  const store = storeOf(await context.warehouse());
  const progress = output.progress(`Enriching ${what}`);
  const summary = await enrichFromFile(store, TARGETS[what], resolve(cwd, from), {
    complete: await createProfileCompleter(what),
    clock: clockOf(settings),
    signal,
    onProgress: ({ bytes, totalBytes, rows }) => progress.update(bytes, totalBytes, plural(rows, 'row')),
  }).finally(() => progress.stop());
  if (json) output.json({ what, ...summary });
  else {
    for (const { line, reason } of summary.wrongRows) output.warn(`${from}:${line}: ${reason}`);
    const { refreshed, unknown, wrong, seconds } = summary;
    output.print(
      `${plural(refreshed, 'record')} refreshed, ${count(unknown)} not in this data set, ${count(wrong)} wrong, in ${seconds.toFixed(1)} s.`,
    );
    if (summary.stopped !== undefined) output.warn(`Stopped before the end: ${summary.stopped}`);
  }
  context.exitCode = summary.wrong > 0 || summary.stopped !== undefined ? 1 : 0;
}
