import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { demoSettings, serverVariables } from './demo-service.js';
import { type Figure, inTurn, median } from './measure.js';
import { onMariaDb } from './on-mariadb.js';
import { onTidb } from './on-tidb.js';
import { makeWorld, timeOf, type World } from './world.js';

const EVENTS = 60_000;
const ROUNDS = 40;
/** Rounds before those that are measured. */
const WARM = 3;
const BAR = 5;
const NAME = 'tidb operations / MariaDB';

/** How long each operation takes on TiDB, against MariaDB with the same events in the same round. */
export function benchTidbOperations(folder: string, say: (text: string) => void): Promise<Figure[]> {
  return onTidb(say, (tidb) =>
    onMariaDb(NAME, async (mariaDb) => {
      say(`making two demos of ${EVENTS} events`);
      const worlds = [
        await worldAt(mariaDb, join(folder, 'mariadb')),
        await worldAt(tidb, join(folder, 'tidb')),
      ] as const;
      try {
        return await compareOperations(worlds, say);
      } finally {
        for (const { warehouse } of worlds) await warehouse.close();
      }
    }),
  );
}

async function worldAt(url: string, folder: string): Promise<World> {
  await mkdir(folder);
  return makeWorld(demoSettings(folder, serverVariables(url)), EVENTS);
}

async function compareOperations([mariaDb, tidb]: readonly [World, World], say: (text: string) => void) {
  const names = mariaDb.engine.endpoints.map(({ definition }) => definition.name);
  const works = names.flatMap((name) => [
    [`MariaDB ${name}`, () => timeOf(mariaDb, name)] as const,
    [`TiDB ${name}`, () => timeOf(tidb, name)] as const,
  ]);
  say(`${ROUNDS} rounds of ${names.length} operations on both`);
  const times = await inTurn(WARM + ROUNDS, Object.fromEntries(works));
  const medianOf = (key: string) => median((times[key] ?? []).slice(WARM));
  return names.map((name): Figure => {
    const [alone, ours] = [medianOf(`MariaDB ${name}`), medianOf(`TiDB ${name}`)];
    const detail = `${ours.toFixed(1)} ms against ${alone.toFixed(1)} ms, medians of ${ROUNDS}`;
    return { name: `${NAME}: ${name}`, value: ours / alone, unit: '×', bar: BAR, keeps: 'at most', detail };
  });
}
