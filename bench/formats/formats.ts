import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { runChild, startServer } from '../child.js';
import { createDemo, demoSettings, NOW, serverVariables } from '../demo-service.js';
import { alternate, type Figure } from '../measure.js';
import { cpuSecondsOf } from '../process-usage.js';
import { withMariaDb } from '../with-mariadb.js';
import { resetPeak, residentMegabytes } from './peak-memory.js';
import { fillTable, QUERY, ROWS } from './rows-table.js';

const ROUNDS = 3;
const QUICK_ROUNDS = 1;
const MIN_SPEED = 0.6;
const MAX_MEGABYTES = 64;
/** The benchmark ends if a server sends nothing for this time. */
const SILENT_MS = 60_000;
const FORMATS = ['ndjson', 'csv', 'arrow'] as const;

type Log = (text: string) => void;

const DEFINITION = `name: stored-rows
summary: All rows of a table
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
  - { col: name, data_type: VARCHAR, nullable: false, description: Text }
  - { col: stars, data_type: INT, nullable: true, description: Number or NULL }
  - { col: price, data_type: DECIMAL, scale: 2, nullable: false, description: Decimal }
  - { col: ratio, data_type: DOUBLE, nullable: false, description: Floating point }
  - { col: seen_at, data_type: DATETIME, nullable: false, description: Time }
sql: ${QUERY}
limits: { rows: 10, stream_rows: 2000000, timeout: 5m }
lint: { unstable-pages: The order does not matter }
`;

/**
 * Compares answers of a million rows with two references: a bare server that sends the rows of the driver with JSON.stringify to the same
 * client, and the driver alone, which discards the rows.
 */
export async function benchFormats(folder: string, log: Log, { isQuick }: { isQuick: boolean }): Promise<Figure[]> {
  const rounds = isQuick ? QUICK_ROUNDS : ROUNDS;
  const embedded = await measure({ database: 'duckdb', folder: join(folder, 'duckdb'), variables: {}, rounds }, log);
  const server = await withMariaDb('formats mariadb', (url) =>
    measure({ database: 'mariadb', folder: join(folder, 'mariadb'), variables: serverVariables(url), rounds }, log),
  );
  return [...embedded, ...server];
}

interface Measured {
  readonly seconds: number;
  /** The CPU time of all threads of the process that reads the rows, in seconds. */
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

interface Setting {
  readonly database: string;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly rounds: number;
}

async function measure({ database, folder, variables, rounds }: Setting, log: Log): Promise<Figure[]> {
  const endpoints = join(folder, 'endpoints');
  await mkdir(endpoints, { recursive: true });
  await writeFile(join(endpoints, 'stored-rows.yaml'), DEFINITION);
  const settings = demoSettings(folder, variables);
  log(`${database}: storing ${ROWS} rows`);
  await createDemo(settings, 500);
  await fillTable(settings);
  const all = { DATA_DIR: folder, ENDPOINTS_DIR: endpoints, NOW, ...variables };
  const args = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  log(`${database}: ${rounds} rounds of the driver and of ${FORMATS.join(', ')}`);
  const url = '/q/stored-rows';
  const results = await alternate<'driver' | 'bare' | (typeof FORMATS)[number], Measured>(rounds, {
    driver: async () => ({
      megabytes: 0,
      ...(await runChild<Omit<Measured, 'megabytes'>>('bare-rows', ['drop', ...args])),
    }),
    bare: () => readAnswer('bare-rows', ['serve', ...args], { first: undefined, all: '/' }),
    ndjson: () => readAnswer('own-server', args, { first: url, all: `${url}.ndjson` }),
    csv: () => readAnswer('own-server', args, { first: url, all: `${url}.csv` }),
    arrow: () => readAnswer('own-server', args, { first: url, all: `${url}.arrow` }),
  });
  const best = (name: keyof typeof results, key: 'seconds' | 'cpuSeconds') =>
    Math.min(...results[name].map((result) => result[key]));
  return FORMATS.flatMap((format) =>
    figuresOf(`${database}: ${ROWS} rows as ${format}`, {
      speed: { own: best(format, 'seconds'), bare: best('bare', 'seconds'), driver: best('driver', 'seconds') },
      cpu: { own: best(format, 'cpuSeconds'), bare: best('bare', 'cpuSeconds'), driver: best('driver', 'cpuSeconds') },
      megabytes: Math.max(...results[format].map(({ megabytes }) => megabytes)),
    }),
  );
}

interface Compared {
  readonly own: number;
  readonly bare: number;
  readonly driver: number;
}

function figuresOf(
  name: string,
  { speed, cpu, megabytes }: { readonly speed: Compared; readonly cpu: Compared; readonly megabytes: number },
): Figure[] {
  const detail = ({ own, bare, driver }: Compared) =>
    `${own.toFixed(2)} s, ${bare.toFixed(2)} s of the bare server, ${driver.toFixed(2)} s of the driver alone; best rounds`;
  const ratio = { unit: '×', target: MIN_SPEED, bound: 'at least' } as const;
  return [
    { ...ratio, name: `${name}, speed`, value: speed.bare / speed.own, detail: detail(speed) },
    { ...ratio, name: `${name}, CPU against the bare server`, value: cpu.bare / cpu.own, detail: detail(cpu) },
    { ...ratio, name: `${name}, CPU against the driver alone`, value: cpu.driver / cpu.own, detail: detail(cpu) },
    {
      name: `${name}, memory`,
      value: megabytes,
      unit: 'MB',
      target: MAX_MEGABYTES,
      bound: 'at most',
      detail: 'the largest peak of the resident memory beyond the memory after a first, small answer',
    },
  ];
}

interface Paths {
  /** The path of a small answer that is requested before the measurement. */
  readonly first: string | undefined;
  readonly all: string;
}

/**
 * Starts a separate server process for each answer, so that memory of an earlier answer cannot be reused. This process is only the client.
 */
async function readAnswer(child: string, args: readonly string[], { first, all }: Paths): Promise<Measured> {
  const server = await startServer(child, args);
  try {
    if (first !== undefined) await (await fetch(`${server.url}${first}`)).arrayBuffer();
    const before = residentMegabytes(server.pid, 'VmRSS');
    const cpuBefore = cpuSecondsOf(server.pid);
    resetPeak(server.pid);
    const started = performance.now();
    const rows = await countRows(`${server.url}${all}`);
    const seconds = (performance.now() - started) / 1000;
    if (rows !== String(ROWS)) throw new Error(`expected ${ROWS} rows of ${all}, got ${rows}`);
    const cpuSeconds = cpuSecondsOf(server.pid) - cpuBefore;
    return { seconds, cpuSeconds, megabytes: residentMegabytes(server.pid, 'VmHWM') - before };
  } finally {
    await server.stop();
  }
}

/** Reads an answer to its end and returns the number of rows in its trailer. */
function countRows(url: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, timeout: SILENT_MS }, (response) => {
      response.on('end', () => resolve(response.trailers['x-row-count']));
      response.on('error', reject);
      response.resume();
    });
    sent.on('timeout', () => sent.destroy(new Error(`${url} sent nothing for ${SILENT_MS} ms`)));
    sent.on('error', reject).end();
  });
}
