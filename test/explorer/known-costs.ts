import { expect } from 'chai';
import type { Playground } from '../../explorer/playground/playground.js';
import { SqlFailedError } from '../../explorer/playground/query-failure.js';
import { errorOf } from '../databases/failures.js';
import { ANALYST_QUERIES } from '../playground/analyst-queries.js';
import { EQUAL_QUERIES } from '../playground/equal-queries.js';

/** All queries of analysts that the playground must answer. */
export const QUERIES = [...ANALYST_QUERIES, ...EQUAL_QUERIES];

/** Expects that the cost of each query is known, and that most queries are cheap. */
export async function expectKnownCosts(playground: Playground, queries: readonly string[]): Promise<void> {
  const lanes: string[] = [];
  for (const sql of queries) {
    try {
      lanes.push((await playground.plan(sql)).lane);
    } catch (error) {
      // TiDB cannot run some of these queries at all, but it must not reject them because of their cost.
      expect((error as Error).message, sql).to.not.match(/its cost|would read/);
      expect(await errorOf(playground.run(sql)), sql).to.be.instanceOf(SqlFailedError);
    }
  }
  expect(lanes.filter((lane) => lane === 'cheap').length / lanes.length).to.be.greaterThan(0.95);
}
