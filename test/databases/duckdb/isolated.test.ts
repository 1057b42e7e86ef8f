import {
  constants,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../engine/databases/duckdb/embedded.js';
import { copyUnchanged } from '../../../engine/databases/duckdb/isolated/copy-unchanged.js';
import type { IsolatedOptions } from '../../../engine/databases/duckdb/isolated/isolated-database.js';
import type { Requests } from '../../../engine/databases/duckdb/isolated/protocol.js';
import type { WorkerProcess } from '../../../engine/databases/duckdb/isolated/worker-process.js';
import type { Database, QueryOptions } from '../../../engine/databases/interface/database.js';
import { eventually } from '../../services/eventually.js';
import { threadPriorities } from '../../services/thread-priorities.js';
import { workerProcesses } from '../../services/worker-processes.js';
import { codeOf, errorOf, messageOf } from '../failures.js';
import { createTimes, type ManualTimes } from '../manual-times.js';
import { openTestDatabase, temporaryFolder } from './open-test-database.js';

const LIMITS = {
  connections: 1,
  maxWaiting: 1,
  maxWaitMs: 600_000,
  minFreeBytes: 0,
  limits: {
    maxResultBytes: 1024,
    memoryLimit: '64MB',
    maxResidentBytes: 300 * 1024 * 1024,
    maxIdleBytes: 150 * 1024 * 1024,
  },
};
/** The durations of the timers of an isolated database in milliseconds, by which the tests end them. */
const FIRST_COPY = 5_000;
const NEXT_COPY = 1_000;
const GRACE = 700;
const START = 10_000;
const IDLE = 60_000;
const TABLES = [
  { name: 'people', columns: ['id', 'login'] },
  { name: 'lists', columns: ['id', 'name', 'is_public'], where: '`is_public` = 1' },
];
/**
 * A query that cannot be interrupted for some time: DuckDB creates 2,048 texts of 10 MB before it checks for an interrupt, and ignores
 * their memory.
 */
const UNSTOPPABLE = `SELECT max(length(concat(t, r.range)))
  FROM (SELECT string_agg(repeat('x', 100), ',') AS g FROM range(100000)) t, range(100000) r`;
const ENDLESS =
  'SELECT count(*) FROM range(100000) a, range(100000) b, range(100000) c WHERE a.range + b.range + c.range = 3';
/** A worker that writes to a file this many times while it is copied. */
const changingWorker = (changes: number): Pick<WorkerProcess, 'ask'> => {
  let copies = 0;
  const ask = async (_kind: string, { from, to }: Requests['copy']) => {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    if (copies++ >= changes) return;
    const { mtimeMs } = statSync(from);
    utimesSync(from, mtimeMs / 1000 + 1, mtimeMs / 1000 + 1);
    writeFileSync(to, 'a damaged copy');
  };
  return { ask: ask as unknown as WorkerProcess['ask'] };
};
const GREEDY = 'SELECT count(DISTINCT a.range * 1000000 + b.range) FROM range(1000000) a, range(1000000) b';

describe('an isolated database', () => {
  let folder: string;
  let file: string;
  let database: EmbeddedDatabase;
  let isolated: Database;
  let notices: string[];
  let times: ManualTimes;

  const open = async (options: Partial<IsolatedOptions> = {}) => {
    folder = temporaryFolder();
    notices = [];
    times = createTimes(1_000);
    const onNotice = (notice: string) => void notices.push(notice);
    isolated = await database.openIsolated({ ...LIMITS, folder, tables: TABLES, onNotice, times, ...options });
  };
  const openDatabase = async () => {
    file = join(temporaryFolder(), 'test.db');
    database = await openTestDatabase({ file });
    await database.write(async (connection) => {
      await connection.run('CREATE TABLE people (id BIGINT PRIMARY KEY, login VARCHAR, email VARCHAR)');
      await connection.run('CREATE INDEX by_login ON people (login)');
      await connection.run("INSERT INTO people VALUES (1, 'ada', 'ada@example.org'), (2, 'bob', 'bob@example.org')");
      await connection.run('CREATE TABLE lists (id BIGINT PRIMARY KEY, name VARCHAR, is_public TINYINT)');
      await connection.run("INSERT INTO lists VALUES (1, 'open', 1), (2, 'closed', 0)");
      await connection.run("CREATE TABLE secrets AS SELECT 'hidden' AS secret");
    });
  };
  const ask = (sql: string, options: Partial<QueryOptions> = {}) =>
    isolated.query({ sql }, [], { maxRows: 10, timeoutMs: 600_000, ...options });
  const rowsOf = async (sql: string) => (await ask(sql)).rows;
  const ownFolder = () => join(folder, readdirSync(folder)[0] ?? '');
  const addPerson = () =>
    database.write((connection) => connection.run("INSERT INTO people SELECT max(id) + 1, 'eve', '' FROM people"));
  /** Keeps a transaction open, so that no copy can be made until the returned function is called. */
  const blockCopies = () => {
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const writing = database.write(() => isReleased);
    return async () => {
      release();
      await writing;
    };
  };

  describe('of a file that does not change', () => {
    before(async () => {
      await openDatabase();
      await open();
    });
    after(() => database.close());

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

    it('runs its queries with a low priority', async () => {
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

    it('stops a query when its caller disconnects', async () => {
      const leaving = new AbortController();
      const cancelled = codeOf(ask(ENDLESS, { signal: leaving.signal }));
      leaving.abort();
      expect(await cancelled).to.equal('query_cancelled');
      expect(await rowsOf('SELECT 1 AS one')).to.deep.equal([[1]]);
      await eventually(() => isolated.pool?.busy === 0 && !times.isRunning(GRACE));
    });

    it('stops a query at its time limit, and answers the next one with the same process', async () => {
      const [before] = await workerProcesses();
      expect(await codeOf(ask(ENDLESS, { timeoutMs: 200 }))).to.equal('query_timeout');
      await eventually(() => isolated.pool?.busy === 0);
      expect(await rowsOf('SELECT 1 AS one')).to.deep.equal([[1]]);
      expect((await workerProcesses()).map(({ pid }) => pid)).to.include(before?.pid);
    });

    it('kills a process that does not stop within one second after the time limit', async () => {
      await rowsOf('SELECT 1 AS one');
      // The process of an earlier test can still be ending.
      await eventually(async () => (await workerProcesses()).length === 1);
      const [{ pid } = { pid: 0 }] = await workerProcesses();
      process.kill(pid, 'SIGSTOP');
      const leaving = new AbortController();
      const cancelled = codeOf(ask('SELECT 1 AS one', { signal: leaving.signal }));
      await eventually(() => !times.isRunning(IDLE));
      leaving.abort();
      expect(await cancelled).to.equal('query_cancelled');
      expect(isolated.pool?.busy).to.equal(1);
      await times.end(GRACE);
      await eventually(() => isolated.pool?.busy === 0);
      await eventually(() => !existsSync(`/proc/${pid}`));
      expect(await rowsOf('SELECT 1 AS one')).to.deep.equal([[1]]);
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
      await rowsOf('SELECT 1 AS one');
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

    it('ends a process that is idle for one minute, and starts another one for the next query', async () => {
      await rowsOf('SELECT 1 AS one');
      await times.end(IDLE);
      await eventually(async () => (await workerProcesses()).length === 0);
      expect(await rowsOf('SELECT 1 AS one')).to.deep.equal([[1]]);
    });

    it('rejects large results and queries above the limit of waiting ones', async () => {
      expect(await codeOf(ask("SELECT repeat('a', 2000) AS a"))).to.equal('query_failed');
      const leaving = new AbortController();
      const { signal } = leaving;
      const running = [ENDLESS, 'SELECT 1'].map((sql) => codeOf(ask(sql, { signal })));
      expect(await codeOf(ask('SELECT 1'))).to.equal('overloaded');
      leaving.abort();
      expect(await Promise.all(running)).to.deep.equal(['query_cancelled', 'query_cancelled']);
      await eventually(() => isolated.pool?.busy === 0);
    });

    it('creates another copy if the file of the last one was removed', async () => {
      rmSync(ownFolder(), { recursive: true });
      expect(await rowsOf('SELECT count(*) FROM people')).to.deep.equal([[2]]);
    });

    it('creates no copy that would fill the disk', async () => {
      await open({ minFreeBytes: Number.MAX_SAFE_INTEGER });
      const error = await errorOf(ask('SELECT 1'));
      expect((error as { code?: unknown }).code).to.equal('database_unavailable');
      expect((error.cause as Error).message).to.match(/needs \d+ MB of free disk space/);
    });

    it('rejects a query whose process does not start in time, and a copy that takes too long', async () => {
      await open();
      times.endAtOnce(START);
      const error = await errorOf(ask('SELECT 1'));
      expect(error.message).to.equal('The process for this query could not start.');
      await open();
      times.endAtOnce(30_000 + Math.ceil(statSync(file).size / 20_000));
      const failed = await errorOf(ask('SELECT 1'));
      expect(failed.message).to.equal('The copy of the database that this query needs could not be created.');
    });

    it('fails while no copy can be created, and answers when one can', async () => {
      await open();
      const own = ownFolder();
      rmSync(own, { recursive: true });
      writeFileSync(own, 'not a folder');
      const error = await errorOf(ask('SELECT 1'));
      expect([(error as { code?: unknown }).code, error.message]).to.deep.equal([
        'database_unavailable',
        'The copy of the database that this query needs could not be created.',
      ]);
      expect((error.cause as Error).message).to.match(/EEXIST|ENOTDIR/);
      rmSync(own);
      times.advance(1_000);
      expect(await codeOf(ask('SELECT 1'))).to.equal('no error');
    });
  });

  describe('of a file that changes', () => {
    before(async () => {
      await openDatabase();
      await open();
    });
    after(() => database.close());

    /** Adds a person, and waits for a copy with all commits. Returns the number of its people. */
    const copyChange = async () => {
      await addPerson();
      await eventually(async () => {
        times.advance(60_000);
        return (await ask('SELECT 1')).copiedAt === undefined;
      });
      return Number((await rowsOf('SELECT count(*) FROM people'))[0]?.[0]);
    };

    it('returns overloaded if the first copy takes longer than five seconds', async () => {
      await open();
      const unblock = blockCopies();
      const code = codeOf(ask('SELECT 1'));
      await times.end(FIRST_COPY);
      expect(await code).to.equal('overloaded');
      await unblock();
      expect(await codeOf(ask('SELECT 1'))).to.equal('no error');
    });

    it('answers from the last copy until it may create a new one, and if the new one takes longer than one second', async () => {
      const people = await copyChange();
      expect((await ask('SELECT count(*) FROM people')).copiedAt).to.equal(undefined);
      await addPerson();
      // Making copies may take at most a twentieth of the time, so this answer is from the older copy.
      const older = await ask('SELECT count(*) FROM people');
      expect([older.rows, older.copiedAt instanceof Date]).to.deep.equal([[[people]], true]);
      times.advance(60_000);
      const unblock = blockCopies();
      const waiting = ask('SELECT count(*) FROM people');
      await times.end(NEXT_COPY);
      expect(await waiting).to.deep.include({ rows: [[people]], copiedAt: older.copiedAt });
      await unblock();
      await eventually(async () => (await ask('SELECT 1')).copiedAt === undefined);
      expect(await rowsOf('SELECT count(*) FROM people')).to.deep.equal([[people + 1]]);
      expect(readdirSync(join(ownFolder(), 'files'))).to.have.length(1);
    });

    it('copies every commit during reads and changes', async () => {
      const people = await copyChange();
      const streaming = database.query({ sql: 'SELECT * FROM range(300000)' }, [], {
        maxRows: 300_000,
        timeoutMs: 600_000,
      });
      let isDone = false;
      const changes = (async () => {
        for (let id = 10; !isDone && id < 60; id += 1) {
          await database.change((connection) => connection.run('INSERT INTO secrets VALUES ($1)', [`${id}`]));
        }
      })();
      await addPerson();
      times.advance(60_000);
      expect(await rowsOf('SELECT count(*) FROM people')).to.deep.equal([[people + 1]]);
      isDone = true;
      await Promise.all([streaming, changes]);
    });

    it('answers from the last copy if no newer one can be created, and notifies the operator', async () => {
      const people = await copyChange();
      notices.length = 0;
      await database.write((connection) => connection.run('CREATE VIEW blocked AS SELECT email FROM people'));
      await addPerson();
      times.advance(60_000);
      expect((await ask('SELECT count(*) FROM people')).copiedAt).to.be.an.instanceOf(Date);
      expect(await rowsOf('SELECT count(*) FROM people')).to.deep.equal([[people]]);
      expect(notices[0]).to.match(/^The copy of the database that this query needs could not be created\. /);
      await database.write((connection) => connection.run('DROP VIEW blocked'));
    });

    it('leaves no processes and no files when it closes during a query', async () => {
      await ask('SELECT 1');
      const running = codeOf(ask(ENDLESS));
      await database.close();
      expect(await running).to.equal('database_unavailable');
      expect(readdirSync(folder)).to.deep.equal([]);
      await eventually(async () => (await workerProcesses()).length === 0);
    });
  });

  it('is a copy of a file that did not change meanwhile', async () => {
    const [from, to] = ['from', 'to'].map((name) => join(temporaryFolder(), name)) as [string, string];
    writeFileSync(from, 'the content');
    await copyUnchanged(changingWorker(2), from, to);
    expect(readFileSync(to, 'utf8')).to.equal('the content');
    rmSync(to);
    expect(await messageOf(copyUnchanged(changingWorker(3), from, to))).to.equal(
      `${from} changed during each of 3 attempts to copy it.`,
    );
    expect(existsSync(to)).to.equal(false);
  });
});
