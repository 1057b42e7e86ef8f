import { expect } from 'chai';
import { createRandom, type Random } from '../../../demo/world/random.js';
import type { Database } from '../../../engine/index.js';
import { filterTables } from '../../../engine/sql/row-filter.js';
import { describeEmbedded, SERVER } from '../../services/server.js';
import { createRandomSelect, TABLE_COLUMNS } from './random-select.js';
import { type Databases, type Outcome, type Run, TENANT, useDuckDb, useServer } from './tenant-databases.js';

/** Compares restricted random queries over the rows of all tenants with the same queries over the rows of one tenant. */
export function testFilteredRows({ count, seed, depth, report }: Run): void {
  const suite = (name: string, queries: number, maxDepth: number, both: Databases) => {
    it(`${queries} random queries return the rows of the tenant only`, async () => {
      const outcome = await compare(both, queries, createRandom(seed, name), maxDepth);
      report?.(name, outcome);
      expect(outcome.answered).to.be.greaterThan(queries / 2);
    });
  };
  describeEmbedded('restricted rows on DuckDB', () => {
    suite('DuckDB', count, depth, useDuckDb());
  });
  describe(`restricted rows on ${SERVER}`, () => {
    suite(SERVER, count / 2, 1, useServer());
  });
}

async function compare({ all, own }: Databases, count: number, random: Random, depth: number): Promise<Outcome> {
  const shapes = new Set<string>();
  let answered = 0;
  for (let number = 0; number < count; number += 1) {
    const { sql, shape } = createRandomSelect(random, depth);
    const filtered = await readRows(
      all,
      filterTables(sql, (table) => CONDITIONS.get(table)),
      [TENANT],
    );
    expect(filtered, sql).to.equal(await readRows(own, sql, []));
    shapes.add(shape);
    if (filtered !== '') answered += 1;
  }
  return { queries: count, shapes: shapes.size, answered };
}

/** Returns the rows in a fixed order, one per line. */
async function readRows(database: Database, sql: string, values: readonly number[]): Promise<string> {
  const options = { maxRows: 100_000, timeoutMs: 600_000 };
  const { rows } = await database.query(database.prepare(sql), values, options).catch((error: unknown) => {
    throw new Error(`${sql} failed: ${String(error)}`);
  });
  return rows
    .map((row) => row.join(' | '))
    .sort()
    .join('\n');
}

const CONDITIONS = new Map(Object.keys(TABLE_COLUMNS).map((table) => [table, 'tenant_id = :p1']));
