import { setTimeout as pause } from 'node:timers/promises';
import { loadDefinitions } from '../../../server/settings/definitions.js';
import type { Figure } from '../../measure.js';
import { usageOfTree } from '../../process-usage.js';
import type { RowContext } from '../context.js';
import { headerOf } from '../load/answer-reader.js';
import { applyLoad, type LoadReport } from '../load/load.js';
import { runToEnd, startService } from '../service.js';
import { HOURS } from './hourly-files.js';
import { IMPORT_SETTINGS, prepareImports } from './prepare-imports.js';
import { createKeys, drawByZipf } from './requested-keys.js';

const SIZE = { events: 300_000, eventsPerHour: 2_000 };
const QUICK_SIZE = { events: 20_000, eventsPerHour: 100 };
const SECONDS = 180;
const QUICK_SECONDS = 30;
const SAMPLE_MS = 1_000;
const TARGET = 1.1;
/** At most 800 requests per second in total. */
const [CONNECTIONS, EVERY_MS] = [16, 20];

/** Simulates a day in three minutes: an import for each hour, and requests for thousands of different answers. */
export async function measureDay({ folder, log, isQuick }: RowContext): Promise<Figure[]> {
  const size = isQuick ? QUICK_SIZE : SIZE;
  log(`creating a demo of ${size.events} events and hourly files of ${size.eventsPerHour} events`);
  const { files, repositories } = await prepareImports(folder, {}, size);
  const endpoints = await loadDefinitions({ endpointsDirectory: undefined });
  const keys = createKeys(
    endpoints,
    repositories.map(({ name }) => name),
  );
  log(`${keys.length} different requests`);
  const service = await startService(folder, IMPORT_SETTINGS);
  try {
    const seconds = isQuick ? QUICK_SECONDS : SECONDS;
    const outcomes = new Map<string, number>();
    const load = applyLoad({
      ...{ url: service.url, seconds, connections: CONNECTIONS, everyMs: EVERY_MS, nextPath: drawByZipf(keys) },
      onAnswer: (answer) => {
        const outcome = outcomeOf(headerOf(answer, 'Cache-Status'));
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      },
    });
    const imports = importHours(folder, files, seconds);
    const samples = await sampleMemory(service.pid, seconds);
    const importSeconds = await imports;
    return [dayFigure(await load, samples, outcomes, importSeconds)];
  } finally {
    await service.stop();
  }
}

/** Returns the outcome in the header `Cache-Status` (RFC 9211): `hit`, or the reason for forwarding, such as `miss` or `stale`. */
function outcomeOf(status: string | undefined): string {
  if (status === undefined) return 'no Cache-Status';
  return /;\s*hit\b/.test(status) ? 'hit' : (/fwd=([\w-]+)/.exec(status)?.[1] ?? status);
}

/** Starts one import per interval. An import that takes longer delays the next one. Returns the longest duration. */
async function importHours(folder: string, files: readonly string[], seconds: number): Promise<number> {
  const started = performance.now();
  let longest = 0;
  for (const [hour, file] of files.entries()) {
    const wait = started + (hour * seconds * 1000) / HOURS - performance.now();
    if (wait > 0) await pause(wait);
    const begun = performance.now();
    await runToEnd(folder, ['data', 'import', file], { DATA_DIR: folder, ...IMPORT_SETTINGS });
    longest = Math.max(longest, (performance.now() - begun) / 1000);
  }
  return longest;
}

/** Samples the memory of the service over time, in megabytes. */
async function sampleMemory(pid: number, seconds: number): Promise<number[]> {
  const samples: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    await pause(SAMPLE_MS);
    samples.push(usageOfTree(pid).megabytes);
  }
  return samples;
}

function dayFigure(
  report: LoadReport,
  samples: readonly number[],
  outcomes: ReadonlyMap<string, number>,
  longestImport: number,
): Figure {
  const third = Math.floor(samples.length / 3);
  const average = (part: readonly number[]) => part.reduce((sum, value) => sum + value, 0) / part.length;
  const [second, last] = [average(samples.slice(third, 2 * third)), average(samples.slice(2 * third))];
  const hitRatio = (outcomes.get('hit') ?? 0) / report.requests;
  const counts = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  return {
    name: 'a day in three minutes: memory, last third / second third',
    value: report.failed > 0 ? Number.NaN : last / second,
    unit: '×',
    target: TARGET,
    bound: 'at most',
    detail:
      `${last.toFixed(0)} against ${second.toFixed(0)} MB, highest ${Math.max(...samples).toFixed(0)} MB; ` +
      `hit ratio ${hitRatio.toFixed(3)} of ${report.requests} requests (${counts}); ${report.failed} failed` +
      `${report.firstFailure === undefined ? '' : `, first: ${report.firstFailure}`}; longest import ${longestImport.toFixed(1)} s`,
    measured: {
      secondThirdMegabytes: second,
      lastThirdMegabytes: last,
      hitRatio,
      requests: report.requests,
      longestImport,
    },
  };
}
