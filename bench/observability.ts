import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ServerChild, startServer } from './child.js';
import { createDemo, demoSettings, NOW } from './demo-service.js';
import { alternate, type Figure, median } from './measure.js';
import { type Contestant, type Rate, rateOf } from './serving/compare.js';

const EVENTS = { full: 20_000, quick: 5_000 };
const ROUNDS = { full: 9, quick: 1 };
const SECONDS = { full: 2, quick: 0.5 };
const TARGET = 1.05;
const FILE = 'repo-insight.duckdb';
const PATH = '/v1/repos/amber-ibex/reed-stack/issue_creators/';
/** More than the number of connections, so that no two requests in progress are equal. */
const DIFFERENT = 90;

/** What a server observes: nothing, metrics, or metrics and the access log in a pipe or a file. Tracing is disabled in all of them. */
const OBSERVED = ['none', 'metrics', 'log in a pipe', 'log in a file'] as const;
type Observed = (typeof OBSERVED)[number];

/** Measures the CPU time of metrics and of the access log per request, for answers in memory and for computed answers. */
export async function benchObservability(
  folder: string,
  log: (text: string) => void,
  { isQuick }: { readonly isQuick: boolean },
): Promise<Figure[]> {
  const demo = join(folder, 'demo');
  await mkdir(demo);
  log('creating a demo');
  await createDemo(demoSettings(demo), isQuick ? EVENTS.quick : EVENTS.full);
  const hits = await compare(folder, { isQuick, title: 'hit', settings: [], nextPath: () => PATH });
  let sent = 0;
  const nextPath = () => `${PATH}?page_size=${1 + (sent++ % DIFFERENT)}`;
  const misses = await compare(folder, { isQuick, title: 'miss', settings: ['CACHE_MEMORY=0'], nextPath });
  return [...hits, ...misses];
}

interface Load {
  readonly isQuick: boolean;
  readonly title: string;
  readonly settings: readonly string[];
  readonly nextPath: () => string;
}

async function compare(folder: string, { isQuick, title, settings, nextPath }: Load): Promise<Figure[]> {
  const [seconds, rounds] = isQuick ? [SECONDS.quick, ROUNDS.quick] : [SECONDS.full, ROUNDS.full];
  const servers = new Map<Observed, ServerChild>();
  try {
    for (const observed of OBSERVED)
      servers.set(observed, await start(folder, `${title}-${observed}`, observed, settings));
    const contestant = (observed: Observed): Contestant => ({ ...(servers.get(observed) as ServerChild), nextPath });
    // The first rounds compile the code.
    for (const observed of [...OBSERVED, ...OBSERVED]) await rateOf(contestant(observed), seconds);
    const measure = (observed: Observed) => () => rateOf(contestant(observed), seconds);
    const rates = await alternate<Observed, Rate>(rounds, {
      none: measure('none'),
      metrics: measure('metrics'),
      'log in a pipe': measure('log in a pipe'),
      'log in a file': measure('log in a file'),
    });
    return [
      figure(`${title}: metrics`, rates.metrics, rates.none),
      figure(`${title}: metrics, log in a pipe`, rates['log in a pipe'], rates.none),
      figure(`${title}: metrics, log in a file`, rates['log in a file'], rates.none),
    ];
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
}

/** Only one process can open a database file, so each server has a copy. */
async function start(
  folder: string,
  name: string,
  observed: Observed,
  settings: readonly string[],
): Promise<ServerChild> {
  const data = join(folder, name.replaceAll(' ', '-'));
  await mkdir(data);
  await copyFile(join(folder, 'demo', FILE), join(data, FILE));
  const log = join(data, 'log');
  // It ends with the server. Its CPU time does not count.
  if (observed === 'log in a pipe') {
    await run('mkfifo', [log]);
    spawn('cat', [log], { stdio: 'ignore' });
  }
  const observes = observed.startsWith('log') ? 'all' : observed;
  return startServer('observed-server', [observes, log, `DATA_DIR=${data}`, `NOW=${NOW}`, ...settings]);
}

const run = promisify(execFile);

/** The ratio of the medians. The detail also has the ratios of single rounds, which show how exact the figure is. */
function figure(name: string, ours: readonly Rate[], bare: readonly Rate[]): Figure {
  const cpu = (rates: readonly Rate[]) => median(rates.map(({ cpuPerRequest }) => cpuPerRequest));
  const ratios = ours.map(({ cpuPerRequest }, round) => cpuPerRequest / (bare[round]?.cpuPerRequest ?? Number.NaN));
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const detail = `CPU ${cpu(ours).toFixed(1)} against ${cpu(bare).toFixed(1)} µs per request; single rounds ${range}`;
  return { name: `observability: ${name}`, value: median(ratios), unit: '×', target: TARGET, bound: 'at most', detail };
}
