import { expect } from 'chai';
import fc from 'fast-check';
import { onEveryDatabase } from '../warehouse/test-warehouse.js';
import { anySketch } from './any-world.js';
import { describeDifference, describeFewest, describeSmallest, firstDifference } from './difference.js';
import { found } from './found.js';
import { makeWorld } from './make-world.js';
import { itHasTheProperties } from './properties.js';
import { requestsOf, wideRequests } from './requests.js';
import { type Universe, universeOf } from './universe.js';
import { openWorlds, type WorldDatabase } from './world-database.js';

/** `ORACLE_WORLDS` and `ORACLE_SEED` are for longer runs than one on a desk. */
const WORLDS = Number(process.env.ORACLE_WORLDS ?? 60);
const SEED = Number(process.env.ORACLE_SEED ?? 1);
const FOUND = found();
const SKETCHES = [...FOUND, ...fc.sample(anySketch, { seed: SEED, numRuns: WORLDS })];
/** How many combinations of the enums of each operation a world is asked; of worlds once found wrong, all. */
const COMBINATIONS = 1;
const combinationsAt = (place: number) => (place < FOUND.length ? Number.POSITIVE_INFINITY : COMBINATIONS);
/** Trends and hot collections are about all worlds at once, as of so many clocks. */
const CLOCKS = Math.ceil(WORLDS / 16);
/** A difference that is found takes longer, until its world is small. */
const TIMEOUT_MS = Math.max(300_000, WORLDS * 1000);
/** Worlds whose properties are looked at. */
const ASKED_WORLDS = 6;

onEveryDatabase(`the operations in ${WORLDS} random worlds of seed ${SEED}`, (make) => {
  const worlds = SKETCHES.map(makeWorld);
  const requests = worlds.map((world, place) => requestsOf(world, place, combinationsAt(place)));
  let universe: Universe;
  let database: WorldDatabase;

  before(async function () {
    this.timeout(TIMEOUT_MS);
    universe = universeOf(worlds);
    database = await openWorlds(worlds, make);
  });
  after(() => database.close());

  for (const operation of new Set(requests.flat().map((request) => request.operation))) {
    it(`answer ${operation} as the oracle does`, async () => {
      for (const [place, sketch] of SKETCHES.entries()) {
        const own = requests[place]?.filter((request) => request.operation === operation) ?? [];
        const difference = await firstDifference(universe, database, own, worlds[place]?.now ?? '');
        if (difference === undefined) continue;
        expect.fail(`${describeDifference(difference)}\n${await describeSmallest(sketch, operation, make)}`);
      }
    }).timeout(TIMEOUT_MS);
  }

  it('answer what is about all worlds, as of many clocks, as the oracle does', async () => {
    const clocks = new Set(worlds.map(({ now }) => now));
    for (const now of [...clocks].slice(0, FOUND.length + CLOCKS)) {
      await database.refresh(now);
      const difference = await firstDifference(universe, database, wideRequests(), now);
      if (difference === undefined) continue;
      expect.fail(`${describeDifference(difference)}\n${await describeFewest(SKETCHES, difference, make)}`);
    }
  }).timeout(TIMEOUT_MS);

  describe('have properties:', () => {
    const some = worlds.filter(({ collections }) => collections.length > 0).slice(0, ASKED_WORLDS);
    itHasTheProperties(() => ({
      repositories: some.flatMap(({ facts }) => facts[0]?.repository.name ?? []),
      collections: some.flatMap(({ collections }) => collections.map(({ id }) => String(id))),
      languages: ['All', 'TypeScript', 'C++'],
      ask: (request) => database.ask(request, some[0]?.now ?? ''),
    }));
  });
});
