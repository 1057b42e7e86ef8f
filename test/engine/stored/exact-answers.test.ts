import { expect } from 'chai';
import { createRandom } from '../../../demo/world/random.js';
import { readExactly } from '../../../engine/answers/exact-read.js';
import {
  type Answer,
  createEngine,
  type Database,
  type DataVersions,
  Deadline,
  type Endpoint,
  EngineError,
  type EngineEvent,
  limitSignal,
  PATIENT_METADATA_TIMEOUT_MS,
  ROLLUP_STATE,
  type VersionState,
} from '../../../engine/index.js';
import { definitionOf, endpointOf } from '../fixtures.js';
import { openToyDatabase, type ToyDatabase } from '../toy-database.js';
import { ToyVersions } from './toy-versions.js';

const TABLES = `
  CREATE TABLE sales (n BIGINT);
  CREATE TABLE runs (n BIGINT);
  INSERT INTO sales VALUES (0);
  INSERT INTO runs VALUES (0);
`;
/** A definition whose queries all return the number in a table. Each change increments the number. */
const NUMBERS = definitionOf(
  'SELECT s.n AS id FROM sales s WHERE s.n >= {{ least }}',
  'least: { in: query, type: integer, default: 0, description: The least number }',
  [
    "data_as_of: SELECT CONCAT('2000-01-01 00:00:', LPAD(CAST(n % 60 AS VARCHAR), 2, '0')) AS d FROM sales",
    'notices:',
    '  - { when: always, sql: "SELECT CONCAT(\'run \', n) AS notice FROM runs" }',
    "  - { when: empty, sql: \"SELECT CONCAT('sales ', n, ' < ', CAST({{ least }} AS VARCHAR)) AS notice FROM sales\" }",
  ].join('\n'),
);
const REQUEST = { path: {}, query: {} };

describe('exact answers', () => {
  let toy: ToyDatabase;
  let endpoint: Endpoint;
  let versions: ToyVersions;
  let events: EngineEvent[];
  let time: number;
  /** Called before each query with the number of the query. The function can throw. */
  let beforeQuery: (count: number, sql: string) => Promise<void>;
  let counts: string[];
  let queries: Promise<unknown>[];

  before(async () => {
    endpoint = await endpointOf(NUMBERS);
    toy = await openToyDatabase(TABLES);
  });
  after(() => toy.close());
  beforeEach(async () => {
    await toy.execute('UPDATE sales SET n = 0; UPDATE runs SET n = 0;');
    versions = new ToyVersions('sales', 'runs', 'ovens');
    [events, counts, queries, time, beforeQuery] = [[], [], [], 0, async () => {}];
  });
  afterEach(async () => {
    // A failed request does not wait for its other queries.
    await Promise.allSettled(queries);
  });

  const change = async (...tables: readonly string[]) => {
    const statements = tables.map((table) => `UPDATE ${table} SET n = n + 1;`).join(' ');
    await versions.write(tables, () => toy.execute(statements));
  };
  const engineOf = (parts: object = { versions }) => {
    const run: Database['query'] = async (prepared, values, options) => {
      counts.push(prepared.sql);
      await beforeQuery(counts.length, prepared.sql);
      return toy.query(prepared, values, options);
    };
    const query: Database['query'] = (...request) => {
      const result = run(...request);
      queries.push(result);
      return result;
    };
    const database: Database = { ...toy, concurrency: 4, query };
    const observe = (event: EngineEvent) => event.kind === 'queried' || events.push(event);
    const clock = () => new Date('2024-05-03T00:00:00Z');
    return createEngine({
      endpoints: [endpoint],
      database,
      stopwatch: () => time,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
      clock,
      observe,
      ...parts,
    });
  };
  const countOf = (part: string) => counts.filter((sql) => sql.includes(part)).length;

  it('state the versions of all tables that they were read from', async () => {
    const engine = engineOf();
    await change('sales', 'runs');
    const answer = await engine.run(endpoint, REQUEST);
    expect(factsOf(answer)).to.deep.equal({ sales: 1, seconds: 1, notices: ['run 1'], isComplete: true });
    expect(answer.versions).to.deep.equal(
      new Map([
        ['sales', '1.a'],
        ['runs', '1.a'],
      ]),
    );
    expect(versions.confirmations).to.equal(1);
  });

  it('are read again if a table changes between two queries', async () => {
    const engine = engineOf();
    beforeQuery = async (count) => {
      if (count === 2) await change('sales', 'runs');
    };
    const answer = await engine.run(endpoint, REQUEST);
    expect(factsOf(answer)).to.deep.equal({ sales: 1, seconds: 1, notices: ['run 1'], isComplete: true });
    expect(answer.versions).to.deep.equal(
      new Map([
        ['sales', '1.a'],
        ['runs', '1.a'],
      ]),
    );
    expect(counts).to.have.length(6);
  });

  it('are not read again if another table changes', async () => {
    const engine = engineOf();
    beforeQuery = async () => versions.change('ovens');
    const answer = await engine.run(endpoint, REQUEST);
    expect([answer.versions?.size, counts.length, versions.confirmations]).to.deep.equal([2, 3, 1]);
  });

  it('state no version if a table changes during three attempts', async () => {
    const engine = engineOf();
    beforeQuery = async (_, sql) => {
      if (sql.startsWith('SELECT s.n')) await change('sales');
    };
    const answer = await engine.run(endpoint, REQUEST);
    expect([answer.versions, answer.rows, countOf('SELECT s.n')]).to.deep.equal([undefined, [[3]], 3]);
  });

  it('state no version if the versions cannot be confirmed, before or after the queries', async () => {
    const engine = engineOf();
    versions.isUnavailable = true;
    const after = await engine.run(endpoint, REQUEST);
    versions.isRecent = false;
    const before = await engine.run(endpoint, REQUEST);
    versions.known = undefined;
    const unknown = await engine.run(endpoint, REQUEST);
    expect([after, before, unknown].map((answer) => [answer.versions, answer.rows])).to.deep.equal([
      [undefined, [[0]]],
      [undefined, [[0]]],
      [undefined, [[0]]],
    ]);
    expect(events.map(({ kind }) => kind)).to.deep.equal(['answered', 'answered', 'answered']);
  });

  it('state no version if reading the versions takes the remaining time of the request', async () => {
    const deadline = new AlmostOver({ timeoutMs: 600_000 });
    const confirm = (signal?: AbortSignal) =>
      new Promise<VersionState>((resolve, reject) => {
        // Both timers start in one step of the event loop, so a pause of the machine does not change their order.
        const remaining = limitSignal([], deadline.remainingMs);
        remaining.signal.addEventListener('abort', () => resolve(versions.confirm()));
        signal?.addEventListener('abort', () => {
          remaining.end();
          reject(signal.reason);
        });
      });
    const slow: DataVersions = Object.assign(new ToyVersions('sales'), { confirm });
    const options = { versions: slow, tables: new Set(['sales']), deadline };
    const answer = await readExactly(options, async () => 'rows');
    deadline.end();
    expect(answer).to.deep.equal({ result: 'rows', versions: undefined });
  });

  it('confirm the versions before the queries if they are not recent', async () => {
    const engine = engineOf();
    versions.isRecent = false;
    const { versions: exact } = await engine.run(endpoint, REQUEST);
    expect([exact?.get('sales'), versions.confirmations]).to.deep.equal(['0.a', 2]);
  });

  it('use the first rows without a version if the second attempt fails', async () => {
    const engine = engineOf();
    beforeQuery = async (count, sql) => {
      if (count === 1) await change('sales');
      if (count > 1 && sql.startsWith('SELECT s.n')) throw new EngineError('database_unavailable', 'unavailable');
    };
    const answer = await engine.run(endpoint, REQUEST);
    expect([answer.versions, answer.rows]).to.deep.equal([undefined, [[1]]]);
  });

  it('read the rows of a materialized table again if its version is lost or changes in each attempt', async () => {
    const tables = new Set(['daily', ROLLUP_STATE]);
    const readWith = async (onRead: (versions: ToyVersions, count: number) => void) => {
      const known = new ToyVersions(...tables);
      const reads: unknown[] = [];
      const deadline = new Deadline({ timeoutMs: 600_000 });
      const { versions: exact } = await readExactly({ versions: known, tables, deadline }, async (before) => {
        onRead(known, reads.push(before?.get('daily')));
        return 'rows';
      });
      deadline.end();
      return [reads, exact];
    };
    const setVersion = (versions: ToyVersions, version: string) => {
      versions.known = { tables: new Map([...tables].map((table) => [table, version])), confirmedAt: 0 };
    };
    expect(
      await readWith((one) => {
        one.known = { tables: new Map(), confirmedAt: 0 };
      }),
    ).to.deep.equal([['0.a', undefined], undefined]);
    expect(await readWith((one, count) => setVersion(one, `${count}.b`))).to.deep.equal([
      ['0.a', '1.b', '2.b', undefined],
      undefined,
    ]);
    expect(await readWith((one) => setVersion(one, '1.b'))).to.deep.equal([
      ['0.a', '1.b'],
      new Map([...tables].map((table) => [table, '1.b'])),
    ]);
  });

  it('state no version and read no versions if a table has none', async () => {
    versions = new ToyVersions('sales');
    const some = await engineOf().run(endpoint, REQUEST);
    const none = await engineOf({}).run(endpoint, REQUEST);
    expect([some.versions, none.versions, versions.confirmations]).to.deep.equal([undefined, undefined, 0]);
  });

  it('include the notices of an answer without rows', async () => {
    const engine = engineOf();
    beforeQuery = async (_, sql) => {
      if (sql.includes(' < ') && countOf(' < ') === 1) await change('sales');
    };
    const answer = await engine.run(endpoint, { path: {}, query: { least: '9' } });
    expect([answer.emptyNotices, answer.versions?.get('sales'), countOf('SELECT s.n')]).to.deep.equal([
      ['sales 1 < 9'],
      '1.a',
      2,
    ]);
  });

  it('read metadata once per version of their tables, for all requests', async () => {
    const engine = engineOf();
    const metadata = () => [countOf('2000-01-01'), countOf("'run '")];
    const queries = [{}, { least: '-1' }, { least: '-2' }];
    await Promise.all(queries.map((query) => engine.run(endpoint, { path: {}, query })));
    expect(metadata()).to.deep.equal([1, 1]);
    time += 1_000_000;
    await change('runs');
    await engine.run(endpoint, REQUEST);
    expect(metadata()).to.deep.equal([1, 2]);
    await change('sales');
    const answer = await engine.run(endpoint, REQUEST);
    expect([...metadata(), factsOf(answer).seconds]).to.deep.equal([2, 2, 1]);
  });

  it('report a failed metadata query, and read it again after one second', async () => {
    const engine = engineOf();
    beforeQuery = async (_, sql) => {
      if (sql.includes("'run '") && countOf("'run '") === 1) throw new Error('no memory');
    };
    const states: unknown[] = [];
    for (const step of [0, 999, 1]) {
      time += step;
      const { isComplete, notices, versions: exact } = await engine.run(endpoint, REQUEST);
      states.push([isComplete, notices, exact?.size, countOf("'run '")]);
    }
    const failed = ['Notices for this answer could not be loaded.'];
    expect(states).to.deep.equal([
      [false, failed, 2, 1],
      [false, failed, 2, 1],
      [true, ['run 0'], 2, 2],
    ]);
  });

  it('report a failed notice of an empty answer', async () => {
    beforeQuery = async (_, sql) => {
      if (sql.includes(' < ')) throw new Error('no memory');
    };
    const { isComplete } = await engineOf().run(endpoint, { path: {}, query: { least: '9' } });
    expect(isComplete).to.equal(false);
  });

  it('state a time that is not newer than the rows if a table has no versions', async () => {
    versions = new ToyVersions('runs');
    beforeQuery = () => change('sales');
    const { sales, seconds } = factsOf(await engineOf().run(endpoint, REQUEST));
    expect([Number(sales), Number(seconds) < Number(sales)]).to.deep.equal([3, true]);
  });

  it('equal the data of their versions under random changes', async () => {
    const engine = engineOf();
    const random = createRandom(7, 'changes').unit;
    const numbers = { sales: 0, runs: 0 };
    const states = new Map([[stateOf(versions.known?.tables), { ...numbers }]]);
    beforeQuery = async () => {
      if (random() > 0.2) return;
      const tables = CHANGES[Math.floor(random() * CHANGES.length)] ?? [];
      await change(...tables);
      for (const table of tables) numbers[table] += 1;
      states.set(stateOf(versions.known?.tables), { ...numbers });
    };
    let exact = 0;
    for (let round = 0; round < 50; round += 1) {
      const requests = [1, 2, 3].map((number) => ({ path: {}, query: { least: `-${number}` } }));
      for (const answer of await Promise.all(requests.map((request) => engine.run(endpoint, request)))) {
        if (answer.versions === undefined) continue;
        exact += 1;
        const { sales, seconds, notices } = factsOf(answer);
        const expected = states.get(stateOf(answer.versions));
        expect({ sales, seconds, notices }).to.deep.equal({
          sales: expected?.sales,
          seconds: Number(expected?.sales) % 60,
          notices: [`run ${expected?.runs}`],
        });
      }
    }
    expect([exact > 50, states.size > 25]).to.deep.equal([true, true]);
  });
});

/** A deadline whose time is almost over at every step of a request. */
class AlmostOver extends Deadline {
  override get remainingMs(): number {
    return 50;
  }
}

const CHANGES = [['sales'], ['runs'], ['sales', 'runs']] as const;

/** Formats the versions of the two tables. */
function stateOf(tables: ReadonlyMap<string, string> | undefined): string {
  return `${tables?.get('sales')} ${tables?.get('runs')}`;
}

function factsOf({ rows, dataAsOf, notices, isComplete }: Answer) {
  return { sales: rows[0]?.[0], seconds: dataAsOf?.getUTCSeconds(), notices, isComplete };
}
