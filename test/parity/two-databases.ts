import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Comparison, compareEndpoint, createEngine, type Endpoint, type Engine } from '../../engine/index.js';
import { loadDefinitions } from '../../server/definitions.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import { serverWarehouse, type TestWarehouse, testWarehouse } from '../warehouse/test-warehouse.js';

/** The same data on the embedded database and on a server, asked as of any moment. */
export interface TwoDatabases {
  /** What every request means in both; whole comparisons, one for each endpoint asked. */
  compare(names: readonly string[], bases?: readonly Base[]): Promise<Comparison[]>;
  /** The first column of a SELECT on the embedded database. */
  values(sql: string): Promise<string[]>;
  /** Sets the clock of both, and computes what depends on it. */
  setClock(now: string): Promise<void>;
  readonly names: readonly string[];
  close(): Promise<void>;
}

type Base = Readonly<Record<string, string | number>>;

/** Both are filled by `fill`, one after the other. */
export async function openTwo(
  server: string,
  fill: (warehouse: TestWarehouse) => Promise<unknown>,
): Promise<TwoDatabases> {
  const embedded = await testWarehouse();
  const remote = await serverWarehouse(server);
  const both = [embedded, remote];
  for (const warehouse of both) await fill(warehouse);
  const endpoints = await loadDefinitions(readSettings({}));
  let now = new Date();
  const engineOn = ({ database }: TestWarehouse): Engine =>
    createEngine({ endpoints, database, clock: () => now, stopwatch: () => performance.now() });
  const [one, other] = [engineOn(embedded), engineOn(remote)];
  return {
    names: endpoints.map(({ definition }) => definition.name),
    compare: async (names, given = []) => {
      const comparisons: Comparison[] = [];
      for (const name of names) {
        const bases = distinctBases(one.endpoint(name), given);
        comparisons.push(await compareEndpoint(one, other, name, { bases }));
      }
      return comparisons;
    },
    values: async (sql) => (await embedded.rows(sql)).map(([value]) => String(value)),
    setClock: async (text) => {
      now = new Date(text);
      for (const { store } of both) await refreshAsOf(store, now);
    },
    close: async () => void (await Promise.all(both.map((warehouse) => warehouse.close()))),
  };
}

/** Those that make different requests: an endpoint ignores values that it has no parameter for. */
function distinctBases({ parameters }: Endpoint, bases: readonly Base[]): Base[] {
  const own = bases.map((base) => Object.fromEntries(Object.entries(base).filter(([name]) => name in parameters)));
  const distinct = new Map(own.map((base) => [JSON.stringify(base), base]));
  distinct.delete('{}');
  return [...distinct.values()];
}

/** Writes events of today's format into a file of the warehouse's folder. */
export async function eventFile({ folder }: TestWarehouse, name: string, events: readonly object[]): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return file;
}
