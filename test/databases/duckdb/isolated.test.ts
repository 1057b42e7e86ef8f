import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../databases/duckdb/embedded.js';
import type { Database, QueryOptions } from '../../../engine/interface/database.js';
import { withBusyProcessors } from '../../services/busy-processors.js';
import { eventually } from '../../services/eventually.js';
import { threadPriorities } from '../../services/thread-priorities.js';
import { workerProcesses } from '../../services/worker-processes.js';
import { codeOf, errorOf, messageOf } from '../failures.js';
import { openTestDatabase, temporaryFolder } from './open-test-database.js';

const LIMITS = {
  connections: 2,
  maxWaiting: 1,
  maxWaitMs: 300,
  minFreeBytes: 0,
  limits: {
    maxResultBytes: 1024,
    memoryLimit: '64MB',
    maxResidentBytes: 300 * 1024 * 1024,
    maxIdleBytes: 150 * 1024 * 1024,
  },
};
const TABLES = [
  { name: 'people', columns: ['id', 'login'] },
  { name: 'lists', columns: ['id', 'name', 'is_public'], where: '`is_public` = 1' },
];
/** DuckDB creates 2,048 texts of 10 MB before it checks for an interrupt, and does not count their memory. */
const UNSTOPPABLE = `SELECT max(length(concat(t, r.range)))
  FROM (SELECT string_agg(repeat('x', 100), ',') AS g FROM range(100000)) t, range(100000) r`;
const ENDLESS =
  'SELECT count(*) FROM range(100000) a, range(100000) b, range(100000) c WHERE a.range + b.range + c.range = 3';
const GREEDY = 'SELECT count(DISTINCT a.range * 1000000 + b.range) FROM range(1000000) a, range(1000000) b';

describe('an isolated database', () => {
  let folder: string;
  let database: EmbeddedDatabase;
  let isolated: Database;
  let notices: string[];
  beforeEach(async () => {
    folder = temporaryFolder();
    database = await openTestDatabase();
    await database.write(async (connection) => {
      await connection.run('CREATE TABLE people (id BIGINT PRIMARY KEY, login VARCHAR, email VARCHAR)');
      await connection.run('CREATE INDEX by_login ON people (login)');
      await connection.run("INSERT INTO people VALUES (1, 'ada', 'ada@example.org'), (2, 'bob', 'bob@example.org')");
      await connection.run('CREATE TABLE lists (id BIGINT PRIMARY KEY, name VARCHAR, is_public TINYINT)');
      await connection.run("INSERT INTO lists VALUES (1, 'open', 1), (2, 'closed', 0)");
      await connection.run("CREATE TABLE secrets AS SELECT 'hidden' AS secret");
    });
    notices = [];
    const onNotice = (notice: string) => void notices.push(notice);
    isolated = await database.openIsolated({ ...LIMITS, folder, tables: TABLES, onNotice });
  });
  afterEach(() => database.close());

  const ask = (sql: string, options: Partial<QueryOptions> = {}) =>
    isolated.query({ sql }, [], { maxRows: 10, timeoutMs: 60_000, ...options });
  const rowsOf = async (sql: string) => (await ask(sql)).rows;
  /** On a busy machine, a query can be rejected until the first copy exists and a process has started. */
  const untilAnswered = () => eventually(async () => (await codeOf(ask('SELECT 1'))) === 'no error');

  it('only has the published tables, columns and rows', async () => {
    expect(await rowsOf('SELECT * FROM people ORDER BY id')).to.deep.equal([
      [1, 'ada'],
      [2, 'bob'],
    ]);
    expect(await rowsOf('SELECT * FROM lists')).to.deep.equal([[1, 'open', 1]]);
    expect(await messageOf(ask('SELECT email FROM people'))).to.contain('"email" not found');
    expect(await messageOf(ask('SELECT * FROM secrets'))).to.contain('secrets does not exist');
    expect(await rowsOf('SELECT table_name FROM duckdb_tables() ORDER BY 1')).to.deep.equal([['lists'], ['people']]);
  });

  it('starts a process on busy processors, and then runs its queries with a low priority', async () => {
    await untilAnswered();
    // The process of this query is ended, so the next query needs another one.
    await codeOf(ask(UNSTOPPABLE, { timeoutMs: 200 }));
    expect(await withBusyProcessors(() => rowsOf('SELECT 1 AS one'))).to.deep.equal([[1]]);
    const [worker] = await workerProcesses();
    expect([...new Set(threadPriorities(worker?.pid))]).to.deep.equal([Math.max(10, getPriority())]);
  });

  it('cannot change data or read files, and has no environment', async () => {
    expect(await messageOf(ask('DELETE FROM people'))).to.contain('Expected a SELECT or EXPLAIN SELECT, got');
    for (const sql of ["SELECT * FROM read_text('/etc/passwd')", `SELECT * FROM '${folder}/1.duckdb'`]) {
      expect(await messageOf(ask(sql)), sql).to.match(/disabled|not exist/);
    }
    const [worker] = await workerProcesses();
    expect(worker?.environment).to.match(/^(NODE_CHANNEL_\w+=\w+\0)+$/);
  });

  it('answers from a new copy after a commit, and returns the time of an older copy until then', async () => {
    expect((await ask('SELECT count(*) FROM people')).copiedAt).to.equal(undefined);
    await database.write((connection) => connection.run("INSERT INTO people VALUES (3, 'eve', '')"));
    const before = new Date();
    const older = await ask('SELECT count(*) FROM people');
    expect(older.rows).to.deep.equal([[2]]);
    expect(older.copiedAt)
      .to.be.an.instanceOf(Date)
      .and.satisfy((time: Date) => time < before);
    await eventually(async () => (await ask('SELECT 1')).copiedAt === undefined);
    expect(await rowsOf('SELECT count(*) FROM people')).to.deep.equal([[3]]);
    expect(readdirSync(join(folder, readdirSync(folder)[0] ?? '', 'files'))).to.have.length(1);
  });

  it('copies every commit during reads and changes', async () => {
    const streaming = database.query({ sql: 'SELECT * FROM range(300000)' }, [], {
      maxRows: 300_000,
      timeoutMs: 60_000,
    });
    let isDone = false;
    const changes = (async () => {
      for (let id = 10; !isDone; id += 1) {
        await database.change((connection) => connection.run('INSERT INTO secrets VALUES ($1)', [`${id}`]));
      }
    })();
    await database.write((connection) => connection.run("INSERT INTO people VALUES (3, 'eve', '')"));
    expect(await rowsOf('SELECT count(*) FROM people')).to.deep.equal([[3]]);
    isDone = true;
    await Promise.all([streaming, changes]);
  });

  it('creates a copy while changes follow each other without a pause', async () => {
    let isDone = false;
    const change = async (connection: DuckDBConnection) => {
      await connection.run("UPDATE secrets SET secret = 'first'");
      await connection.run("UPDATE secrets SET secret = 'second'");
    };
    const changes = Array.from({ length: 3 }, async () => {
      while (!isDone) await database.change(change);
    });
    try {
      for (let copy = 0; copy < 3; copy++) {
        await database.write((connection) => connection.run('INSERT INTO people (id) SELECT max(id) + 1 FROM people'));
        await rowsOf('SELECT 1 AS one');
      }
    } finally {
      isDone = true;
      await Promise.all(changes);
    }
    expect(notices).to.deep.equal([]);
  });

  it('ends every query within one second after its time limit, also one that cannot be interrupted', async () => {
    await untilAnswered();
    for (const sql of [ENDLESS, UNSTOPPABLE]) {
      const started = performance.now();
      expect(await codeOf(ask(sql, { timeoutMs: 200 })), sql).to.be.oneOf(['query_timeout', 'query_failed']);
      expect(await rowsOf('SELECT 1 AS one')).to.deep.equal([[1]]);
      expect(performance.now() - started, sql).to.be.lessThan(10_000);
    }
    await eventually(async () => (await workerProcesses()).every(({ cpuShare }) => cpuShare < 0.5));
  });

  it('stops a query when its caller disconnects', async () => {
    await untilAnswered();
    const leaving = new AbortController();
    const cancelled = codeOf(ask(ENDLESS, { signal: leaving.signal }));
    leaving.abort();
    expect(await cancelled).to.equal('query_cancelled');
    await eventually(async () => (await workerProcesses()).every(({ cpuShare }) => cpuShare < 0.5));
  });

  it('fails a query that needs too much memory, whether DuckDB counts it or not, and answers the next one', async () => {
    expect(await messageOf(ask(GREEDY))).to.match(/^Out of Memory Error/);
    const error = await errorOf(ask(UNSTOPPABLE));
    expect([(error as { code?: unknown }).code, error.message]).to.deep.equal([
      'query_failed',
      'The query was stopped: it needs too much memory. Join, group or sort less.',
    ]);
    expect(await rowsOf('SELECT 1 AS one')).to.deep.equal([[1]]);
  });

  it('answers queries after its idle or busy processes were killed', async () => {
    await untilAnswered();
    const idle = await workerProcesses();
    for (const { pid } of idle) process.kill(pid, 'SIGKILL');
    await eventually(() => idle.every(({ pid }) => !existsSync(`/proc/${pid}`)));
    expect(await rowsOf('SELECT 1 AS one')).to.deep.equal([[1]]);
    const failing = codeOf(ask(ENDLESS));
    await eventually(async () => (await workerProcesses()).some(({ cpuShare }) => cpuShare > 0));
    for (const { pid } of await workerProcesses()) process.kill(pid, 'SIGSEGV');
    expect(await failing).to.equal('query_failed');
    expect(notices).to.deep.equal([`A worker process ended with SIGSEGV. Its query: ${ENDLESS}`]);
    expect(await rowsOf('SELECT 1 AS one')).to.deep.equal([[1]]);
  });

  it('rejects large results and queries above the limit of waiting ones', async () => {
    await untilAnswered();
    expect(await codeOf(ask("SELECT repeat('a', 2000) AS a"))).to.equal('query_failed');
    const leaving = new AbortController();
    const { signal } = leaving;
    const running = Promise.all([ENDLESS, ENDLESS].map((sql) => codeOf(ask(sql, { signal }))));
    const others = ['SELECT 1', 'SELECT 1'].map((sql) => codeOf(ask(sql)));
    expect(await Promise.all(others)).to.deep.equal(['overloaded', 'overloaded']);
    leaving.abort();
    expect(await running).to.deep.equal(['query_cancelled', 'query_cancelled']);
  });

  it('leaves no processes and no files when it closes during a query', async () => {
    await untilAnswered();
    const running = codeOf(ask(ENDLESS));
    await database.close();
    expect(await running).to.equal('database_unavailable');
    expect(readdirSync(folder)).to.deep.equal([]);
    await eventually(async () => (await workerProcesses()).length === 0);
  });

  it('fails while no copy can be created, and answers when one can', async () => {
    const own = join(folder, readdirSync(folder)[0] ?? '');
    rmSync(own, { recursive: true });
    writeFileSync(own, 'not a folder');
    const error = await errorOf(ask('SELECT 1'));
    expect([(error as { code?: unknown }).code, error.message]).to.deep.equal([
      'database_unavailable',
      'The copy of the database that this query needs could not be created.',
    ]);
    expect((error.cause as Error).message).to.match(/EEXIST|ENOTDIR/);
    rmSync(own);
    await eventually(async () => (await codeOf(ask('SELECT 1'))) === 'no error');
  });

  it('creates another copy if the file of the last one was removed', async () => {
    await untilAnswered();
    rmSync(join(folder, readdirSync(folder)[0] ?? ''), { recursive: true });
    expect(await rowsOf('SELECT count(*) FROM people')).to.deep.equal([[2]]);
  });

  it('answers from the last copy if no newer one can be created, and notifies the operator', async () => {
    await untilAnswered();
    await database.write((connection) => connection.run('CREATE VIEW blocked AS SELECT email FROM people'));
    await database.write((connection) => connection.run("INSERT INTO people VALUES (3, 'eve', '')"));
    await eventually(async () => (await ask('SELECT 1')).copiedAt !== undefined && notices.length > 0);
    expect(notices[0]).to.match(/^The copy of the database that this query needs could not be created\. /);
    expect(await rowsOf('SELECT count(*) FROM people')).to.deep.equal([[2]]);
  });

  it('creates no copy that would fill the disk', async () => {
    const minFreeBytes = Number.MAX_SAFE_INTEGER;
    const other = await database.openIsolated({ ...LIMITS, folder: temporaryFolder(), tables: TABLES, minFreeBytes });
    const error = await errorOf(other.query({ sql: 'SELECT 1' }, [], { maxRows: 1, timeoutMs: 60_000 }));
    expect((error as { code?: unknown }).code).to.equal('database_unavailable');
    expect((error.cause as Error).message).to.match(/needs \d+ MB of free disk space/);
  });
});
