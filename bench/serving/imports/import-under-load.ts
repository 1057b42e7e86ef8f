import { loadDefinitions } from '../../../server/settings/definitions.js';
import { serverVariables } from '../../demo-service.js';
import { urlOfExample } from '../../example-url.js';
import type { Figure } from '../../measure.js';
import { cpuSecondsOf } from '../../process-usage.js';
import { withMariaDb } from '../../with-mariadb.js';
import type { RowContext } from '../context.js';
import { headerOf } from '../load/answer-reader.js';
import { applyLoad, type LoadReport, percentile } from '../load/load.js';
import { runToEnd, type Service, startService } from '../service.js';
import { IMPORT_SETTINGS, type PreparedImports, prepareImports } from './prepare-imports.js';

const SIZE = { events: 300_000, eventsPerHour: 20_000 };
const QUICK_SIZE = { events: 20_000, eventsPerHour: 500 };
const QUIET_SECONDS = 20;
const TARGET = 2;
/** At most 400 requests per second. The server is then not busy, so requests do not delay each other. */
const [CONNECTIONS, EVERY_MS] = [8, 20];

/** Measures response times of cached answers during an import. The service runs the import itself, because it has the file open. */
export async function measureDuckdbImport(context: RowContext): Promise<Figure[]> {
  return compareWithQuiet(context, 'duckdb', {});
}

/** Like `measureDuckdbImport`, but the import is another process that writes to the same MariaDB. */
export async function measureMariaDbImport(context: RowContext): Promise<Figure[]> {
  return withMariaDb('p99 during an import (mariadb)', (url) =>
    compareWithQuiet(context, 'mariadb', serverVariables(url)),
  );
}

async function compareWithQuiet(
  { folder, log, isQuick }: RowContext,
  database: string,
  variables: Readonly<Record<string, string>>,
): Promise<Figure[]> {
  const size = isQuick ? QUICK_SIZE : SIZE;
  log(`creating a demo of ${size.events} events and hourly files of ${size.eventsPerHour} events`);
  const prepared = await prepareImports(folder, variables, size);
  const settings = { ...variables, ...IMPORT_SETTINGS };
  const service = await startService(folder, settings);
  try {
    const paths = await warm(service.url);
    const quiet = await readWarm(service, paths, isQuick ? 3 : QUIET_SECONDS);
    const { report, seconds } = await readDuringImport(service, paths, folder, settings, prepared);
    log(`the import took ${seconds.toFixed(1)} s`);
    return [figureOf(database, quiet, report, seconds)];
  } finally {
    await service.stop();
  }
}

/** Requests the first example of each operation twice, so that it is cached. Returns the paths. */
async function warm(url: string): Promise<string[]> {
  const paths = (await loadDefinitions({ endpointsDirectory: undefined })).map(urlOfExample);
  for (const path of [...paths, ...paths]) await (await fetch(url + path)).arrayBuffer();
  return paths;
}

interface WarmReport extends LoadReport {
  /** The CPU time of the service in seconds. The CPU time includes the import if the service runs it. */
  readonly cpuSeconds: number;
  /** The number of stale answers. In the background, the service computes them again. */
  readonly stale: number;
}

async function readWarm(
  { url, pid }: Service,
  paths: readonly string[],
  seconds: number,
  signal?: AbortSignal,
): Promise<WarmReport> {
  let [sent, stale] = [0, 0];
  const cpuSeconds = cpuSecondsOf(pid);
  const report = await applyLoad({
    ...{ url, seconds, connections: CONNECTIONS, everyMs: EVERY_MS, ...(signal && { signal }) },
    nextPath: () => paths[sent++ % paths.length] ?? '',
    onAnswer: (answer) => {
      if (headerOf(answer, 'Cache-Status')?.includes('fwd=stale')) stale += 1;
    },
  });
  return { ...report, cpuSeconds: cpuSecondsOf(pid) - cpuSeconds, stale };
}

async function readDuringImport(
  service: Service,
  paths: readonly string[],
  folder: string,
  settings: Readonly<Record<string, string>>,
  { files }: PreparedImports,
): Promise<{ readonly report: WarmReport; readonly seconds: number }> {
  const ended = new AbortController();
  const load = readWarm(service, paths, Number.POSITIVE_INFINITY, ended.signal);
  const started = performance.now();
  await runToEnd(folder, ['data', 'import', ...files], { DATA_DIR: folder, ...settings }).finally(() => ended.abort());
  return { report: await load, seconds: (performance.now() - started) / 1000 };
}

function figureOf(database: string, quiet: WarmReport, busy: WarmReport, importSeconds: number): Figure {
  const failed = quiet.failed + busy.failed;
  const measured = {
    quietP50Ms: percentile(quiet, 0.5),
    quietP99Ms: percentile(quiet, 0.99),
    importP50Ms: percentile(busy, 0.5),
    importP99Ms: percentile(busy, 0.99),
    importSlowestMs: percentile(busy, 1),
    importSeconds,
    quietCpuMs: cpuMsOf(quiet),
    importCpuMs: cpuMsOf(busy),
    stale: busy.stale,
    failed,
  };
  const firstFailure = quiet.firstFailure ?? busy.firstFailure;
  const { quietP50Ms, quietP99Ms, importP50Ms, importP99Ms, quietCpuMs, importCpuMs } = measured;
  return {
    name: `p99 during an import (${database})`,
    value: failed > 0 ? Number.NaN : importP99Ms / quietP99Ms,
    unit: '×',
    target: TARGET,
    bound: 'at most',
    detail:
      `p99 ${importP99Ms.toFixed(1)} against ${quietP99Ms.toFixed(1)} ms, p50 ${importP50Ms.toFixed(1)} against ` +
      `${quietP50Ms.toFixed(1)} ms; ${busy.requests} requests in ${importSeconds.toFixed(1)} s, ${busy.stale} stale; ` +
      `CPU of the service per request ${importCpuMs.toFixed(2)} against ${quietCpuMs.toFixed(2)} ms; ${failed} failed` +
      `${firstFailure === undefined ? '' : `, first: ${firstFailure}`}`,
    measured,
  };
}

function cpuMsOf({ cpuSeconds, requests }: WarmReport): number {
  return (cpuSeconds * 1000) / requests;
}
