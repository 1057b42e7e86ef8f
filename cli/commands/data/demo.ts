import { rename, rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { clockOf } from '../../../server/clock.js';
import type { OpenDatabase } from '../../../server/databases/warehouse.js';
import { databasePlace } from '../../../server/settings/database-location.js';
import type { ImportSummary } from '../../../warehouse/import/summary.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { count, wholeNumber } from '../../terminal/numbers.js';

interface DemoOptions extends NonNullable<CommandContext['firstDemo']> {
  readonly seed: number;
}

interface Options extends DemoOptions {
  readonly json?: boolean;
}

const DEFAULTS: DemoOptions = { events: 300_000, seed: 1 };

export function addDemoCommand(parent: Command, context: CommandContext): void {
  const number = wholeNumber(0, Number.MAX_SAFE_INTEGER);
  parent
    .command('demo')
    .description('fill an empty database with synthetic people, repositories and events up to now')
    .option('--events <number>', 'approximate number of events', number, DEFAULTS.events)
    .option('--seed <number>', 'seed of the generator; another seed gives other data', number, DEFAULTS.seed)
    .option('--json', 'print the summary as JSON')
    .action((options: Options) => fillEmpty(context, options));
}

async function fillEmpty(context: CommandContext, { json, ...options }: Options): Promise<void> {
  const { reportImport } = await import('./import-report.js');
  const warehouse = await context.newWarehouse();
  await requireEmpty(warehouse, databasePlace(context.settings));
  const summary = await fill(context, warehouse, options);
  if (json) context.output.json(summary);
  else reportImport(context.output, summary);
}

/** Creates a demo database. The file is renamed to its final name when it is complete. */
export async function makeDemoDatabase(context: CommandContext, file: string): Promise<void> {
  const { openFile } = await import('../../../server/databases/open-warehouse.js');
  const { announceDemo } = await import('./import-report.js');
  const unfinished = `${file}.unfinished`;
  await Promise.all([unfinished, `${unfinished}.wal`].map((path) => rm(path, { force: true })));
  const warehouse = await openFile(context.settings, unfinished);
  try {
    announceDemo(context.output, await fill(context, warehouse, { ...DEFAULTS, ...context.firstDemo }));
  } finally {
    await warehouse.close();
  }
  await rename(unfinished, file);
}

/**
 * Throws if the database contains events. Demo data with another end time contain different events under the same
 * repository names, so they would mix with existing events.
 */
async function requireEmpty({ database }: OpenDatabase, place: string): Promise<void> {
  const { readCoverage } = await import('../../../warehouse/coverage.js');
  const { events } = await readCoverage(database);
  if (events === 0) return;
  throw new Error(
    `${place} already has ${count(events)} events, and demo data would mix with them. Set DATABASE_URL to another ` +
      'database, or move this one.',
  );
}

async function fill(
  { output, settings, signal }: CommandContext,
  warehouse: OpenDatabase,
  options: DemoOptions,
): Promise<ImportSummary> {
  const { importFolders, requireStore } = await import('../../../server/databases/warehouse.js');
  const { fillWithDemo } = await import('../../../demo/fill-with-demo.js');
  const { importProgress } = await import('./import-report.js');
  output.warn('Demo data are synthetic: no person, repository or event in them is real.');
  const generating = output.progress('Generating');
  const importing = output.progress('Importing ');
  const showImport = importProgress(importing);
  return fillWithDemo(requireStore(warehouse), {
    ...importFolders(settings),
    ...options,
    now: clockOf(settings)(),
    signal,
    onGenerated: ({ events, total, day }) => generating.update(events, total, `${day}, ${count(events)} events`),
    onProgress: (state) => {
      generating.stop();
      showImport(state);
    },
  }).finally(() => {
    generating.stop();
    importing.stop();
  });
}
