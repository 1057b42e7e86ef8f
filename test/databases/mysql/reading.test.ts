import { expect } from 'chai';
import { type MysqlDatabase, openMysql } from '../../../databases/mysql/database.js';
import type { MysqlOptions } from '../../../databases/mysql/options.js';
import { useMysql } from '../../services/mysql.js';
import { codeOf } from '../failures.js';

const SOON = { maxRows: 10, timeoutMs: 10_000 };
/** Runs for minutes unless it is stopped. */
const ENDLESS = { sql: 'SELECT SUM(a.seq * b.seq % 7) AS s FROM seq_1_to_1000000 a, seq_1_to_1000000 b' };

describe('reading from a MySQL-protocol database', () => {
  const server = useMysql();
  let database: MysqlDatabase;
  const open = (options: Partial<MysqlOptions> = {}) =>
    openMysql({ url: server.url, allowWritingAccount: true, ...options });
  const read = (sql: string, values: Parameters<MysqlDatabase['query']>[1] = []) =>
    database.query({ sql }, values, SOON);

  beforeEach(async () => {
    database = await open({ connections: 1, maxWaiting: 1, maxWaitMs: 300 });
  });
  afterEach(() => database?.close());

  it('binds text, numbers, booleans and NULL as the types that they are', async () => {
    const query = database.prepare(
      "SELECT :p2 AS b, :p1 AS a, :p3 + 1 AS c, :p4 AS d, :p1 AS again, :p5 AS e, :p6 + 1 AS f, ':p1' AS text -- :p9",
    );
    const values = [2.5, "it's \u{1f600}", true, null, 18446744073709551615n, 41];
    const { columns, rows } = await database.query(query, values, SOON);
    expect(rows).to.deep.equal([["it's \u{1f600}", 2.5, 2, null, 2.5, 18446744073709551615n, 42, ':p1']]);
    expect(columns.map(({ type }) => type)).to.deep.equal([
      'VARCHAR',
      'DOUBLE',
      'BIGINT',
      'INT',
      'DOUBLE',
      'UNSIGNED BIGINT',
      'BIGINT',
      'VARCHAR',
    ]);
  });

  it('stops reading after the rows that were asked for and says that there are more', async () => {
    const all = await database.query({ sql: 'SELECT seq FROM seq_1_to_10' }, [], SOON);
    expect([all.rows.length, all.more]).to.deep.equal([10, false]);
    const some = await database.query({ sql: 'SELECT seq FROM seq_1_to_1000000000' }, [], SOON);
    expect([some.rows.length, some.more]).to.deep.equal([10, true]);
    expect((await read('SELECT 42 AS n')).rows).to.deep.equal([[42]]);
  });

  it('stops a query in the database when its time is over, and the next one is not hit', async () => {
    for (let round = 0; round < 20; round++) {
      expect(await codeOf(database.query(ENDLESS, [], { maxRows: 1, timeoutMs: 5 }))).to.equal('query_timeout');
      expect((await read('SELECT 42 AS n')).rows).to.deep.equal([[42]]);
    }
  });

  it('never hits a later query with the kill of one that ended at the same moment', async () => {
    for (let round = 0; round < 200; round++) {
      const short = { sql: `SELECT SUM(seq) AS s FROM seq_1_to_${1 + 1000 * (round % 50)}` };
      await codeOf(database.query(short, [], { maxRows: 1, timeoutMs: 1 + (round % 3) }));
      expect((await read('SELECT COUNT(*) AS n FROM seq_1_to_1000')).rows).to.deep.equal([[1000]]);
    }
  });

  it('stops a query whose caller went away', async () => {
    const caller = new AbortController();
    const running = codeOf(database.query(ENDLESS, [], { maxRows: 1, timeoutMs: 60_000, signal: caller.signal }));
    caller.abort();
    expect(await running).to.equal('query_cancelled');
    expect(await codeOf(database.query(ENDLESS, [], { ...SOON, signal: AbortSignal.abort() }))).to.equal(
      'query_cancelled',
    );
    expect((await read('SELECT 1 AS n')).rows).to.deep.equal([[1]]);
  });

  it('lets few queries wait for a connection, for a limited time', async () => {
    const running = codeOf(database.query(ENDLESS, [], { maxRows: 1, timeoutMs: 1_000 }));
    const waiting = codeOf(read('SELECT 1 AS n'));
    const refused = codeOf(read('SELECT 2 AS n'));
    expect(await refused).to.equal('overloaded');
    expect(await waiting).to.equal('overloaded');
    expect(await running).to.equal('query_timeout');
    expect((await read('SELECT 3 AS n')).rows).to.deep.equal([[3]]);
  });

  it('explains a query without running it', async () => {
    const plan = await database.explain(database.prepare('SELECT :p1 AS a FROM seq_1_to_10'), [1], SOON);
    expect(plan.columns.map(({ name }) => name)).to.include.members(['id', 'select_type', 'table', 'Extra']);
    expect(plan.rows).to.have.length(1);
  });

  it('answers a ping until it is closed', async () => {
    await database.ping(1_000);
    await database.close();
    expect(await codeOf(database.ping(1_000))).to.equal('database_unavailable');
    expect(await codeOf(read('SELECT 1 AS n'))).to.equal('database_unavailable');
  });
});
