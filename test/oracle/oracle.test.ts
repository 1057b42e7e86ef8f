import { expect } from 'chai';
import fc from 'fast-check';
import { anySketch } from './any-world.js';
import { DATABASES } from './databases.js';
import { type Difference, explain, firstDifference } from './difference.js';
import { FOUND } from './found.js';
import { makeWorld } from './make-world.js';
import { requestsOf, wideRequests } from './requests.js';
import { type Universe, universeOf } from './universe.js';
import type { World } from './world.js';
import type { WorldDatabase } from './world-database.js';

/** `ORACLE_WORLDS` and `ORACLE_SEED` are for longer runs than one on a desk. */
const WORLDS = Number(process.env.ORACLE_WORLDS ?? 200);
const SEED = Number(process.env.ORACLE_SEED ?? 1);
/** Trends and hot collections are about all worlds at once, as of so many clocks. */
const CLOCKS = Math.ceil(WORLDS / 8);
const ALL = 99;
const COMBINATIONS = 1;

for (const tested of DATABASES) {
  describe(`the operations on ${tested.name}, in ${WORLDS} random worlds of seed ${SEED}`, function () {
    this.timeout(Math.max(120_000, WORLDS * 1000));
    const worlds = [...FOUND, ...fc.sample(anySketch, { seed: SEED, numRuns: WORLDS })].map(makeWorld);
    let universe: Universe;
    let database: WorldDatabase;

    before(async () => {
      universe = universeOf(worlds);
      database = await tested.open(worlds);
    });
    after(() => database.close());

    const agree = async (difference: Difference | undefined) => {
      if (difference !== undefined) expect.fail(await explain(difference, tested, SEED));
    };
    const requests = worlds.map((world, place) => requestsOf(world, place, place < FOUND.length ? ALL : COMBINATIONS));

    for (const operation of new Set(requests.flat().map((request) => request.operation))) {
      it(`answer ${operation} as the oracle does`, async () => {
        for (const [place, world] of worlds.entries()) {
          const own = requests[place]?.filter((request) => request.operation === operation) ?? [];
          await agree(await firstDifference(universe, database, own, world.now));
        }
      });
    }

    it('answer what is about all worlds, as of many clocks, as the oracle does', async () => {
      for (const now of clocks(worlds)) {
        await database.refresh(now);
        await agree(await firstDifference(universe, database, wideRequests(), now));
      }
    });
  });
}

function clocks(worlds: readonly World[]): string[] {
  return [...new Set(worlds.map(({ now }) => now))].slice(0, FOUND.length + CLOCKS);
}
