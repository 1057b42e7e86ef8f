import { expect } from 'chai';
import fc from 'fast-check';
import { onEveryDatabase } from '../warehouse/test-warehouse.js';
import { createWorld } from './create-world.js';
import {
  describeDifference,
  describeFewestSketches,
  describeSmallestSketch,
  findFirstDifference,
} from './difference.js';
import { testProperties } from './properties.js';
import { createRegressionSketches } from './regression-sketches.js';
import { createGlobalRequests, createRequests } from './requests.js';
import { randomSketch } from './sketch.js';
import { createUniverse, type Universe } from './universe.js';
import { openWorlds, type WorldDatabase } from './world-database.js';

/** The number of random worlds. Set `ORACLE_WORLDS` for a longer run, and `ORACLE_SEED` for other worlds. */
const WORLDS = Number(process.env.ORACLE_WORLDS ?? 40);
const SEED = Number(process.env.ORACLE_SEED ?? 1);
const REGRESSIONS = createRegressionSketches();
const SKETCHES = [...REGRESSIONS, ...fc.sample(randomSketch, { seed: SEED, numRuns: WORLDS })];
/** The number of enum combinations per operation and random world. Regression worlds test all combinations. */
const COMBINATIONS = 1;
const combinationsAt = (worldIndex: number) =>
  worldIndex < REGRESSIONS.length ? Number.POSITIVE_INFINITY : COMBINATIONS;
/**
 * The number of current times at which trends and hot collections are compared. These operations depend on all worlds.
 */
const CLOCKS = Math.ceil(WORLDS / 16);
/** The time limit of a test. If a test finds a difference, it needs more time to shrink the world. */
const TIMEOUT_MS = Math.max(300_000, WORLDS * 1000);
/** The number of worlds whose properties are tested. */
const PROPERTY_WORLDS = 6;

onEveryDatabase(`the operations in ${WORLDS} random worlds of seed ${SEED}`, (make) => {
  const worlds = SKETCHES.map(createWorld);
  const requests = worlds.map((world, worldIndex) => createRequests(world, worldIndex, combinationsAt(worldIndex)));
  let universe: Universe;
  let database: WorldDatabase;

  before(async () => {
    universe = createUniverse(worlds);
    database = await openWorlds(worlds, make);
  });
  after(() => database.close());

  for (const operation of new Set(requests.flat().map((request) => request.operation))) {
    it(`answer ${operation} as the oracle does`, async () => {
      for (const [worldIndex, sketch] of SKETCHES.entries()) {
        const own = requests[worldIndex]?.filter((request) => request.operation === operation) ?? [];
        const difference = await findFirstDifference(universe, database, own, worlds[worldIndex]?.now ?? '');
        if (difference === undefined) continue;
        expect.fail(`${describeDifference(difference)}\n${await describeSmallestSketch(sketch, operation, make)}`);
      }
    }).timeout(TIMEOUT_MS);
  }

  it('answer operations about all worlds at many clocks as the oracle does', async () => {
    const clocks = new Set(worlds.map(({ now }) => now));
    for (const now of [...clocks].slice(0, REGRESSIONS.length + CLOCKS)) {
      await database.refresh(now);
      const difference = await findFirstDifference(universe, database, createGlobalRequests(), now);
      if (difference === undefined) continue;
      expect.fail(`${describeDifference(difference)}\n${await describeFewestSketches(SKETCHES, difference, make)}`);
    }
  }).timeout(TIMEOUT_MS);

  describe('have properties that hold for any data:', () => {
    const some = worlds.filter(({ collections }) => collections.length > 0).slice(0, PROPERTY_WORLDS);
    testProperties(() => ({
      repositories: some.flatMap(({ facts }) => facts[0]?.repository.name ?? []),
      collections: some.flatMap(({ collections }) => collections.map(({ id }) => String(id))),
      languages: ['All', 'TypeScript', 'C++'],
      ask: (request) => database.ask(request, some[0]?.now ?? ''),
      walk: (request) => database.walk(request, some[0]?.now ?? ''),
    }));
  });
});
