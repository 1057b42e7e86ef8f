import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDemo } from '../demo/generate-demo.js';
import { runChild } from './child.js';
import type { UsageReport } from './children/report.js';
import { NOW } from './demo-service.js';
import { alternate, type Figure, median } from './measure.js';

const EVENTS = 1_000_000;
const ROUNDS = 5;
const TARGET_RATIO = 2;
const TARGET_MEGABYTES = 700;

/**
 * Measures an import. Compares its duration and its CPU time with those that DuckDB alone needs to read the same gzip files into
 * typed columns.
 */
export async function benchImport(folder: string, log: (text: string) => void): Promise<Figure[]> {
  log(`generating ${EVENTS} events`);
  const { files } = await generateDemo({ directory: join(folder, 'events'), now: new Date(NOW), events: EVENTS });
  log(`${ROUNDS} rounds of reading and importing ${files.length} files`);
  const peaks: number[] = [];
  const reports = await alternate<'alone' | 'ours', UsageReport>(ROUNDS, {
    alone: async () => {
      const database = join(folder, 'alone.duckdb');
      const report = await runChild<UsageReport>('read-typed', [database, ...files]);
      await rm(database);
      return report;
    },
    ours: async () => {
      const data = join(folder, 'ours');
      await mkdir(data);
      const report = await runChild<UsageReport>('import-events', [data, ...files]);
      peaks.push(report.peakMegabytes);
      await rm(data, { recursive: true });
      return report;
    },
  });
  return [
    ratioFigure('import / database alone', reports, 'seconds'),
    ratioFigure('import / database alone, CPU time', reports, 'cpuSeconds'),
    {
      name: 'import, peak memory',
      value: Math.max(...peaks),
      unit: 'MB',
      target: TARGET_MEGABYTES,
      bound: 'at most',
      detail: `the highest of ${ROUNDS} imports of ${EVENTS} events`,
    },
  ];
}

function ratioFigure(
  name: string,
  reports: Readonly<Record<'alone' | 'ours', readonly UsageReport[]>>,
  field: 'seconds' | 'cpuSeconds',
): Figure {
  const [alone, ours] = [reports.alone, reports.ours].map((all) => median(all.map((report) => report[field])));
  if (alone === undefined || ours === undefined) throw new RangeError('no reports');
  const detail = `${ours.toFixed(2)} s against ${alone.toFixed(2)} s for ${EVENTS} events, medians of ${ROUNDS}`;
  const measured = { ours, alone };
  return { name, value: ours / alone, unit: '×', target: TARGET_RATIO, bound: 'at most', detail, measured };
}
