import { isDeepStrictEqual } from 'node:util';
import type { MakeWarehouse } from '../warehouse/test-warehouse.js';
import { expectedRows } from './answer.js';
import type { Sketch } from './any-world.js';
import type { Row } from './creators.js';
import { makeWorld } from './make-world.js';
import { requestsOf } from './requests.js';
import { fewest, smallest } from './smallest.js';
import { type Universe, universeOf } from './universe.js';
import { openWorlds, type Request, type WorldDatabase } from './world-database.js';

/** An answer that is not what the oracle says. */
export interface Difference {
  readonly request: Request;
  readonly now: string;
  readonly got: readonly Row[];
  readonly expected: readonly Row[];
}

/** The first of the requests that is answered otherwise than the oracle says. */
export async function firstDifference(
  universe: Universe,
  database: WorldDatabase,
  requests: readonly Request[],
  now: string,
): Promise<Difference | undefined> {
  const answers = await Promise.all(requests.map((request) => database.ask(request, now)));
  for (const [index, request] of requests.entries()) {
    const [got = [], expected] = [answers[index], expectedRows(universe, request, now)];
    if (!isDeepStrictEqual(got, expected)) return { request, now, got, expected };
  }
  return undefined;
}

/** What a person needs to see what is wrong. */
export function describeDifference({ request, now, got, expected }: Difference): string {
  const table = (rows: readonly Row[]) => rows.map((row) => `\n  ${row.join(' | ')}`).join('') || '\n  no rows';
  const { operation, parameters } = request;
  return `${operation} ${JSON.stringify(parameters)} at ${now} answers${table(got)}\nThe oracle says${table(expected)}`;
}

/** The smallest world made from the sketch in which the operation still differs, with what differs there. */
export async function describeSmallest(sketch: Sketch, operation: string, make: MakeWarehouse): Promise<string> {
  const small = await smallest(sketch, async (variants) =>
    (await differences(variants, operation, make)).map((difference) => difference !== undefined),
  );
  const [difference] = await differences([small], operation, make);
  if (difference === undefined) return 'It does not differ when the world is asked by itself.';
  return `The smallest such world is ${JSON.stringify(small, null, 1)}\nin which ${describeDifference(difference)}`;
}

/** The fewest worlds in which what is about all of them still differs. */
export async function describeFewest(
  sketches: readonly Sketch[],
  { request, now }: Difference,
  make: MakeWarehouse,
): Promise<string> {
  const differenceIn = async (some: readonly Sketch[]) => {
    const worlds = some.map(makeWorld);
    const database = await openWorlds(worlds, make);
    try {
      await database.refresh(now);
      return await firstDifference(universeOf(worlds), database, [request], now);
    } finally {
      await database.close();
    }
  };
  const few = await fewest(sketches, async (some) => (await differenceIn(some)) !== undefined);
  const difference = await differenceIn(few);
  if (difference === undefined) return 'It does not differ in another database.';
  return `The fewest such worlds are ${JSON.stringify(few, null, 1)}\nin which ${describeDifference(difference)}`;
}

/** The sketches as worlds of one database, and what differs in each. */
async function differences(
  sketches: readonly Sketch[],
  operation: string,
  make: MakeWarehouse,
): Promise<(Difference | undefined)[]> {
  const worlds = sketches.map(makeWorld);
  const universe = universeOf(worlds);
  const database = await openWorlds(worlds, make);
  try {
    const found: (Difference | undefined)[] = [];
    for (const [place, world] of worlds.entries()) {
      const requests = requestsOf(world, place, Number.POSITIVE_INFINITY);
      const own = requests.filter((request) => request.operation === operation);
      found.push(await firstDifference(universe, database, own, world.now));
    }
    return found;
  } finally {
    await database.close();
  }
}
