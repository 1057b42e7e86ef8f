import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openMysql } from '../../../engine/databases/mysql/database.js';
import type { Database } from '../../../engine/index.js';
import { MysqlStore } from '../../../warehouse/store/mysql-store.js';
import type { PolledVersions } from '../../../warehouse/versions/polled-versions.js';
import { eventually } from '../../services/eventually.js';
import { execute } from '../../services/execute.js';
import { useMysql } from '../../services/mysql.js';
import { startTcpProxy } from '../../services/tcp-proxy.js';
import { limits } from '../test-store.js';
import { serverWarehouse, type TestWarehouse } from '../test-warehouse.js';
import { openPolled } from './open-versions.js';

const POLL_MS = 50;
/** A time that is longer than any test. */
const NEVER_MS = 3_600_000;

describe('the versions of tables on a server', () => {
  const server = useMysql();
  let warehouse: TestWarehouse;
  let database: Database;
  /** The number of reads so far. */
  let reads = 0;
  const opened: PolledVersions[] = [];

  before(async () => {
    warehouse = await serverWarehouse(server.url);
    database = await openMysql({ url: warehouse.url ?? '', allowWritingAccount: true, connections: 2 });
  });
  after(async () => {
    await database.close();
    await warehouse.close();
  });
  beforeEach(() => {
    reads = 0;
  });
  afterEach(() => {
    for (const versions of opened.splice(0)) versions.close();
  });

  const open = (pollMs: number, of = database, onNotice?: (message: string) => void) => {
    const versions = openPolled(
      countReads(of, () => reads++),
      { pollMs, onNotice },
    );
    opened.push(versions);
    return versions;
  };

  it('are read once for all concurrent requests, and again for requests during this read', async () => {
    const versions = open(NEVER_MS);
    expect(versions.recent()).to.equal(undefined);
    expect(versions.known).to.equal(undefined);
    const first = versions.confirm();
    const others = Array.from({ length: 100 }, () => versions.confirm());
    const [state, ...rest] = await Promise.all([first, ...others]);
    expect(reads).to.equal(2);
    expect(new Set(rest).size).to.equal(1);
    expect(rest[0]?.tables).to.equal(state?.tables);
    expect(versions.recent()).to.equal(rest[0]);
    expect(versions.known).to.equal(rest[0]);
    expect(reads).to.equal(2);
  });

  it('are read again at the poll interval while requests come, and not in idle times', async () => {
    const idle = openPolled(
      countReads(database, () => idleReads++),
      { pollMs: POLL_MS },
    );
    let idleReads = 0;
    opened.push(idle);
    await idle.confirm();
    const versions = open(POLL_MS);
    await versions.confirm();
    const first = versions.known?.confirmedAt ?? 0;
    await eventually(() => versions.recent() !== undefined && reads >= 20);
    expect(versions.known?.confirmedAt).to.be.above(first);
    // One request causes one read, and polling for at most two more intervals.
    expect(idleReads).to.be.within(1, 4);
  });

  it('of a commit of another process reach the listeners while requests come', async () => {
    const versions = open(POLL_MS);
    await versions.confirm();
    let changed: ReadonlySet<string> | undefined;
    versions.onChange((tables) => {
      changed = tables;
    });
    const program = fileURLToPath(new URL('./transaction-child.js', import.meta.url));
    const child = spawn(process.execPath, [program, warehouse.folder, warehouse.url ?? '', 'commit']);
    child.stderr.pipe(process.stderr);
    try {
      child.stdin.write('commit\n');
      await eventually(() => {
        versions.recent();
        return changed !== undefined;
      });
      expect([...(changed ?? [])]).to.deep.equal(['collections']);
      expect(await warehouse.rows('SELECT COUNT(*) FROM collections')).to.deep.equal([['1']]);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  it('of a commit of the same process are read without a poll', async () => {
    const versions = open(NEVER_MS);
    const options = { ...limits(warehouse.folder), url: warehouse.url ?? '' };
    const store = new MysqlStore({ ...options, onCommit: () => versions.expectChange() });
    try {
      await versions.confirm();
      const changed = new Promise<ReadonlySet<string>>((resolve) => versions.onChange(resolve));
      await store.write((tables) => tables.insertRows('osdb_repos', [[1, 'a/b', 'SQL']]));
      expect([...(await changed)]).to.deep.equal(['osdb_repos']);
    } finally {
      await store.close();
    }
  });

  it('are not recent, but known, while the server does not answer, and recent again afterwards', async () => {
    const proxy = await startTcpProxy(Number(new URL(server.url).port));
    const through = Object.assign(new URL(warehouse.url ?? ''), { port: String(proxy.port) });
    const distant = await openMysql({ url: through.href, allowWritingAccount: true, connections: 1 });
    const versions = open(POLL_MS, distant);
    try {
      const { tables } = await versions.confirm();
      proxy.stall();
      await eventually(() => versions.recent() === undefined);
      expect(versions.known?.tables).to.equal(tables);
      const error = await versions.confirm().catch((reason: unknown) => reason);
      expect(error).to.include({ name: 'EngineError', code: 'database_unavailable' });
      proxy.resume();
      await eventually(async () => (await versions.confirm().catch(() => undefined)) !== undefined);
      expect(versions.recent()?.tables).to.equal(tables);
    } finally {
      versions.close();
      await distant.close();
      await proxy.close();
    }
  });

  it('that do not exist are reported to the operator once', async () => {
    const notices: string[] = [];
    const versions = open(POLL_MS, database, (notice) => notices.push(notice));
    await execute(warehouse.url ?? '', 'RENAME TABLE data_versions TO renamed');
    try {
      for (const _ of [1, 2]) {
        const error = await versions.confirm().catch((reason: unknown) => reason);
        expect(error).to.include({ code: 'database_unavailable' });
      }
      expect(versions.known).to.equal(undefined);
      expect(versions.recent()).to.equal(undefined);
      expect(notices).to.have.length(1);
      expect(notices[0]).to.match(
        /^The versions of the tables cannot be read, so answers cannot be stored: .*data_versions/,
      );
    } finally {
      await execute(warehouse.url ?? '', 'RENAME TABLE renamed TO data_versions');
    }
    expect((await versions.confirm()).tables.size).to.be.above(10);
  });
});

/** Returns the same database, but counts its queries. */
function countReads(database: Database, count: () => void): Database {
  const query: Database['query'] = (...parameters) => {
    count();
    return database.query(...parameters);
  };
  return Object.assign(Object.create(database), { query, prepare: (sql: string) => database.prepare(sql) }) as Database;
}
