import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expectedRows } from './answer.js';
import { anySketch, type Sketch } from './any-world.js';
import type { Row } from './creators.js';
import type { TestedDatabase } from './databases.js';
import { makeWorld } from './make-world.js';
import { requestsOf, wideRequests } from './requests.js';
import { type Universe, universeOf } from './universe.js';
import type { World } from './world.js';
import type { Request, WorldDatabase } from './world-database.js';

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

/** Everything that a person needs to see what is wrong, with the smallest world that shows it. */
export async function explain(difference: Difference, database: TestedDatabase, seed: number): Promise<string> {
  const { request, now, got, expected } = difference;
  const table = (rows: readonly Row[]) => rows.map((row) => `  ${row.join(' | ')}`).join('\n');
  return [
    `${database.name} answers ${request.operation} ${JSON.stringify(request.parameters)} at ${now} with`,
    table(got),
    `where the oracle says`,
    table(expected),
    `(worlds of seed ${seed}).`,
    await smallestWorld(request.operation, database, seed),
  ].join('\n');
}

/** Looks for a world that differs by itself, and makes it small. */
async function smallestWorld(operation: string, database: TestedDatabase, seed: number): Promise<string> {
  const property = fc.asyncProperty(anySketch, async (sketch: Sketch) => {
    const found = await differenceAlone(makeWorld(sketch, 1), operation, database);
    if (found !== undefined) throw new Error(JSON.stringify(found));
  });
  const limits = { numRuns: 200, interruptAfterTimeLimit: SHRINKING_MS, markInterruptAsFailure: false };
  const { failed, counterexample, errorInstance } = await fc.check(property, { ...limits, seed });
  if (!failed) return 'No single world of this seed shows it.';
  return `The smallest world that shows it: ${fc.stringify(counterexample?.[0])}\n${String(errorInstance)}`;
}

const SHRINKING_MS = 60_000;

async function differenceAlone(
  world: World,
  operation: string,
  { open }: TestedDatabase,
): Promise<Difference | undefined> {
  const database = await open([world]);
  try {
    const requests = [...requestsOf(world, 1, Number.POSITIVE_INFINITY), ...wideRequests()];
    await database.refresh(world.now);
    const own = requests.filter((request) => request.operation === operation);
    return await firstDifference(universeOf([world]), database, own, world.now);
  } finally {
    await database.close();
  }
}
