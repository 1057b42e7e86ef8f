import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { demoSettings, serverVariables } from './demo-service.js';
import { alternate, type Figure, median } from './measure.js';
import { withMariaDb } from './with-mariadb.js';
import { withTidb } from './with-tidb.js';
import { createWorld, timeOf, type World } from './world.js';

const EVENTS = 60_000;
const ROUNDS = 40;
/** The number of rounds that run before the measurement starts. */
const WARM_UP = 3;
const TARGET = 5;
const NAME = 'tidb operations / MariaDB';

/** Measures each operation on TiDB. Compares the times with MariaDB, which has the same events and runs in the same round. */
export function benchTidbOperations(folder: string, log: (text: string) => void): Promise<Figure[]> {
  return withTidb(log, (tidb) =>
    withMariaDb(NAME, async (mariaDb) => {
      log(`creating two demos of ${EVENTS} events`);
      const worlds = [
        await worldAt(mariaDb, join(folder, 'mariadb')),
        await worldAt(tidb, join(folder, 'tidb')),
      ] as const;
      try {
        return await compareOperations(worlds, log);
      } finally {
        for (const { warehouse } of worlds) await warehouse.close();
      }
    }),
  );
}

async function worldAt(url: string, folder: string): Promise<World> {
  await mkdir(folder);
  return createWorld(demoSettings(folder, serverVariables(url)), EVENTS);
}

async function compareOperations([mariaDb, tidb]: readonly [World, World], log: (text: string) => void) {
  const names = mariaDb.engine.endpoints.map(({ definition }) => definition.name);
  const works = names.flatMap((name) => [
    [`MariaDB ${name}`, () => timeOf(mariaDb, name)] as const,
    [`TiDB ${name}`, () => timeOf(tidb, name)] as const,
  ]);
  log(`${ROUNDS} rounds of ${names.length} operations on both`);
  const times = await alternate(WARM_UP + ROUNDS, Object.fromEntries(works));
  const medianOf = (key: string) => median((times[key] ?? []).slice(WARM_UP));
  return names.map((name): Figure => {
    const [alone, ours] = [medianOf(`MariaDB ${name}`), medianOf(`TiDB ${name}`)];
    const detail = `${ours.toFixed(1)} ms against ${alone.toFixed(1)} ms, medians of ${ROUNDS}`;
    return { name: `${NAME}: ${name}`, value: ours / alone, unit: '×', target: TARGET, bound: 'at most', detail };
  });
}
