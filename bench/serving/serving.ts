import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { benchImport } from '../import.js';
import type { Figure } from '../measure.js';
import { measureAccess } from './access.js';
import { createDemoOnce, type Row } from './context.js';
import { measureDuckdbGrowth, measureMariaDbGrowth } from './growth.js';
import { measureAgainstFastify, measureHits, measureNotModified } from './hits.js';
import { measureDay } from './imports/day.js';
import { measureDuckdbImport, measureMariaDbImport } from './imports/import-under-load.js';
import { measureLevel2 } from './level-2.js';
import { measureDuckdbMisses, measureMariaDbMisses } from './misses/misses.js';
import { measureOutages } from './outages/outages.js';
import { measureStampede } from './stampede/stampede.js';
import { measureStartUp } from './start-up.js';

/** The rows, by the name that `--only` uses. */
export const ROWS: Readonly<Record<string, Row>> = {
  hit: measureHits,
  fastify: measureAgainstFastify,
  304: measureNotModified,
  access: measureAccess,
  'level-2': measureLevel2,
  'miss-duckdb': measureDuckdbMisses,
  'miss-mariadb': measureMariaDbMisses,
  'growth-duckdb': measureDuckdbGrowth,
  'growth-mariadb': measureMariaDbGrowth,
  stampede: measureStampede,
  outages: measureOutages,
  import: ({ folder, log }) => benchImport(folder, log),
  'import-duckdb': measureDuckdbImport,
  'import-mariadb': measureMariaDbImport,
  start: measureStartUp,
  day: measureDay,
};

export interface ServingOptions {
  /** The names of the rows to measure; all rows if it is empty. */
  readonly only: readonly string[];
  readonly isQuick: boolean;
}

/** Measures the service as callers use it: over HTTP, with rate limits, headers and access log. */
export async function benchServing(
  folder: string,
  log: (text: string) => void,
  { only, isQuick }: ServingOptions,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const embeddedDemo = createDemoOnce({ folder, log, isQuick });
  // `ROWS` is not ordered as written, because JavaScript sorts names such as 304 first.
  for (const [name, row] of Object.entries(ROWS)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const rowFolder = join(folder, name);
    await mkdir(rowFolder);
    const logRow = (text: string) => log(`${name}: ${text}`);
    const context = { folder: rowFolder, log: logRow, isQuick, embeddedDemo };
    // If a row fails, the figures of the other rows must not be lost, because measuring them took an hour.
    figures.push(...(await row(context).catch((error: unknown) => [failedRow(name, error)])));
  }
  return figures;
}

function failedRow(name: string, error: unknown): Figure {
  console.error(error);
  const detail = `failed: ${error instanceof Error ? error.message : String(error)}`;
  return { name, value: Number.NaN, unit: '×', target: Number.NaN, bound: 'at least', detail };
}
