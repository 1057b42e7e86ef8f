import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../engine/databases/duckdb/embedded.js';
import { parseMysqlUrl } from '../../engine/databases/mysql/connection/address.js';
import { connectionOptions } from '../../engine/databases/mysql/connection/connection-options.js';
import { openMysql } from '../../engine/databases/mysql/database.js';
import { WriteConnection } from '../../engine/databases/mysql/write-connection.js';
import { SYSTEM_TIMES } from '../../engine/databases/times.js';
import { createEngine, type Database } from '../../engine/index.js';
import { onEveryDriver } from '../databases/drivers.js';
import { openTestDatabase, temporaryFolder } from '../databases/duckdb/open-test-database.js';
import { codeOf, messageOf } from '../databases/failures.js';
import { createCertificate } from '../databases/mysql/certificate.js';
import { ENDLESS, HALFWAY, WAITING, type Watch, watch } from '../databases/mysql/statements.js';
import { endpointOf } from '../engine/fixtures.js';
import { eventually } from '../services/eventually.js';
import { startMariaDb } from '../services/mariadb.js';
import { execute, needServer, withDatabase } from '../services/mysql.js';
import { type DatabaseServer, IS_TIDB, startServer } from '../services/server.js';
import { startTcpProxy } from '../services/tcp-proxy.js';
import { workerProcesses } from '../services/worker-processes.js';
import { withBusyProcessors } from './busy-processors.js';
import { record, seedOf } from './report.js';

const SOON = { maxRows: 10, timeoutMs: 10_000 };
const LONG = { maxRows: 100_000_000, timeoutMs: 60_000 };
const RAW = { path: {}, query: {} };
/**
 * A query that cannot be interrupted: DuckDB only checks for an interrupt after this computation, which takes minutes but little memory.
 */
const UNSTOPPABLE = "SELECT levenshtein(repeat('a', 400000), repeat('b', 400000)) AS n";
const BUSY =
  'SELECT count(*) FROM range(100000) a, range(100000) b, range(100000) c WHERE a.range + b.range + c.range = 3';

describe('isolated databases on a busy machine', () => {
  let database: EmbeddedDatabase;
  let isolated: Database;
  before(async () => {
    database = await openTestDatabase({ file: join(temporaryFolder(), 'test.db') });
    await database.write((connection) => connection.run('CREATE TABLE people AS SELECT 1 AS id'));
    const bytes = 300 * 1024 * 1024;
    isolated = await database.openIsolated({
      connections: 2,
      maxWaiting: 1,
      maxWaitMs: 5_000,
      minFreeBytes: 0,
      folder: temporaryFolder(),
      tables: [{ name: 'people', columns: ['id'] }],
      // The stopwatch never advances, so that there is no pause between two copies.
      times: { ...SYSTEM_TIMES, stopwatch: () => 0 },
      limits: { maxResultBytes: 1024, memoryLimit: '64MB', maxResidentBytes: bytes, maxIdleBytes: bytes },
    });
    await eventually(async () => (await codeOf(isolated.query({ sql: 'SELECT 1' }, [], SOON))) === 'no error');
  });
  after(() => database.close());

  it('end every query soon after its time limit, also one that cannot be interrupted', async () => {
    for (const sql of [BUSY, UNSTOPPABLE]) {
      const started = performance.now();
      expect(await codeOf(isolated.query({ sql }, [], { maxRows: 1, timeoutMs: 200 }))).to.equal('query_timeout');
      await eventually(() => isolated.pool?.busy === 0);
      record('an isolated query', `ended ${Math.round(performance.now() - started - 200)} ms after its time limit`);
      expect(performance.now() - started).to.be.lessThan(10_000);
    }
    await eventually(async () => (await workerProcesses()).every(({ cpuShare }) => cpuShare < 0.5));
  });

  it('have every commit while changes follow each other without a pause', async () => {
    await database.write((connection) => connection.run("CREATE TABLE secrets AS SELECT 'hidden' AS secret"));
    let isDone = false;
    const changes = Array.from({ length: 3 }, async () => {
      while (!isDone) {
        await database.change((connection) => connection.run("UPDATE secrets SET secret = 'first'"));
      }
    });
    await database.write((connection) => connection.run('INSERT INTO people VALUES (2)'));
    const count = async () => (await isolated.query({ sql: 'SELECT count(*) FROM people' }, [], SOON)).rows[0]?.[0];
    await eventually(async () => (await count()) === 2).finally(() => {
      isDone = true;
    });
    await Promise.all(changes);
  });

  it('start a process while all processors are busy', async () => {
    const idle = await workerProcesses();
    for (const { pid } of idle) process.kill(pid, 'SIGKILL');
    await eventually(() => idle.every(({ pid }) => !existsSync(`/proc/${pid}`)));
    const query = () => isolated.query({ sql: 'SELECT 1 AS one' }, [], SOON);
    expect((await withBusyProcessors(query)).rows).to.deep.equal([[1]]);
  });
});

describe('an embedded database whose callers disconnect', () => {
  it('uses at most two seconds of processor time for 50 of them', async () => {
    const database = await openTestDatabase({ readers: 4 });
    try {
      const callers = Array.from({ length: 50 }, () => new AbortController());
      const codes = callers.map(({ signal }) => codeOf(database.query({ sql: BUSY }, [], { ...LONG, signal })));
      await eventually(() => database.pool?.busy === 4);
      const before = process.cpuUsage();
      for (const caller of callers) caller.abort();
      await Promise.all(codes);
      await eventually(() => database.pool?.busy === 0);
      const { user, system } = process.cpuUsage(before);
      record('callers that disconnect', `${Math.round((user + system) / 1000)} ms of processor time for 50`);
      expect(user + system).to.be.below(2_000_000);
    } finally {
      await database.close();
    }
  });
});

onEveryDriver('time limits near the end of a query of', (driver) => {
  it('never stop a later query', async () => {
    let seed = seedOf('time limits');
    const random = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % most;
    };
    const database = await driver.open({ connections: 1, maxWaiting: 1 });
    try {
      for (let round = 0; round < 300; round++) {
        const sql = `SELECT SUM(n) AS s FROM ${driver.numbers(1 + random(50_000), 'a')}`;
        await codeOf(database.query({ sql }, [], { maxRows: 1, timeoutMs: random(5) }));
        const { rows } = await database.query({ sql: 'SELECT 42 AS n' }, [], LONG);
        expect(rows).to.deep.equal([[42]]);
      }
    } finally {
      await database.close();
    }
  });
});

describe('a MySQL-protocol server under load', () => {
  needServer();
  let server: DatabaseServer;
  let outside: Watch;
  const url = () => withDatabase(server.url, 'soak');
  before(async () => {
    const folder = temporaryFolder();
    createCertificate(folder);
    const encryption = [`--ssl-cert=${folder}/cert.pem`, `--ssl-key=${folder}/key.pem`];
    server = IS_TIDB ? await startServer() : await startMariaDb(encryption);
    await execute(server.url, 'CREATE DATABASE soak');
    outside = await watch(server.url);
  });
  after(async () => {
    await outside?.close();
    await server?.remove();
  });

  it('ends the statements of 50 clients that disconnect at once within one second', async () => {
    const database = await openMysql({ url: url(), allowWritingAccount: true, connections: 50 });
    // Without a table: TiDB does not interrupt a SLEEP in a SELECT from a table.
    for (const query of IS_TIDB ? [WAITING] : [WAITING, HALFWAY]) {
      const clients = Array.from({ length: 50 }, () => new AbortController());
      const codes = clients.map(({ signal }) => codeOf(database.query(query, [], { ...LONG, signal })));
      await outside.until(50);
      for (const client of clients) client.abort();
      const started = performance.now();
      await Promise.all(codes);
      await outside.until(0);
      const ms = performance.now() - started;
      record('50 clients that disconnect', `their statements ended after ${Math.round(ms)} ms`);
      expect(ms).to.be.lessThan(1_000);
    }
    await database.close();
  });

  it('ends a statement at its own time limit when a KILL cannot reach it', async () => {
    const proxy = await startTcpProxy(server.port);
    const through = url().replace(`:${server.port}/`, `:${proxy.port}/`);
    const database = await openMysql({ url: through, allowWritingAccount: true, connections: 1, closeGraceMs: 100 });
    const running = codeOf(database.query(ENDLESS, [], { maxRows: 1, timeoutMs: 2_000 }));
    await outside.until(1);
    proxy.stall();
    expect(await running).to.equal('query_timeout');
    await outside.until(0);
    proxy.resume();
    await database.close();
    await proxy.close();
  });

  for (const ssl of IS_TIDB ? [''] : ['', '?ssl=unverified']) {
    it(`is distinguished from a stalled server by its network activity${ssl === '' ? '' : ', also with encryption'}`, async () => {
      const proxy = await startTcpProxy(server.port);
      const address = parseMysqlUrl(`${url().replace(`:${server.port}/`, `:${proxy.port}/`)}${ssl}`);
      const writer = await WriteConnection.open(await connectionOptions(address), { silenceMs: 1_500 });
      let rows = 0;
      const slow =
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT REPEAT('x', 20000), SLEEP(0.4) FROM n";
      await writer.forEachRow(slow, () => {
        rows++;
      });
      expect(rows).to.equal(5);
      proxy.stall();
      expect(await messageOf(writer.run('SELECT 1'))).to.contain('The database did not respond for 1.5 s');
      await proxy.close();
    });
  }

  it('answers an endpoint as fast as before while 500 clients wait for a slow one', async () => {
    await execute(
      url(),
      'CREATE TABLE ovens (id BIGINT PRIMARY KEY)',
      'INSERT INTO ovens VALUES (1)',
      'CREATE TABLE doughs (id BIGINT PRIMARY KEY, seconds INT NOT NULL)',
      'INSERT INTO doughs VALUES (1, 60)',
      'CREATE VIEW loaves AS SELECT id FROM doughs WHERE SLEEP(seconds) = 0',
    );
    const [loaves, ovens] = await Promise.all(['loaves', 'ovens'].map((table) => endpointOf(definitionOver(table))));
    if (loaves === undefined || ovens === undefined) throw new Error('no endpoints');
    const database = await openMysql({ url: url(), allowWritingAccount: true, connections: 8 });
    const stopwatch = () => performance.now();
    const engine = createEngine({ endpoints: [loaves, ovens], database, clock: () => new Date(0), stopwatch });
    const measureP99 = async () => {
      const times: number[] = [];
      for (let round = 0; round < 200; round++) {
        const started = performance.now();
        await engine.run(ovens, RAW);
        times.push(performance.now() - started);
      }
      return times.sort((a, b) => a - b)[197] ?? 0;
    };
    const quiet = await measureP99();
    const codes = Array.from({ length: 500 }, () => codeOf(engine.run(loaves, RAW)));
    const busy = Math.min(await measureP99(), await measureP99(), await measureP99());
    const answers = await Promise.all(codes);
    record(
      '500 clients of a slow endpoint',
      `p99 of another one ${busy.toFixed(1)} ms, without them ${quiet.toFixed(1)} ms`,
    );
    expect(busy).to.be.lessThan(Math.max(500, 3 * quiet));
    expect(answers.filter((code) => code === 'query_timeout')).to.have.length(6);
    expect(answers.filter((code) => code === 'overloaded')).to.have.length(494);
    await database.close();
  });
});

function definitionOver(table: string): string {
  return `name: ${table}
summary: A toy
limits: { timeout: 2s }
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
sql: SELECT t.id FROM ${table} t
`;
}
