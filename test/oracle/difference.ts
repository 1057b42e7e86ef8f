import { isDeepStrictEqual } from 'node:util';
import type { MakeWarehouse } from '../warehouse/test-warehouse.js';
import { createWorld } from './create-world.js';
import type { Row } from './creators.js';
import { computeExpectedRows } from './expected-rows.js';
import { createRequests } from './requests.js';
import { shrinkList, shrinkSketch } from './shrink.js';
import type { Sketch } from './sketch.js';
import { createUniverse, type Universe } from './universe.js';
import { openWorlds, type Request, type WorldDatabase } from './world-database.js';

/** An answer that differs from the oracle. */
export interface Difference {
  readonly request: Request;
  readonly now: string;
  readonly got: readonly Row[];
  readonly expected: readonly Row[];
}

/** Returns the first request whose answer differs from the oracle. */
export async function findFirstDifference(
  universe: Universe,
  database: WorldDatabase,
  requests: readonly Request[],
  now: string,
): Promise<Difference | undefined> {
  const answers = await Promise.all(requests.map((request) => database.ask(request, now)));
  for (const [index, request] of requests.entries()) {
    const [got = [], expected] = [answers[index], computeExpectedRows(universe, request, now)];
    if (!isDeepStrictEqual(got, expected)) return { request, now, got, expected };
  }
  return undefined;
}

/** Describes a difference for the developer. */
export function describeDifference({ request, now, got, expected }: Difference): string {
  const table = (rows: readonly Row[]) => rows.map((row) => `\n  ${row.join(' | ')}`).join('') || '\n  no rows';
  const { operation, parameters } = request;
  return `${operation} ${JSON.stringify(parameters)} at ${now} answers${table(got)}\nThe oracle expects${table(expected)}`;
}

/** Shrinks the sketch as long as the operation still differs, and describes the remaining difference. */
export async function describeSmallestSketch(sketch: Sketch, operation: string, make: MakeWarehouse): Promise<string> {
  const small = await shrinkSketch(sketch, async (variants) =>
    (await findDifferences(variants, operation, make)).map((difference) => difference !== undefined),
  );
  const [difference] = await findDifferences([small], operation, make);
  if (difference === undefined) return 'The operation does not differ in a database with only this world.';
  return `The smallest such world is ${JSON.stringify(small, null, 1)}\nin which ${describeDifference(difference)}`;
}

/** Omits worlds as long as the request still differs, and describes the remaining difference. */
export async function describeFewestSketches(
  sketches: readonly Sketch[],
  { request, now }: Difference,
  make: MakeWarehouse,
): Promise<string> {
  const differenceIn = async (some: readonly Sketch[]) => {
    const worlds = some.map(createWorld);
    const database = await openWorlds(worlds, make);
    try {
      await database.refresh(now);
      return await findFirstDifference(createUniverse(worlds), database, [request], now);
    } finally {
      await database.close();
    }
  };
  const few = await shrinkList(sketches, async (some) => (await differenceIn(some)) !== undefined);
  const difference = await differenceIn(few);
  if (difference === undefined) return 'The request does not differ in another database.';
  return `The fewest such worlds are ${JSON.stringify(few, null, 1)}\nin which ${describeDifference(difference)}`;
}

/** Imports the sketches as worlds of one database and returns the first difference of each world. */
async function findDifferences(
  sketches: readonly Sketch[],
  operation: string,
  make: MakeWarehouse,
): Promise<(Difference | undefined)[]> {
  const worlds = sketches.map(createWorld);
  const universe = createUniverse(worlds);
  const database = await openWorlds(worlds, make);
  try {
    const found: (Difference | undefined)[] = [];
    for (const [worldIndex, world] of worlds.entries()) {
      const requests = createRequests(world, worldIndex, Number.POSITIVE_INFINITY);
      const own = requests.filter((request) => request.operation === operation);
      found.push(await findFirstDifference(universe, database, own, world.now));
    }
    return found;
  } finally {
    await database.close();
  }
}
