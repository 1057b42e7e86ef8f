import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDemo } from '../demo/generate-demo.js';
import { runChild } from './child.js';
import { NOW } from './demo-service.js';
import { alternate, type Figure, median } from './measure.js';

const EVENTS = 1_000_000;
const ROUNDS = 5;
const TARGET_RATIO = 2;
const TARGET_MEGABYTES = 700;

interface Report {
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

/** Measures an import. Compares its CPU time with that of DuckDB alone for reading the same gzip files into typed columns. */
export async function benchImport(folder: string, log: (text: string) => void): Promise<Figure[]> {
  log(`generating ${EVENTS} events`);
  const { files } = await generateDemo({ directory: join(folder, 'events'), now: new Date(NOW), events: EVENTS });
  log(`${ROUNDS} rounds of reading and importing ${files.length} files`);
  const peaks: number[] = [];
  const seconds = await alternate(ROUNDS, {
    alone: async () => {
      const database = join(folder, 'alone.duckdb');
      const report = await runChild<Report>('read-typed', [database, ...files]);
      await rm(database);
      return report.cpuSeconds;
    },
    ours: async () => {
      const data = join(folder, 'ours');
      await mkdir(data);
      const report = await runChild<Report>('import-events', [data, ...files]);
      peaks.push(report.peakMegabytes);
      await rm(data, { recursive: true });
      return report.cpuSeconds;
    },
  });
  const [alone, ours] = [median(seconds.alone), median(seconds.ours)];
  const detail = `${ours.toFixed(2)} s against ${alone.toFixed(2)} s for ${EVENTS} events, medians of ${ROUNDS}`;
  return [
    {
      name: 'import / database alone, CPU time',
      value: ours / alone,
      unit: '×',
      target: TARGET_RATIO,
      bound: 'at most',
      detail,
    },
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
