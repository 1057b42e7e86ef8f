import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement, DuckDBTypeId } from '@duckdb/node-api';
import { expect } from 'chai';
import { bind } from '../../../engine/databases/duckdb/connection/binding.js';
import {
  CachedStatement,
  countKeptPlans,
  type KeptPlan,
  readMarkerRules,
  ValueTable,
} from '../../../engine/databases/duckdb/connection/cached-statement.js';
import { createMacros, instanceOptions } from '../../../engine/databases/duckdb/connection/settings.js';
import type { EmbeddedDatabase } from '../../../engine/databases/duckdb/embedded.js';
import type { BoundValue } from '../../../engine/index.js';
import { codeOf } from '../failures.js';
import { createTimes, type ManualTimes } from '../manual-times.js';
import { openTestDatabase } from './open-test-database.js';

const SOON = { maxRows: 10, timeoutMs: 600_000 };
/** The number of first executions of a statement, in which bound values and the kept plan are used alternately. */
const EXECUTIONS = 6;

/** Queries on `things`, each with some lists of bound values. */
const QUERIES: readonly (readonly [string, readonly (readonly BoundValue[])[]])[] = [
  [
    'SELECT id, name FROM things WHERE day >= $1 AND day < $2 ORDER BY id',
    [
      ['2020-01-01', '2020-01-05'],
      ['2020-01-03', '2020-02-01'],
      ['1999-12-31', '2000-01-01'],
    ],
  ],
  [
    'SELECT count(*), min(day), max(moment), sum(size) FROM things WHERE name = $1 OR size > $2',
    [
      ['a3', 10],
      ['b', 100000],
    ],
  ],
  [
    'SELECT id FROM things WHERE name_lower = lower(CAST($1 AS VARCHAR) || CAST($2 AS VARCHAR)) ORDER BY day DESC LIMIT 1',
    [
      ['A', '5'],
      ['B', '7'],
    ],
  ],
  [
    'SELECT id FROM things ORDER BY size DESC, id LIMIT $1 OFFSET $2',
    [
      [3, 0],
      [2, 1],
      [0, 0],
    ],
  ],
  [
    'SELECT t.id, o.id FROM things t LEFT JOIN things o ON o.id = t.id AND o.size > $1 WHERE t.size < $2 ORDER BY 1',
    [
      [1, 5],
      [2, 50],
    ],
  ],
  [
    'SELECT count(*) FROM things WHERE size IN ($1, $2, $3)',
    [
      [1, 2, 3],
      [5, 5, 700],
    ],
  ],
  [
    'SELECT count(*) FROM things WHERE moment < mysql.instant($1) AND mysql.day_of($2) > day',
    [
      ['2020-01-04 12:00:00', '2020-01-09'],
      ['2020-01-02 00:00:00', '2021-01-01'],
    ],
  ],
];

/** Returns the bound values of a round. The lists of a query alternate. */
function listOf(lists: readonly (readonly BoundValue[])[], round: number): readonly BoundValue[] {
  return lists[round % lists.length] ?? [];
}

/** Changes of `things` after which a kept plan would be wrong if it depended on the data. */
const CHANGES = [
  "INSERT INTO things SELECT i, 'a' || i, 'a' || i, DATE '2020-01-01' + i::INTEGER, TIMESTAMP '2020-01-01' + to_hours(i), i FROM range(20) r(i)",
  'DELETE FROM things WHERE id < 4',
  "INSERT INTO things SELECT 100 + i, 'b', 'b7', DATE '2000-01-01', NULL, 1000000 * i FROM range(5000) r(i)",
  'CHECKPOINT',
  'DELETE FROM things WHERE id >= 100',
  'ALTER TABLE things ADD COLUMN extra INTEGER',
  'UPDATE things SET size = -size, day = NULL WHERE id % 2 = 0',
  'CREATE OR REPLACE TABLE things AS SELECT * FROM things ORDER BY size DESC',
  'DELETE FROM things',
  "INSERT INTO things BY NAME SELECT 5 AS id, 'a5' AS name, 'a5' AS name_lower, DATE '2020-01-03' AS day, 5 AS size",
];

describe('kept plans of the embedded database', () => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  /** The table of values. Each connection has one. */
  let table: ValueTable;
  let times: ManualTimes;

  before(async () => {
    instance = await DuckDBInstance.create(
      ':memory:',
      instanceOptions({ memoryLimit: '1GB', threads: 1, tempDirectory: undefined }),
    );
    const creating = await instance.connect();
    await createMacros(creating);
    creating.closeSync();
  });
  after(() => instance.closeSync());
  beforeEach(async () => {
    connection = await instance.connect();
    times = createTimes();
    table = new ValueTable(connection, 100);
    await connection.run(
      'CREATE OR REPLACE TABLE things (id BIGINT, name VARCHAR, name_lower VARCHAR, day DATE, moment TIMESTAMP, size BIGINT)',
    );
  });
  afterEach(() => connection.closeSync());

  const cache = async (sql: string) => new CachedStatement(sql, await connection.prepare(sql), table, times);

  /** Runs a cached statement, and appends to `used` whether its values were bound. */
  const readWith = async (cached: CachedStatement, values: readonly BoundValue[], used: string[] = []) => {
    const execute = async (statement: DuckDBPreparedStatement) => {
      used.push(statement.parameterCount === 0 ? 'kept' : 'bound');
      // The first executions are measured. Here, a kept plan takes half of the time of bound values.
      times.advance(statement.parameterCount === 0 ? keptMs : 10);
      const reader = await statement.runAndReadAll();
      const columns = reader.columnNames().map((name, index) => ({ name, type: String(reader.columnType(index)) }));
      return { columns, rows: reader.getRowsJson() as string[][], more: false };
    };
    return (await cached.read(values, { execute, interrupt: () => connection.interrupt(), hasStopped: () => false }))
      .rows;
  };

  let keptMs = 5;
  const readBound = async (sql: string, values: readonly BoundValue[]) => {
    const statement = await connection.prepare(sql);
    bind(statement, values);
    return (await statement.runAndReadAll()).getRowsJson();
  };

  it('return the rows of bound values, also after the data and the schema have changed', async () => {
    const statements = await Promise.all(QUERIES.map(([sql]) => cache(sql)));
    for (const [round, change] of ['SELECT 1', ...CHANGES].entries()) {
      await connection.run(change);
      for (const [index, [sql, lists]] of QUERIES.entries()) {
        const values = listOf(lists, round);
        const [used, cached] = [[] as string[], statements[index] as CachedStatement];
        const expected = await readBound(sql, values);
        for (let run = 0; run < 2; run++) {
          expect(await readWith(cached, values, used), `${change}: ${sql} ${used}`).to.deep.equal(expected);
        }
      }
    }
  });

  it('return the rows of bound values when they are older than all data', async () => {
    const plans: KeptPlan[] = [];
    for (const [sql, [values = []]] of QUERIES) {
      const bound = await connection.prepare(sql);
      const types = values.map((_, place) => bound.parameterTypeId(place + 1));
      const plan = await table.prepare(sql, readMarkerRules(sql, types), values);
      if (plan === undefined) throw new Error(`no plan for ${sql}`);
      plans.push(plan);
    }
    for (const [round, change] of CHANGES.entries()) {
      await connection.run(change);
      for (const [index, [sql, lists]] of QUERIES.entries()) {
        const plan = plans[index] as KeptPlan;
        // The plan for the first values is not valid for values of other types.
        const values = listOf(lists.filter(plan.accepts.bind(plan)), round);
        await plan.write(values);
        const rows = (await plan.statement.runAndReadAll()).getRowsJson();
        expect(rows, `${change}: ${sql}`).to.deep.equal(await readBound(sql, values));
      }
    }
  });

  it('are used for values of the types text, integer, date and time', async () => {
    for (const [sql, [values = []]] of QUERIES) {
      const [used, cached] = [[] as string[], await cache(sql)];
      for (let run = 0; run < EXECUTIONS; run++) await readWith(cached, values, used);
      expect(used, sql).to.deep.equal(['bound', 'kept', 'bound', 'kept', 'bound', 'kept']);
    }
  });

  it('are used after six executions only if they take less than nine tenths of the time of bound values', async () => {
    const [sql, [values = []]] = QUERIES[0] ?? ['', []];
    for (const [ms, way] of [
      [8.9, 'kept'],
      [9, 'bound'],
    ] as const) {
      keptMs = ms;
      const [used, cached] = [[] as string[], await cache(sql)];
      for (let run = 0; run < EXECUTIONS + 2; run++) await readWith(cached, values, used);
      expect(used.slice(EXECUTIONS)).to.deep.equal([way, way]);
    }
    keptMs = 5;
  });

  it('are not used where a column of the type of the value could give another result', async () => {
    const cases: readonly (readonly [string, readonly BoundValue[]])[] = [
      // MySQL compares two texts character by character. With a DATE, both literals would be equal.
      ["SELECT $1 >= '2020-01-01 00:00:00' AS a FROM things WHERE day = $1", ['2020-01-01']],
      ["SELECT $1 = '2020-1-1' AS a FROM things WHERE day = $1", ['2020-01-01']],
      ['SELECT $1 < $2 AS a FROM things WHERE day = $1', ['2020-01-01', '2020-01-01 00:00:00']],
      // If all texts look like dates, they would be compared as dates.
      ['SELECT id FROM things WHERE $1 IS NULL OR name = $1', ['2020-01-01']],
      ['SELECT id FROM things WHERE day >= $1 AND name = $1', ['2020-01-01']],
      ['SELECT id FROM things WHERE name = $1 OR day = $1', ['2020-01-01']],
      ['SELECT id FROM things WHERE name = CASE WHEN id = 1 THEN $1 ELSE $2 END', ['2020-01-01', '2020-01-01']],
      // The types of the results would be different.
      ['SELECT $1 AS a', ['2020-01-01']],
      ['SELECT size + $1 AS a FROM things', [2.5]],
      // NULL has no type, and a time is not a date.
      ['SELECT count(*) FROM things WHERE day = $1', [null]],
      ['SELECT count(*) FROM things WHERE size = $1', ['12']],
      ['SELECT count(*) FROM things WHERE size = $1', [2n ** 80n]],
    ];
    await connection.run(
      "INSERT INTO things VALUES (1, '2020-1-1', 'a', DATE '2020-01-01', TIMESTAMP '2020-01-01', 12)",
    );
    for (const [sql, values] of cases) {
      const [used, cached] = [[] as string[], await cache(sql)];
      const expected = await readBound(sql, values);
      for (let run = 0; run < EXECUTIONS; run++) {
        expect(await readWith(cached, values, used), sql).to.deep.equal(expected);
      }
      expect(used.filter((way) => way === 'kept').length, sql).to.be.at.most(1);
      expect(used.at(-1), sql).to.equal('bound');
    }
  });

  it('fail with the error of bound values', async () => {
    const sql = 'SELECT count(*) FROM things WHERE day = $1';
    await connection.run("INSERT INTO things (day) VALUES (DATE '2020-01-01')");
    const cached = await cache(sql);
    expect(await readWith(cached, ['2020-01-01'])).to.deep.equal([['1']]);
    for (let run = 0; run < 2; run++) {
      let message = '';
      await readWith(cached, ['2020-02-30']).catch((error: Error) => {
        message = error.message;
      });
      expect(message).to.contain('2020-02-30');
    }
    expect(await readWith(cached, ['2020-01-01'])).to.deep.equal([['1']]);
  });

  it('do not return the result of an interrupted execution, which DuckDB can end early without an error', async () => {
    await connection.run("INSERT INTO things (id, name) VALUES (1, 'a')");
    const cached = await cache('SELECT id FROM things WHERE name = $1');
    await readWith(cached, ['a']);
    const used: string[] = [];
    let interrupt = () => {};
    const interrupted = new Promise<void>((resolve) => {
      interrupt = resolve;
    });
    const execute = async (statement: DuckDBPreparedStatement) => {
      const isKept = statement.parameterCount === 0;
      used.push(isKept ? 'kept' : 'bound');
      // The execution with bound values takes 10 ms, so the limit is four times this time plus 100 ms.
      if (isKept) await Promise.all([interrupted, times.end(140)]);
      const reader = await statement.runAndReadAll();
      const rows = isKept ? [] : (reader.getRowsJson() as string[][]);
      return { columns: [{ name: 'id', type: 'BIGINT' }], rows, more: false };
    };
    const { rows } = await cached.read(['a'], { execute, interrupt, hasStopped: () => false });
    expect([used, rows]).to.deep.equal([['kept', 'bound'], [['1']]]);
  });

  it('are limited in number, because they use memory, and a destroyed statement frees its place', async () => {
    table = new ValueTable(connection, 6);
    const wayOfSecond = async (cached: CachedStatement) => {
      const used: string[] = [];
      for (let run = 0; run < 2; run++) await readWith(cached, [run], used);
      return used[1];
    };
    const statements = await Promise.all(
      Array.from({ length: 30 }, (_, index) => cache(`SELECT ${index} AS a FROM things WHERE size = $1`)),
    );
    const ways: (string | undefined)[] = [];
    for (const cached of statements) ways.push(await wayOfSecond(cached));
    expect(ways).to.deep.equal([...Array(6).fill('kept'), ...Array(24).fill('bound')]);
    statements[0]?.destroy();
    expect(await wayOfSecond(await cache('SELECT 99 AS a FROM things WHERE size = $1'))).to.equal('kept');
  });

  it('replace a plan that was not used for a hundred executions, whose statement then binds its values', async () => {
    table = new ValueTable(connection, 2);
    await connection.run("INSERT INTO things (size, name) VALUES (1, 'a'), (2, 'b')");
    const sql = 'SELECT name FROM things WHERE size = $1';
    const rules = readMarkerRules(sql, [DuckDBTypeId.BIGINT]);
    const unused = await cache(sql);
    const used: string[] = [];
    for (const size of [1, 2]) await readWith(unused, [size], used);
    expect(used).to.deep.equal(['bound', 'kept']);
    const hot = await table.prepare(sql, rules, [1]);
    for (let execution = 0; execution < 99; execution++) table.countExecution();
    await hot?.write([1]);
    expect(await table.prepare(sql, rules, [1])).to.equal(undefined);
    for (let execution = 0; execution < 2; execution++) table.countExecution();
    expect(await table.prepare(sql, rules, [1])).to.be.an('object');
    expect(hot?.isDestroyed).to.equal(false);
    for (const size of [1, 2, 1]) {
      expect(await readWith(unused, [size], used)).to.deep.equal([[size === 1 ? 'a' : 'b']]);
    }
    expect(used.slice(2)).to.deep.equal(['bound', 'bound', 'bound']);
  });

  it('use at most an eighth of the memory limit', () => {
    const counts = ['256MB', '1GB', '2 GiB', '64MB', '100GB'].map((limit) => countKeptPlans(limit, 4));
    expect(counts).to.deep.equal([2, 7, 15, 2, 32]);
  });

  it('do not replace markers in quoted texts', async () => {
    const cached = await cache(`SELECT '$1 it''s $1' AS a, count(*) AS b FROM things WHERE name <> $1`);
    for (let run = 0; run < EXECUTIONS; run++) {
      expect(await readWith(cached, ['x'])).to.deep.equal([["$1 it's $1", '0']]);
    }
  });
});

describe('statements with kept plans in the embedded database file', () => {
  let database: EmbeddedDatabase;
  before(async () => {
    database = await openTestDatabase({ readers: 3 });
    await database.write((connection) =>
      connection.run("CREATE TABLE things AS SELECT i AS id, 'name ' || i AS name FROM range(3000) r(i)"),
    );
  });
  after(() => database.close());

  const SELECT = { sql: 'SELECT name FROM things WHERE id = $1 AND name <> $2' };

  it('return the row of the bound value when many run at the same time', async () => {
    const ids = Array.from({ length: 80 }, (_, index) => index * 7);
    const results = await Promise.all(ids.map((id) => database.query(SELECT, [id, 'none'], SOON)));
    expect(results.map(({ rows }) => rows)).to.deep.equal(ids.map((id) => [[`name ${id}`]]));
  });

  it('return the row of the bound value after other executions were cancelled', async () => {
    for (let id = 0; id < 30; id++) {
      const caller = new AbortController();
      const cancelled = codeOf(database.query(SELECT, [id, 'none'], { ...SOON, signal: caller.signal }));
      if (id % 2 === 0) caller.abort();
      else setImmediate(() => caller.abort());
      const { rows } = await database.query(SELECT, [1000 + id, 'none'], SOON);
      expect(rows).to.deep.equal([[`name ${1000 + id}`]]);
      await cancelled.catch(() => undefined);
    }
  });

  it('return the row of the bound value when the table of the values is replaced', async () => {
    const long = 'x'.repeat(200_000);
    for (let id = 0; id < 40; id++) {
      const { rows } = await database.query(SELECT, [id, long], SOON);
      expect(rows).to.deep.equal([[`name ${id}`]]);
    }
  });

  it('answer with bound values if the kept plan is much slower', async () => {
    const sql = `SELECT count(*) FROM range(1000000) a, range(1000000) b
      WHERE CASE WHEN CAST($1 AS BIGINT) = 0 THEN false ELSE a.range + b.range > 5 END`;
    for (let run = 0; run < EXECUTIONS; run++) {
      const { rows } = await database.query({ sql }, [0], SOON);
      expect(rows).to.deep.equal([[0]]);
    }
  });

  it('show the plan of the query with its values', async () => {
    for (let run = 0; run < EXECUTIONS; run++) await database.query(SELECT, [run, 'none'], SOON);
    const { rows } = await database.explain(SELECT, [42, 'none'], SOON);
    expect(String(rows[0]?.[1])).to.contain('id=42');
  });
});
