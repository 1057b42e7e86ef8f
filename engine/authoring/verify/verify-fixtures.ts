import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../../answers/answer.js';
import { writeTextRows } from '../../answers/cells/cells.js';
import type { FixtureDefinition } from '../../definitions/definition.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { type CheckList, explainError, type Failure, placeOf } from './check-list.js';
import { findRowsFailure } from './expected-rows.js';
import { type FixtureEngine, FixtureError } from './fixture-engine.js';

export interface FixtureChecks {
  readonly checks: CheckList;
  /** Records an answered request and the names of its parameters. */
  readonly record: (answer: Answer, given: readonly string[]) => void;
  readonly signal: AbortSignal | undefined;
}

/** Runs the fixtures of an endpoint, and adds one check for each of them. */
export async function verifyFixtures(
  fixtures: FixtureEngine,
  endpoint: Endpoint,
  { checks, record, signal }: FixtureChecks,
): Promise<void> {
  if (endpoint.definition.fixtures.length === 0) return;
  const broken = fixtures.brokenOf(endpoint);
  if (broken !== undefined) return checks.addProblems(broken.problems);
  for (const [index, fixture] of endpoint.definition.fixtures.entries()) {
    const path = ['fixtures', index];
    const find = async () => {
      const answer = await fixtures.run(endpoint, fixture, signal);
      record(answer, Object.keys(fixture.params));
      return findFailure(endpoint, index, fixture, answer);
    };
    const explain = (error: unknown) => {
      if (error instanceof FixtureError) return error.problems;
      return explainError(endpoint, error, 'no error', endpoint.problem(path, ''));
    };
    await checks.add('fixture', fixture.name, find, explain);
  }
}

function findFailure(
  endpoint: Endpoint,
  index: number,
  fixture: FixtureDefinition,
  answer: Answer,
): Failure | undefined {
  const path = ['fixtures', index];
  const got = writeTextRows(endpoint, answer.rows);
  if (fixture.rows === undefined) {
    const place = placeOf(endpoint.problem(path, ''));
    return { expected: 'rows; write them with --update', got: 'a fixture without rows', place };
  }
  const failure = findRowsFailure(endpoint, path, fixture.rows, got);
  if (failure !== undefined) return failure;
  const facts = comparedFacts(fixture, answer);
  const different = FACTS.find((key) => !isDeepStrictEqual(fixture[key], facts[key]));
  if (different === undefined) return undefined;
  const place = placeOf(endpoint.problem([...path, different], '', { at: 'key' }));
  const expected = `${different} ${JSON.stringify(fixture[different])}`;
  return { expected, got: JSON.stringify(facts[different]), place };
}

/** The parts of an answer that a fixture can compare in addition to its rows. */
export const FACTS = ['notices', 'sources'] as const;
export type Facts = Pick<FixtureDefinition, (typeof FACTS)[number]>;

/** Returns the parts of an answer that a fixture compares. Notices have the order of the envelope. */
export function comparedFacts(expected: Facts, { notices, emptyNotices, sources }: Answer): Facts {
  return {
    ...(expected.notices !== undefined && { notices: [...notices, ...emptyNotices] }),
    ...(expected.sources !== undefined && { sources: sources ?? [] }),
  };
}
