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

export interface WorldsOptions {
  /** The number of random worlds. */
  readonly worlds: number;
  readonly seed: number;
  /**
   * The number of additional current times at which trends and hot collections are compared. The times of the regression worlds are always
   * used.
   */
  readonly clocks: number;
  /** The requests that depend on all worlds are split into this many parts, and each current time is used for one part. */
  readonly parts: number;
  /** The number of worlds whose properties are tested. */
  readonly propertyWorlds: number;
  /** The number of enum combinations per operation and regression world. All combinations if omitted. */
  readonly combinations?: number;
  /** The databases of the tests. Every database if omitted. */
  readonly define?: typeof onEveryDatabase;
}

/** The number of enum combinations per operation and random world. */
const COMBINATIONS = 1;

/** Defines the tests that compare the operations with the oracle, in the regression worlds and in random worlds. */
export function testWorlds(options: WorldsOptions): void {
  const { worlds: count, seed, clocks: clockCount, parts, propertyWorlds } = options;
  const { combinations = Number.POSITIVE_INFINITY, define = onEveryDatabase } = options;
  const regressions = createRegressionSketches();
  const sketches = [...regressions, ...fc.sample(randomSketch, { seed, numRuns: count })];
  const combinationsAt = (worldIndex: number) => (worldIndex < regressions.length ? combinations : COMBINATIONS);

  define(`the operations in ${count} random worlds of seed ${seed}`, (make) => {
    const worlds = sketches.map(createWorld);
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
        for (const [worldIndex, sketch] of sketches.entries()) {
          const own = requests[worldIndex]?.filter((request) => request.operation === operation) ?? [];
          const difference = await findFirstDifference(universe, database, own, worlds[worldIndex]?.now ?? '');
          if (difference === undefined) continue;
          expect.fail(`${describeDifference(difference)}\n${await describeSmallestSketch(sketch, operation, make)}`);
        }
      });
    }

    it('answer operations about all worlds at many clocks as the oracle does', async () => {
      const clocks = new Set(worlds.map(({ now }) => now));
      for (const [place, now] of [...clocks].slice(0, regressions.length + clockCount).entries()) {
        await database.refresh(now);
        const own = createGlobalRequests().filter((_, index) => index % parts === place % parts);
        const difference = await findFirstDifference(universe, database, own, now);
        if (difference === undefined) continue;
        expect.fail(`${describeDifference(difference)}\n${await describeFewestSketches(sketches, difference, make)}`);
      }
    });

    if (propertyWorlds === 0) return;
    describe('have properties that hold for any data:', () => {
      const some = worlds.filter(({ collections }) => collections.length > 0).slice(0, propertyWorlds);
      testProperties(() => ({
        repositories: some.flatMap(({ facts }) => facts[0]?.repository.name ?? []),
        collections: some.flatMap(({ collections }) => collections.map(({ id }) => String(id))),
        languages: ['All', 'TypeScript', 'C++'],
        ask: (request) => database.ask(request, some[0]?.now ?? ''),
        walk: (request) => database.walk(request, some[0]?.now ?? ''),
      }));
    });
  });
}
