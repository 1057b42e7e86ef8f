import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createRandom, type Random } from '../../../demo/world/random.js';
import {
  createEngine,
  type Database,
  DefinitionLoader,
  type DefinitionScope,
  type Endpoint,
  type Engine,
  type EngineError,
  writeTextRows,
} from '../../../engine/index.js';
import { describeEmbedded, SERVER } from '../../services/server.js';
import { createRandomSelect, TABLE_COLUMNS } from './random-select.js';
import { type Databases, type Outcome, type Run, TENANT, useDuckDb, useServer } from './tenant-databases.js';

/** The number of definitions in one folder. */
const BATCH = 50;
const CLAIMS = { tenant: { type: 'integer', example: TENANT } } as const;
const CALLER = { id: 'key:1', roles: [], claims: { tenant: TENANT } };
/** Conditions that are true for the rows of one tenant, whose columns can be compared in several ways. */
const CONDITIONS = [
  'tenant_id = {{ caller.claims.tenant }}',
  '{{ caller.claims.tenant }} = tenant_id OR tenant_id IN ({{ caller.claims.tenant }})',
  'tenant_id > {{ caller.claims.tenant }} - 1 AND NOT tenant_id > {{ caller.claims.tenant }}',
];

/** Compares random definitions over the rows of all tenants, with row filters, with the same definitions over the rows of one tenant. */
export function testFilteredDefinitions({ count, seed, depth, report }: Run): void {
  describeEmbedded('restricted definitions on DuckDB', () => {
    testOn('DuckDB', useDuckDb(), { count, seed, depth, report });
  });
  describe(`restricted definitions on ${SERVER}`, () => {
    testOn(SERVER, useServer(), { count: count / 2, seed, depth: 1, report });
  });
}

function testOn(name: string, databases: Databases, { count, seed, depth, report }: Run): void {
  it(`${count} random definitions answer with the rows of the tenant only`, async () => {
    const random = createRandom(seed, name);
    const rowFilters = new Map(Object.keys(TABLE_COLUMNS).map((table) => [table, random.pick(CONDITIONS)]));
    const total = { queries: 0, shapes: new Set<string>(), answered: 0 };
    for (let start = 0; start < count; start += BATCH) {
      const definitions = Array.from({ length: Math.min(BATCH, count - start) }, (_, index) =>
        createDefinition(`d-${index}`, random, depth),
      );
      const texts = definitions.map(({ text }) => text);
      const scope = { claims: CLAIMS, access: ['signed-in'] };
      const all = await openEngine(texts, databases.all, { ...scope, rowFilters });
      const own = await openEngine(texts, databases.own, scope);
      for (const { name: one, text, shape } of definitions) {
        for (const query of [{}, { least: String(random.below(4)) }]) {
          const [filtered, alone] = [await answer(all, one, query), await answer(own, one, query)];
          expect(filtered, text).to.deep.equal(alone);
          if (filtered.rows.length > 0) total.answered += 1;
          total.queries += 1;
        }
        total.shapes.add(shape);
      }
    }
    const outcome: Outcome = { ...total, shapes: total.shapes.size };
    report?.(name, outcome);
    expect(outcome.answered).to.be.greaterThan(outcome.queries / 2);
  });
}

interface RandomDefinition {
  readonly name: string;
  readonly text: string;
  readonly shape: string;
}

/** Returns a definition with random SQL in its parts. All rows are ordered by all columns, so that equal tables give equal answers. */
function createDefinition(name: string, random: Random, depth: number): RandomDefinition {
  const select = createRandomSelect(random, depth);
  const shape = new Set([select.shape]);
  const isIn = (kind: string, chance: number): boolean => {
    if (!random.chance(chance)) return false;
    shape.add(kind);
    return true;
  };
  const names = Array.from({ length: select.width }, (_, index) => `c${index + 1}`);
  const count = () => `SELECT COUNT(*) AS n FROM (${createRandomSelect(random, 0).sql}) AS counted`;
  // A lookup cannot read a table whose name is also that of a WITH query.
  const hasOnce = isIn('once', 0.3) && !/\bwith\b/i.test(select.sql);
  const once = hasOnce ? ` OR c1 = ({% once %}${count()}{% endonce %})` : '';
  const list = names.join(', ');
  const definition = {
    ...{ name, summary: 'Test.' },
    params: { least: { in: 'query', type: 'integer', default: 0, description: 'Least.' } },
    columns: names.map((col) => ({ col, data_type: 'BIGINT', nullable: true, description: 'Number.' })),
    ...(isIn('pages', 0.4) && {
      pagination: { default: 3, max: 5, total: isIn('total as SQL', 0.5) ? count() : true },
    }),
    ...(isIn('data_as_of', 0.4) && {
      data_as_of: `SELECT DATE_ADD('2026-01-01', INTERVAL n DAY) FROM (${count()}) AS days`,
    }),
    ...(isIn('notice', 0.4) && {
      notices: [
        {
          when: random.pick(['always', 'empty']),
          sql: `SELECT CONCAT('rows: ', n) AS notice FROM (${count()}) AS counts`,
        },
      ],
    }),
    sql: `SELECT ${list} FROM (${select.sql}) AS answer WHERE c1 >= {{ least }} OR c1 IS NULL${once} ORDER BY ${list}`,
  };
  return { name, text: JSON.stringify(definition), shape: [...shape].join(' ') };
}

async function openEngine(texts: readonly string[], database: Database, scope: DefinitionScope): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-restricted-'));
  try {
    for (const [index, text] of texts.entries()) await writeFile(join(folder, `${index}.json`), text);
    const { endpoints, problems } = await new DefinitionLoader([folder], scope).load();
    expect(problems.map(({ message, got }) => `${message} ${got}`)).to.deep.equal([]);
    return createEngine({ endpoints, database, stopwatch: () => 0 });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The rows and everything else that an answer states about them; the message of the database if the query fails. */
async function answer(engine: Engine, name: string, query: Readonly<Record<string, string>>) {
  const endpoint: Endpoint = engine.endpoint(name);
  try {
    const { rows, ...answered } = await engine.run(endpoint, { path: {}, query, caller: CALLER });
    const { total, truncated, notices, emptyNotices, dataAsOf } = answered;
    return { rows: writeTextRows(endpoint, rows), total, truncated, notices, emptyNotices, dataAsOf };
  } catch (error) {
    // MariaDB cannot find some names in nested queries, with and without a row filter.
    return { rows: [], failure: String((error as EngineError).details.cause) };
  }
}
