import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createEngine, type Endpoint, type Engine, writeTextRows } from '../../engine/index.js';
import { RollupWork } from '../../server/background/keep-rollups-current.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import type { OpenDatabase } from '../../server/databases/warehouse.js';
import { createServiceLoader } from '../../server/settings/definitions.js';
import { readApiFolder } from '../../server/settings/read-api-folder.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { execute } from '../services/execute.js';

/** A row of the table `orders`. `at` is `YYYY-MM-DD HH:MM:SS`, also with a fraction. */
export interface Order {
  readonly id: number | string;
  readonly shop: string | null;
  readonly at: string;
  readonly total: string;
}

/** Writes all rows of the table `orders`, whose file is `orders.csv` without a server. */
export type WriteOrders = (orders: readonly Order[]) => Promise<void>;

const COLUMNS =
  'id BIGINT NOT NULL PRIMARY KEY, shop VARCHAR(20), at DATETIME(6) NOT NULL, total DECIMAL(12, 2) NOT NULL';

/** An API with the table `orders`, and materialized definitions. */
export interface RollupApi {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly writeOrders: WriteOrders;
  /** Writes a definition. The text follows the name and the summary. */
  define(name: string, text: string): Promise<void>;
  /** Opens the definitions and the database, like one process of a service. `api.close` closes it. */
  open(): Promise<RollupProcess>;
  close(): Promise<void>;
}

/** One process of the service, with a clock that the test advances. */
export interface RollupProcess {
  readonly engine: Engine;
  readonly warehouse: OpenDatabase;
  readonly work: RollupWork;
  /** The entries of the log. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  now: Date;
  /** Loads the definitions again. */
  load(): Promise<void>;
  /** The rows of the endpoint: from its table, or with `isComputed` those of its SQL. */
  rowsOf(name: string, options?: { readonly isComputed?: boolean }): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

const START = '2026-03-01T12:00:00Z';

/** Creates the folder of an API. `server` are the settings of a database on a server; empty for files. */
export async function createRollupApi(server: Readonly<Record<string, string>>, tables = ''): Promise<RollupApi> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-rollups-'));
  const url = server.DATABASE_URL;
  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  const environment = { ...server, DATA_DIR: join(folder, 'state'), VERSION_POLL_MS: '50' };
  for (const name of ['endpoints', 'tables']) await mkdir(join(folder, name));
  await write('api.yaml', 'title: Shop\n');
  if (tables !== '') await write('tables/daily.yaml', tables);
  if (url === undefined) await write('tables/orders.yaml', 'source: orders.csv\n');
  else await execute(url, `CREATE TABLE orders (${COLUMNS})`);
  const opened: RollupProcess[] = [];
  return {
    folder,
    environment,
    writeOrders: (orders) => (url === undefined ? writeFileOf(folder, orders) : writeTable(url, orders)),
    define: (name, text) => write(`endpoints/${name}.yaml`, `name: ${name}\nsummary: Test.\n${text}`),
    open: async () => {
      const process = await openProcess(folder, environment);
      opened.push(process);
      return process;
    },
    close: async () => {
      await Promise.all(opened.map((one) => one.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Replaces the file with a rename, so that no query reads half of it. */
async function writeFileOf(folder: string, orders: readonly Order[]): Promise<void> {
  // The first row determines the types of the columns.
  const lines = orders.map(({ id, shop, at, total }) => `${id},${shop === null ? '' : `"${shop}"`},${at},${total}\n`);
  await writeFile(join(folder, 'next'), `id,shop,at,total\n${lines.join('')}`);
  await rename(join(folder, 'next'), join(folder, 'orders.csv'));
}

async function writeTable(url: string, orders: readonly Order[]): Promise<void> {
  const rows = orders.map(
    ({ id, shop, at, total }) => `(${id}, ${shop === null ? 'NULL' : `'${shop}'`}, '${at}', ${total})`,
  );
  const insert = rows.length === 0 ? [] : [`INSERT INTO orders VALUES ${rows.join(', ')}`];
  await execute(url, 'START TRANSACTION', 'DELETE FROM orders', ...insert, 'COMMIT');
}

async function openProcess(folder: string, environment: Readonly<Record<string, string>>): Promise<RollupProcess> {
  const settings = { ...readSettings(environment), api: await readApiFolder(folder, environment) };
  const warehouse = await openWarehouse(settings, { migrating: false });
  const { database, versions, rollups: store } = warehouse;
  if (store === undefined) throw new Error('the database has no place for materialized tables');
  const loader = createServiceLoader(settings);
  const log: Readonly<Record<string, unknown>>[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => log.push(JSON.parse(line)) });
  const state = { endpoints: [] as readonly Endpoint[] };
  const clock = () => opened.now;
  const engine = createEngine({ endpoints: [], database, versions, clock, stopwatch: () => 0 });
  const endpoints = () => state.endpoints;
  const onCreated = async () => void (await engine.lookUp({ withinMs: 60_000 }));
  const work = new RollupWork({ store, database, versions, clock, endpoints, onCreated, logger });
  const opened: RollupProcess = {
    ...{ engine, warehouse, work, log, now: new Date(START) },
    load: async () => {
      const { endpoints: all, broken, problems } = await loader.load();
      if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
      state.endpoints = all;
      engine.replace({ endpoints: all, broken });
    },
    rowsOf: async (name, { isComputed = false } = {}) => {
      const endpoint = engine.endpoint(name);
      const { rollup } = endpoint;
      const answering = isComputed ? (rollup?.computing ?? endpoint) : endpoint;
      const answer = await engine.run(answering, { path: {}, query: {} }, { purpose: 'comparison' });
      return writeTextRows(answering, answer.rows);
    },
    close: async () => {
      await work.stop();
      await warehouse.close();
    },
  };
  await opened.load();
  return opened;
}

/** Runs the work with the present rows and time. The first call can wait for a run that began earlier. */
export async function runNow({ work }: Pick<RollupProcess, 'work'>): Promise<void> {
  await work.now();
  await work.now();
}
