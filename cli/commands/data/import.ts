import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { clockOf } from '../../../server/clock.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { wholeNumber } from '../../terminal/numbers.js';

interface Options {
  readonly maxBroken?: number;
  readonly maxUnpacked?: number;
  readonly concurrency?: number;
  readonly json?: boolean;
  readonly again?: boolean;
}

export function addImportCommand(parent: Command, context: CommandContext): void {
  parent
    .command('import')
    .description('import event files; each file is imported completely or not at all, and each event once')
    .argument(
      '<sources...>',
      'files, folders, http(s) URLs, hours 2015-01-01-0, days 2015-01-01, months 2015-01, or ranges a..b of these',
    )
    .option('--max-broken <percent>', 'maximum percentage of broken lines in a file', percent)
    .option(
      '--max-unpacked <gigabytes>',
      'maximum size of a compressed file when it is unpacked; default 50',
      wholeNumber(1, 1_000_000),
    )
    .option('--concurrency <files>', 'number of files to download or decompress at the same time', wholeNumber(1, 99))
    .option('--again', 'import files again that are already imported, and replace their rows')
    .option('--json', 'print the summary as JSON')
    .action((sources: string[], options: Options) => runImport(context, sources, options));
}

async function runImport(context: CommandContext, words: readonly string[], options: Options): Promise<void> {
  const { importFolders, requireStore } = await import('../../../server/databases/warehouse.js');
  const { refreshAfterImport } = await import('../../../warehouse/derived/refresh-as-of.js');
  const { importSources } = await import('../../../warehouse/import/import-sources.js');
  const { importProgress, reportImport } = await import('./import-report.js');
  const { output, settings, signal, cwd } = context;
  const clock = clockOf(settings);
  const store = requireStore(await context.newWarehouse());
  const progress = output.progress('Importing');
  if (words.includes('')) throw new Error('A source is empty. Is a variable of the shell not set?');
  const sources = words.map((word) => (existsSync(resolve(cwd, word)) ? resolve(cwd, word) : word));
  const summary = await importSources(store, sources, {
    ...importFolders(settings),
    archiveUrl: settings.archiveUrl,
    now: clock(),
    signal,
    onProgress: importProgress(progress),
    ...(options.again && { again: true }),
    ...(options.maxBroken === undefined ? {} : { brokenShare: options.maxBroken / 100 }),
    ...(options.maxUnpacked === undefined ? {} : { maxUnpackedBytes: options.maxUnpacked * 1e9 }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
  }).finally(() => progress.stop());
  if (summary.events > 0) output.note('Computing trending repositories and month ranks.');
  const started = performance.now();
  const isRefreshed = await refreshAfterImport(store, summary.events, clock());
  const refreshSeconds = isRefreshed ? (performance.now() - started) / 1000 : 0;
  if (options.json) output.json({ ...summary, refreshSeconds });
  else {
    reportImport(output, summary);
    const how = isRefreshed ? `were computed in ${refreshSeconds.toFixed(1)} s` : 'are unchanged';
    output.print(`Trending repositories and month ranks ${how}.`);
  }
  const failed = summary.files.some(({ state }) => state === 'refused' || state === 'failed');
  context.exitCode = failed || summary.interrupted ? 1 : 0;
}

function percent(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value <= 100) return value;
  throw new InvalidArgumentError('Expected a number from 0 to 100.');
}
