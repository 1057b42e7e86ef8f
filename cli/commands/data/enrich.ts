import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import type { EnrichmentKind } from '../../../github/enrichment/create-enrichment.js';
import { clockOf } from '../../../server/clock.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { count, plural, wholeNumber } from '../../terminal/numbers.js';

interface Options {
  readonly from?: string;
  readonly limit?: number;
  readonly olderThan: number;
  readonly wait: boolean;
  readonly json?: boolean;
}

const TABLES: readonly EnrichmentKind[] = ['users', 'repos'];

export function addEnrichCommand(parent: Command, context: CommandContext): void {
  parent
    .command('enrich')
    .description('add data that events do not contain: profiles, countries, organizations, stars, languages')
    .addArgument(new Argument('<what>').choices(TABLES))
    .option('--from <file>', 'read a CSV file with a header instead of GitHub')
    .option(
      '--limit <number>',
      'maximum number of records, most important first',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .option('--older-than <days>', 'also refresh records that are older than this', wholeNumber(0, 99_999), 90)
    .option('--no-wait', 'stop at the rate limit of GitHub instead of waiting until it ends')
    .option('--json', 'print the summary as JSON')
    .action((what: EnrichmentKind, options: Options) =>
      options.from === undefined
        ? enrichFromGithub(context, what, options)
        : enrichFromTable(context, what, options.from, options),
    );
}

async function enrichFromGithub(context: CommandContext, what: EnrichmentKind, options: Options): Promise<void> {
  const { createConfiguredGitHubClient } = await import('../../../server/github-client.js');
  const { requireStore } = await import('../../../server/databases/warehouse.js');
  const { enrich } = await import('../../../github/enrichment/enrich.js');
  const { createProfileCompleter, createEnrichment } = await import('../../../github/enrichment/create-enrichment.js');
  const { output, settings, signal } = context;
  const client = await createConfiguredGitHubClient(settings, 3, (notice) => output.warn(notice));
  if (client === undefined) throw new Error('Set GITHUB_TOKEN to a GitHub API token, or name a file with --from.');
  const warehouse = await context.warehouse();
  const { database } = warehouse;
  const progress = output.progress(`Enriching ${what}`);
  const complete = await createProfileCompleter(what);
  const enrichment = createEnrichment(what, { store: requireStore(warehouse), database, client, complete });
  const summary = await enrich(enrichment, {
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    olderThanDays: options.olderThan,
    wait: options.wait,
    clock: clockOf(settings),
    signal,
    onProgress: ({ done, total, deleted }) =>
      progress.update(done, total, `${count(done)} of ${plural(total, 'record')}, ${count(deleted)} of them deleted`),
    onNotice: (notice) => output.note(notice),
  }).finally(() => progress.stop());
  if (options.json) output.json({ what, ...summary });
  else {
    const { refreshed, deleted, declined, left, seconds } = summary;
    const others =
      (deleted === 0 ? '' : `, ${count(deleted)} deleted`) + (declined === 0 ? '' : `, ${count(declined)} not visible`);
    output.print(`${plural(refreshed, 'record')} refreshed${others}, ${count(left)} left, in ${seconds.toFixed(1)} s.`);
    if (summary.stopped !== undefined) output.warn(`${summary.stopped} Run the same command again to continue.`);
  }
  context.exitCode = summary.stopped === undefined ? 0 : 1;
}

async function enrichFromTable(
  context: CommandContext,
  what: EnrichmentKind,
  from: string,
  { json }: Options,
): Promise<void> {
  const { requireStore } = await import('../../../server/databases/warehouse.js');
  const { enrichFromFile } = await import('../../../github/enrichment/enrich-from-file.js');
  const { createProfileCompleter, TARGETS } = await import('../../../github/enrichment/create-enrichment.js');
  const { output, settings, signal, cwd } = context;
  const store = requireStore(await context.warehouse());
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
