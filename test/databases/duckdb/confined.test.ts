import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../databases/duckdb/embedded.js';
import { expandedSize } from '../../../databases/duckdb/translate/expansion.js';
import { translate } from '../../../databases/duckdb/translate.js';
import type { Database } from '../../../engine/database.js';
import { eventually } from '../../services/eventually.js';
import { codeOf, errorOf } from '../failures.js';
import { opened } from './opened.js';

const SOON = { maxRows: 10, timeoutMs: 60_000 };
const GREEDY = 'SELECT count(DISTINCT a.range * 1000000 + b.range) AS n FROM range(1000000) a, range(1000000) b';
const HELD = `SELECT CAST(sum(memory_usage_bytes) AS BIGINT) FROM duckdb_memory()
  WHERE tag IN ('HASH_TABLE', 'ALLOCATOR', 'ORDER_BY', 'COLUMN_DATA')`;

describe('confined connections of the embedded database', () => {
  let database: EmbeddedDatabase;
  let confined: Database;
  beforeEach(async () => {
    database = await opened({ memoryLimit: '256MB' });
    confined = await database.confined({ connections: 2, maxWaiting: 1, maxWaitMs: 200, maxResultBytes: 1024 });
  });
  afterEach(() => database.close());

  const ask = (sql: string) => confined.query({ sql }, [], SOON);
  const held = async () => Number((await database.query({ sql: HELD }, [], SOON)).rows[0]?.[0]);

  it('stop a query that needs much memory, give it back, and go on', async () => {
    const error = await errorOf(ask(GREEDY));
    expect([(error as { code?: unknown }).code, error.message]).to.deep.equal([
      'query_failed',
      'The query was stopped: its intermediate results need more than 61 MB. Join, group or sort less.',
    ]);
    await eventually(20_000, async () => (await held()) < 10_000_000);
    expect((await ask('SELECT 1 AS one')).rows).to.deep.equal([[1]]);
  });

  it('tell those that are stopped together to ask again, since nobody knows which of them needed the memory', async () => {
    const harmless = 'SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000) c';
    const errors = await Promise.all([errorOf(ask(harmless)), errorOf(ask(GREEDY))]);
    const told = [
      'overloaded',
      'The query was stopped with others that ran beside it: together they needed more than 61 MB. Ask again.',
    ];
    expect(errors.map((error) => [(error as { code?: unknown }).code, error.message])).to.deep.equal([told, told]);
    expect((await ask('SELECT 1 AS one')).rows).to.deep.equal([[1]]);
    expect(await codeOf(ask(GREEDY))).to.equal('query_failed');
  });

  it('refuse as overloaded what is stopped for the memory that others take', async () => {
    const leaving = new AbortController();
    const harmless = ask('SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000) c');
    const refused = errorOf(harmless);
    const others = errorOf(database.query({ sql: GREEDY }, [], { ...SOON, signal: leaving.signal }));
    const error = await refused;
    leaving.abort();
    await others;
    expect([(error as { code?: unknown }).code, error.message]).to.deep.equal([
      'overloaded',
      'The database needs its memory for other work at the moment.',
    ]);
  });

  it('refuse as overloaded where others hold the memory already', async () => {
    const leaving = new AbortController();
    const others = errorOf(database.query({ sql: GREEDY }, [], { ...SOON, signal: leaving.signal }));
    await eventually(20_000, async () => (await held()) > 100_000_000);
    expect(await codeOf(ask('SELECT 1'))).to.equal('overloaded');
    leaving.abort();
    await others;
  });

  it('stop with their caller, and refuse large results', async () => {
    const leaving = new AbortController();
    const left = codeOf(
      confined.query({ sql: 'SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000) c' }, [], {
        ...SOON,
        signal: leaving.signal,
      }),
    );
    leaving.abort();
    expect(await left).to.equal('query_cancelled');
    expect(await codeOf(ask("SELECT repeat('a', 2000) AS a"))).to.equal('query_failed');
  });

  it('leave nothing in memory of a query of the others that failed', async () => {
    await errorOf(
      database.query({ sql: "SELECT length(string_agg(a.range || 'x', ',')) FROM range(100000000) a" }, [], SOON),
    );
    await eventually(20_000, async () => (await held()) < 10_000_000);
  });
});

describe('the size of a query once its macros are put in', () => {
  it('counts each word of a text without macros', () => {
    expect(expandedSize("SELECT a, f(b) FROM t WHERE c = 'x, y(z)'")).to.equal(13);
  });

  it('multiplies with every call within a call', () => {
    const sizes = [1, 2, 3].map((calls) => expandedSize(`${'mysql.day_of('.repeat(calls)}x${')'.repeat(calls)}`));
    expect(sizes[1]).to.be.greaterThan(3 * (sizes[0] ?? 0));
    expect(sizes[2]).to.be.greaterThan(3 * (sizes[1] ?? 0));
  });

  it('is bounded, so that nobody waits for a plan', () => {
    const nested = (calls: number) => `SELECT ${'DATE('.repeat(calls)}x${')'.repeat(calls)} AS d FROM t`;
    expect(translate(nested(3))).to.contain('mysql.day_of');
    expect(() => translate(nested(8))).to.throw('A query with so many calls within calls');
    const doubled = `SELECT ${'GREATEST('.repeat(18)}x${', 1)'.repeat(18)} AS d FROM t`;
    expect(() => translate(doubled)).to.throw('An expression with so many calls within calls');
  });
});
