import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { openWarehouse } from '../../server/databases/open-database.js';
import { importFolders } from '../../server/databases/warehouse.js';
import { demoSettings, serverVariables } from '../demo-service.js';
import { alternate, type Figure } from '../measure.js';
import { cpuSecondsOf } from '../process-usage.js';
import { withMariaDb } from '../with-mariadb.js';
import { createWorld, openWorld, timeOf, type World } from '../world.js';
import type { RowContext } from './context.js';
import { copyToServer } from './copy-to-server.js';
import { mariaDbPid } from './mariadb-pid.js';
import { multiplyWorld } from './multiply-world.js';

const EVENTS = 1_000_000;
const QUICK_EVENTS = 20_000;
/**
 * The factor by which the larger world has more repositories and users. The rows of the small database are copied, because generating so
 * many events would take an hour.
 */
const FACTOR = 10;
const ROUNDS = 8;
/** Executions per round. Linux measures CPU time in hundredths of a second, so a single execution is too short. */
const EXECUTIONS = 50;
const TARGET = 1.5;
const SIZES = ['small', 'large'] as const;

/**
 * Measures how much the CPU time of each operation in DuckDB grows with ten times as many rows, repositories and users. The queried
 * repositories are the same.
 */
export async function measureDuckdbGrowth(context: RowContext): Promise<Figure[]> {
  await createFiles(context);
  const open = (size: Size) => openWorld(demoSettings(join(context.folder, size)));
  return compareSizes(context, 'duckdb', open, () => process.cpuUsage());
}

/** Like `measureDuckdbGrowth`, for MariaDB. Measures the CPU time of its process and of this process. */
export async function measureMariaDbGrowth(context: RowContext): Promise<Figure[]> {
  return withMariaDb('CPU growth (mariadb)', async (_url, server) => {
    await createFiles(context);
    const open = (size: Size) => {
      context.log(`copying the ${size} tables to MariaDB`);
      return openServerWorld(`${server.url}/bench_${size}`, join(context.folder, size));
    };
    return compareSizes(context, 'mariadb', open, () => {
      const { user, system } = process.cpuUsage();
      return { user: user + cpuSecondsOf(mariaDbPid(server)) * 1e6, system };
    });
  });
}

type Size = (typeof SIZES)[number];

/** Creates a demo in a DuckDB file, and a second file with the multiplied tables. */
async function createFiles({ folder, log, isQuick }: RowContext): Promise<void> {
  const events = isQuick ? QUICK_EVENTS : EVENTS;
  const [small, large] = SIZES.map((size) => join(folder, size)) as [string, string];
  log(`creating a demo of ${events} events`);
  await mkdir(small);
  const demo = await createWorld(demoSettings(small), events);
  const tables = readTables(demo);
  await demo.warehouse.close();
  log(`multiplying its tables by ${FACTOR}`);
  await cp(small, large, { recursive: true });
  const copy = await openWarehouse(demoSettings(large), { migrating: true });
  await multiplyWorld(copy, tables, FACTOR);
  await copy.close();
}

function readTables({ engine }: World): Set<string> {
  return new Set(engine.endpoints.flatMap((endpoint) => [...endpoint.tables]));
}

/** Copies the tables that operations read from a DuckDB file to a new database on the server. */
async function openServerWorld(url: string, folder: string): Promise<World> {
  const name = new URL(url).pathname.slice(1);
  const fileSettings = demoSettings(folder);
  const file = await openWorld(fileSettings);
  const connection = await createConnection({ uri: url.slice(0, -name.length) });
  try {
    await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
    await connection.query(`USE ${name}`);
    const settings = demoSettings(folder, serverVariables(url));
    const empty = await openWarehouse(settings, { migrating: true });
    await empty.close();
    const staging = importFolders(fileSettings).stagingDirectory;
    await copyToServer(file.warehouse, connection, { tables: readTables(file), folder: staging });
    return await openWorld(settings);
  } finally {
    await Promise.all([connection.end(), file.warehouse.close()]);
  }
}

/** Returns the CPU time in microseconds since the start of all involved processes. */
type ReadCpu = () => { readonly user: number; readonly system: number };

async function compareSizes(
  { isQuick }: RowContext,
  database: string,
  open: (size: Size) => Promise<World>,
  readCpu: ReadCpu,
): Promise<Figure[]> {
  const worlds: World[] = [];
  try {
    for (const size of SIZES) worlds.push(await open(size));
    const [small, large] = worlds;
    if (small === undefined || large === undefined) return [];
    const figures: Figure[] = [];
    for (const { definition } of small.engine.endpoints) {
      const { name } = definition;
      const costs = await alternate(isQuick ? 1 : ROUNDS, {
        small: () => costOf(small, name, readCpu),
        large: () => costOf(large, name, readCpu),
      });
      figures.push(growthFigure(`CPU growth (${database}): ${name}`, costs));
    }
    return figures;
  } finally {
    await Promise.all(worlds.map(({ warehouse }) => warehouse.close()));
  }
}

interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Runs an operation several times. Returns the average cost of one execution. */
async function costOf(world: World, name: string, readCpu: ReadCpu): Promise<Cost> {
  await timeOf(world, name);
  const before = readCpu();
  const started = performance.now();
  for (let index = 0; index < EXECUTIONS; index += 1) await timeOf(world, name);
  const wallMs = (performance.now() - started) / EXECUTIONS;
  const after = readCpu();
  return { cpuMs: (after.user + after.system - before.user - before.system) / 1000 / EXECUTIONS, wallMs };
}

function growthFigure(name: string, { small, large }: Record<'small' | 'large', Cost[]>): Figure {
  const average = (costs: readonly Cost[], field: keyof Cost) =>
    costs.reduce((sum, cost) => sum + cost[field], 0) / costs.length;
  const measured = {
    smallCpuMs: average(small, 'cpuMs'),
    largeCpuMs: average(large, 'cpuMs'),
    smallWallMs: average(small, 'wallMs'),
    largeWallMs: average(large, 'wallMs'),
  };
  const { smallCpuMs, largeCpuMs, smallWallMs, largeWallMs } = measured;
  return {
    name,
    value: largeCpuMs / smallCpuMs,
    unit: '×',
    target: TARGET,
    bound: 'at most',
    detail:
      `CPU ${largeCpuMs.toFixed(2)} against ${smallCpuMs.toFixed(2)} ms per execution; ` +
      `time ${largeWallMs.toFixed(2)} against ${smallWallMs.toFixed(2)} ms`,
    measured,
  };
}
