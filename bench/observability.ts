import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type OrderedChild, startServer } from './child.js';
import { createDemo, demoSettings, NOW } from './demo-service.js';
import { alternate, type Figure, median } from './measure.js';
import { applyLoad } from './serving/load/load.js';

const EVENTS = 5_000;
const TARGET = 1.05;
const FILE = 'repo-insight.duckdb';
const PATH = '/v1/repos/amber-ibex/reed-stack/issue_creators/';
const CONNECTIONS = 8;
/** More different requests than connections, so that no two concurrent requests are equal. */
const DIFFERENT = 90;

/**
 * The extent of the measurements. Results of identical processes differ by a few percent, so cache hits are measured in several processes.
 */
const EFFORTS = {
  full: { hits: { servers: 3, rounds: 16 }, misses: { servers: 1, rounds: 10 }, seconds: 0.5 },
  quick: { hits: { servers: 1, rounds: 2 }, misses: { servers: 1, rounds: 1 }, seconds: 0.3 },
} as const;

interface Effort {
  readonly servers: number;
  readonly rounds: number;
  readonly seconds: number;
}

/**
 * Measures the CPU time of metrics and of the access log per request, for cache hits and for computed answers. Tracing is disabled. The
 * same process is measured alternately with and without them.
 */
export async function benchObservability(
  folder: string,
  log: (text: string) => void,
  { isQuick }: { readonly isQuick: boolean },
): Promise<Figure[]> {
  const demo = join(folder, 'demo');
  await mkdir(demo);
  log('creating a demo');
  await createDemo(demoSettings(demo), EVENTS);
  const { hits, misses, seconds } = isQuick ? EFFORTS.quick : EFFORTS.full;
  let sent = 0;
  const nextPath = () => `${PATH}?page_size=${1 + (sent++ % DIFFERENT)}`;
  const figures: Figure[] = [];
  for (const output of ['file', 'pipe'] as const) {
    const hit = { title: 'hit', output, settings: [], nextPath: () => PATH };
    figures.push(...(await compare(folder, log, hit, { ...hits, seconds })));
  }
  const miss = { title: 'miss', output: 'file', settings: ['CACHE_MEMORY=0'], nextPath } as const;
  return [...figures, ...(await compare(folder, log, miss, { ...misses, seconds: 2 * seconds }))];
}

interface Load {
  readonly title: string;
  /** Where the log is written. */
  readonly output: 'file' | 'pipe';
  readonly settings: readonly string[];
  readonly nextPath: () => string;
}

/** The CPU times per request in microseconds, by what the server records. */
type Times = Record<Observed, number[]>;
type Observed = 'none' | 'metrics' | 'log';

async function compare(folder: string, log: (text: string) => void, load: Load, effort: Effort): Promise<Figure[]> {
  const { title, output } = load;
  const all: Times = { none: [], metrics: [], log: [] };
  for (let count = 1; count <= effort.servers; count += 1) {
    log(`${title}, log in a ${output}, process ${count} of ${effort.servers}`);
    const times = await measure(await start(folder, `${title}-${output}-${count}`, load), load, effort);
    for (const observed of Object.keys(all) as Observed[]) all[observed].push(...times[observed]);
  }
  return [
    figure(`${title}: metrics (log in a ${output} is off)`, all.metrics, all.none),
    figure(`${title}: metrics, log in a ${output}`, all.log, all.none),
  ];
}

async function measure(server: OrderedChild, { nextPath }: Load, { rounds, seconds }: Effort): Promise<Times> {
  const load = () => applyLoad({ url: server.url, connections: CONNECTIONS, headers: {}, seconds, nextPath });
  const round = (observed: Observed) => async () => {
    const before = Number(await server.order(observed));
    const { requests, failed, firstFailure } = await load();
    if (failed > 0) throw new Error(`${server.url} failed: ${firstFailure}`);
    return (Number(await server.order(observed)) - before) / requests;
  };
  const works = { none: round('none'), metrics: round('metrics'), log: round('log') };
  try {
    // Warm-up: in the first rounds, the code is compiled.
    await alternate<Observed>(4, works);
    return await alternate<Observed>(rounds, works);
  } finally {
    await server.stop();
  }
}

/** Starts a server with a separate copy of the database file, because only one process can open it. */
async function start(folder: string, name: string, { output, settings }: Load): Promise<OrderedChild> {
  const data = join(folder, name);
  await mkdir(data);
  await copyFile(join(folder, 'demo', FILE), join(data, FILE));
  const log = join(data, 'log');
  // This reader of the pipe ends with the server. The CPU time of the reader does not count.
  if (output === 'pipe') {
    await run('mkfifo', [log]);
    spawn('cat', [log], { stdio: 'ignore' });
  }
  return startServer('observed-server', [log, `DATA_DIR=${data}`, `NOW=${NOW}`, ...settings]);
}

const run = promisify(execFile);

/** Returns the median of the ratios of the rounds. The detail contains the quartiles, which show the precision of the figure. */
function figure(name: string, ours: readonly number[], bare: readonly number[]): Figure {
  const ratios = ours.map((time, round) => time / (bare[round] ?? Number.NaN)).sort((a, b) => a - b);
  const quartile = (part: number) => (ratios[Math.floor((ratios.length - 1) * part)] ?? Number.NaN).toFixed(2);
  const detail =
    `CPU ${median(ours).toFixed(1)} against ${median(bare).toFixed(1)} µs per request; ` +
    `half of ${ratios.length} rounds ${quartile(0.25)} to ${quartile(0.75)}`;
  return { name: `observability: ${name}`, value: median(ratios), unit: '×', target: TARGET, bound: 'at most', detail };
}
