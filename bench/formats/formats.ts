import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { runChild, startServer } from '../child.js';
import { createDemo, demoSettings, NOW, serverVariables } from '../demo-service.js';
import { alternate, type Figure, median } from '../measure.js';
import { withMariaDb } from '../with-mariadb.js';
import { resetPeak, residentMegabytes } from './peak-memory.js';
import { fillTable, QUERY, ROWS } from './rows-table.js';

const ROUNDS = 3;
const QUICK_ROUNDS = 1;
const MIN_SPEED = 0.6;
const MAX_MEGABYTES = 64;
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

/** Compares answers of a million rows with the driver alone, which reads the same rows in another process and drops them. */
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
  const bare = async (): Promise<Measured> => ({ ...(await runChild<Measured>('bare-rows', args)), megabytes: 0 });
  log(`${database}: ${rounds} rounds of the driver and of ${FORMATS.join(', ')}`);
  const results = await alternate<'bare' | (typeof FORMATS)[number], Measured>(rounds, {
    bare,
    ndjson: () => readAnswer(args, 'ndjson'),
    csv: () => readAnswer(args, 'csv'),
    arrow: () => readAnswer(args, 'arrow'),
  });
  const driver = median(results.bare.map(({ seconds }) => seconds));
  return FORMATS.flatMap((format): Figure[] => {
    const seconds = median(results[format].map((result) => result.seconds));
    const megabytes = median(results[format].map((result) => result.megabytes));
    const name = `${database}: ${ROWS} rows as ${format}`;
    const speed = `${seconds.toFixed(2)} s against ${driver.toFixed(2)} s of the driver, medians of ${rounds}`;
    return [
      {
        name: `${name}, speed`,
        value: driver / seconds,
        unit: '×',
        target: MIN_SPEED,
        bound: 'at least',
        detail: speed,
      },
      {
        name: `${name}, memory`,
        value: megabytes,
        unit: 'MB',
        target: MAX_MEGABYTES,
        bound: 'at most',
        detail: 'the peak of the resident memory beyond the memory after a first, small answer',
      },
    ];
  });
}

/** Starts a service for each answer, so that no memory of an earlier answer is used again. */
async function readAnswer(args: readonly string[], format: string): Promise<Measured> {
  const server = await startServer('own-server', args);
  try {
    const url = `${server.url}/q/stored-rows.${format}`;
    await (await fetch(`${server.url}/q/stored-rows`)).arrayBuffer();
    const before = residentMegabytes(server.pid, 'VmRSS');
    resetPeak(server.pid);
    const started = performance.now();
    const rows = await countRows(url);
    const seconds = (performance.now() - started) / 1000;
    if (rows !== String(ROWS)) throw new Error(`expected ${ROWS} rows as ${format}, got ${rows}`);
    return { seconds, megabytes: residentMegabytes(server.pid, 'VmHWM') - before };
  } finally {
    await server.stop();
  }
}

/** Reads an answer to its end and returns the number of rows that its trailer states. */
function countRows(url: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false }, (response) => {
      response.on('end', () => resolve(response.trailers['x-row-count']));
      response.on('error', reject);
      response.resume();
    })
      .on('error', reject)
      .end();
  });
}
