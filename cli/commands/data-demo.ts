import { rename, rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { fillWithDemo } from '../../demo/fill-with-demo.js';
import { clockOf } from '../../server/clock.js';
import { databasePlace } from '../../server/settings/database-location.js';
import { importFolders, openFile, storeOf, type Warehouse } from '../../server/warehouse.js';
import { readCoverage } from '../../warehouse/coverage.js';
import type { CommandContext } from '../command-context.js';
import { count, wholeNumber } from '../numbers.js';
import { importProgress, reportImport } from './import-report.js';

interface Options {
  readonly events: number;
  readonly seed: number;
}

const DEFAULTS: Options = { events: 300_000, seed: 1 };

export function addDemoCommand(parent: Command, context: CommandContext): void {
  parent
    .command('demo')
    .description('fill an empty database with a synthetic world: invented people, repositories and events up to now')
    .option('--events <number>', 'about how many events', wholeNumber(0, Number.MAX_SAFE_INTEGER), DEFAULTS.events)
    .option(
      '--seed <number>',
      'another seed makes another world',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
      DEFAULTS.seed,
    )
    .action(async (options: Options) => {
      const warehouse = await context.newWarehouse();
      await requireEmpty(warehouse, databasePlace(context.settings));
      await fill(context, warehouse, options);
    });
}

/** Makes a demo database under a name of its own and gives it its name when it is whole. */
export async function makeDemoDatabase(context: CommandContext, file: string): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await Promise.all([unfinished, `${unfinished}.wal`].map((path) => rm(path, { force: true })));
  const warehouse = await openFile(context.settings, unfinished);
  try {
    await fill(context, warehouse, DEFAULTS);
  } finally {
    await warehouse.close();
  }
  await rename(unfinished, file);
}

/** A world made at another moment has other events under the same names: two of them, or one among real data, mix. */
async function requireEmpty({ database }: Warehouse, place: string): Promise<void> {
  const { events } = await readCoverage(database);
  if (events === 0) return;
  throw new Error(
    `${place} has ${count(events)} events already, and invented ones would mix with them. Name another database with ` +
      'DATABASE_URL, or move this one away.',
  );
}

async function fill(
  { output, settings, signal }: CommandContext,
  warehouse: Warehouse,
  options: Options,
): Promise<void> {
  output.warn('The demo data are synthetic: no person, repository or event in them is real.');
  const generating = output.progress('Generating');
  const importing = output.progress('Importing ');
  const tellImport = importProgress(importing);
  const summary = await fillWithDemo(storeOf(warehouse), {
    ...importFolders(settings),
    ...options,
    now: clockOf(settings)(),
    signal,
    onGenerated: ({ events, total, day }) => generating.update(events, total, `${day}, ${count(events)} events`),
    onProgress: (state) => {
      generating.stop();
      tellImport(state);
    },
  }).finally(() => {
    generating.stop();
    importing.stop();
  });
  reportImport(output, summary);
}
