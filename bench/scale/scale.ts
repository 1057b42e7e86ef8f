import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from '../child.js';
import type { Figure } from '../measure.js';
import { generateHours } from './generate-hours.js';

interface HourCost {
  readonly importSeconds: number;
  readonly refreshSeconds: number;
  readonly peakMegabytes: number;
  readonly bytes: number;
}

/** The events of one hour of the public feed in 2026. */
const EVENTS_PER_HOUR = 180_000;
const START = Date.UTC(2026, 0, 1);
/** The number of hours at the start and at the end whose costs are compared. */
const COMPARED = 3;

/**
 * Imports hours of the size of the public feed one after another, each in a new process, and compares the cost of the last hours with the
 * cost of an hour after a million events. `hours` is the number of hours: more hours show the costs of a larger database.
 */
export async function benchScale(
  folder: string,
  log: (text: string) => void,
  { hours = 30, isQuick = false }: { readonly hours?: number; readonly isQuick?: boolean },
): Promise<Figure[]> {
  const count = isQuick ? 10 : hours;
  const directory = join(folder, 'hours');
  const data = join(folder, 'data');
  await Promise.all([directory, data].map((path) => mkdir(path)));
  const costs: HourCost[] = [];
  const source = { directory, start: START, hours: count, eventsPerHour: EVENTS_PER_HOUR };
  for await (const file of generateHours(source)) {
    const now = new Date(START + (costs.length + 1) * 3_600_000).toISOString();
    const cost = await runChild<HourCost>('import-hour', [data, file, now]);
    costs.push(cost);
    await rm(file);
    const events = (costs.length * EVENTS_PER_HOUR) / 1e6;
    log(
      `${events.toFixed(2)} million events: import ${cost.importSeconds.toFixed(1)} s of CPU, trends ` +
        `${cost.refreshSeconds.toFixed(1)} s, ${Math.round(cost.peakMegabytes)} MB, ${Math.round(cost.bytes / (events * 1e6))} bytes per event`,
    );
  }
  return figuresOf(costs);
}

function figuresOf(costs: readonly HourCost[]): Figure[] {
  const mean = (some: readonly HourCost[]) => some.reduce((sum, cost) => sum + cost.importSeconds, 0) / some.length;
  const atMillion = Math.floor(1_000_000 / EVENTS_PER_HOUR);
  // A mean, because some hours also sort tables.
  const [first, last] = [mean(costs.slice(atMillion, atMillion + COMPARED)), mean(costs.slice(-COMPARED))];
  const stored = costs.length * EVENTS_PER_HOUR;
  const events = `${(stored / 1e6).toFixed(1)} million events`;
  const newest = costs.at(-1) as HourCost;
  return [
    {
      name: 'scale: import of an hour / the same after a million events',
      value: last / first,
      unit: '×',
      target: 1.3,
      bound: 'at most',
      detail: `${last.toFixed(1)} s of CPU after ${events}, ${first.toFixed(1)} s after a million`,
    },
    {
      name: 'scale: refresh of trends, CPU time',
      value: newest.refreshSeconds,
      unit: 's',
      target: 3,
      bound: 'at most',
      detail: `with ${events}`,
    },
    {
      name: 'scale: size of the database file per million events',
      value: newest.bytes / stored,
      unit: 'MB',
      target: 40,
      bound: 'at most',
      detail: `${Math.round(newest.bytes / 1e6)} MB for ${events}`,
    },
    {
      name: 'scale: import, peak memory',
      value: Math.max(...costs.map(({ peakMegabytes }) => peakMegabytes)),
      unit: 'MB',
      target: 700,
      bound: 'at most',
      detail: 'the highest of all hours, with the default of DATABASE_MEMORY',
    },
  ];
}
