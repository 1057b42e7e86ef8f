import { expect } from 'chai';
import { createRandom, type Random } from '../../../demo/world/random.js';
import { openMysql } from '../../../engine/databases/mysql/database.js';
import type { Database } from '../../../engine/index.js';
import { translateDdl } from '../../../engine/sql/duckdb/translate.js';
import { filterTables } from '../../../engine/sql/row-filter.js';
import { openTestDatabase } from '../../databases/duckdb/open-test-database.js';
import { execute, useMysql } from '../../services/mysql.js';
import { describeEmbedded, SERVER } from '../../services/server.js';
import { createRandomSelect, TABLE_COLUMNS } from './random-select.js';

/** The database with the rows of all tenants, and the database with the rows of one tenant. */
interface Databases {
  readonly all: Database;
  readonly own: Database;
}

/** The result of a run. */
export interface Outcome {
  readonly queries: number;
  /** The number of different sets of constructs. */
  readonly shapes: number;
  /** The number of queries that return rows. */
  readonly answered: number;
}

/** The options of a run: the number of queries on DuckDB, which is twice that on the server, and their maximum depth on DuckDB. */
export interface Run {
  readonly count: number;
  readonly seed: number;
  readonly depth: number;
  readonly report?: (database: string, outcome: Outcome) => void;
}

/** Compares restricted random queries over the rows of all tenants with the same queries over the rows of one tenant. */
export function testFilteredRows({ count, seed, depth, report }: Run): void {
  const suite = (name: string, queries: number, maxDepth: number, databases: () => Promise<Databases>) => {
    let both: Databases;
    before(async () => {
      both = await databases();
    });
    after(() => Promise.all([both?.all.close(), both?.own.close()]));
    it(`${queries} random queries return the rows of the tenant only`, async () => {
      const outcome = await compare(both, queries, createRandom(seed, name), maxDepth);
      report?.(name, outcome);
      expect(outcome.answered).to.be.greaterThan(queries / 2);
    });
  };
  describeEmbedded('restricted rows on DuckDB', () => {
    suite('DuckDB', count, depth, async () => ({
      all: await openDuckDb(ROWS),
      own: await openDuckDb(ROWS.filter(isOwn)),
    }));
  });
  describe(`restricted rows on ${SERVER}`, () => {
    const [all, own] = [useMysql(), useMysql()];
    suite(SERVER, count / 2, 1, async () => ({
      all: await openServer(all.url, ROWS),
      own: await openServer(own.url, ROWS.filter(isOwn)),
    }));
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

const TENANT = 2;
const CONDITIONS = new Map(Object.keys(TABLE_COLUMNS).map((table) => [table, 'tenant_id = :p1']));

interface Row {
  readonly table: keyof typeof TABLE_COLUMNS;
  readonly tenant: number;
  readonly cells: readonly (number | null)[];
}

/** Rows of three tenants, with equal values in all of them, and with NULL. */
const ROWS: readonly Row[] = (Object.keys(TABLE_COLUMNS) as Row['table'][]).flatMap((table, place) =>
  Array.from({ length: 15 }, (_, index) => {
    const id = index + 1;
    const tenant = 1 + (index % 3);
    const others = [(id + place) % 4 === 0 ? null : (id * 3 + place) % 7, id % 5].slice(
      0,
      TABLE_COLUMNS[table].length - 2,
    );
    return { table, tenant, cells: [id, tenant, ...others] };
  }),
);

function isOwn({ tenant }: Row): boolean {
  return tenant === TENANT;
}

const TABLES = Object.entries(TABLE_COLUMNS).map(
  ([table, columns]) => `CREATE TABLE ${table} (${columns.map((column) => `${column} INT`).join(', ')})`,
);

function insertsOf(rows: readonly Row[]): string[] {
  return rows.map(
    ({ table, cells }) => `INSERT INTO ${table} VALUES (${cells.map((cell) => cell ?? 'NULL').join(', ')})`,
  );
}

async function openDuckDb(rows: readonly Row[]): Promise<Database> {
  const database = await openTestDatabase({ readers: 1, threads: 1 });
  await database.write(async (connection) => {
    for (const table of TABLES) for (const statement of translateDdl(table)) await connection.run(statement);
    for (const insert of insertsOf(rows)) await connection.run(insert);
  });
  return database;
}

async function openServer(url: string, rows: readonly Row[]): Promise<Database> {
  await execute(url, ...TABLES, ...insertsOf(rows));
  return openMysql({ url, allowWritingAccount: true, connections: 1 });
}
