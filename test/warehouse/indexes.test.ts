import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { fillWithDemo } from '../../demo/fill-with-demo.js';
import type { EmbeddedDatabase } from '../../engine/databases/duckdb/embedded.js';
import type { Database } from '../../engine/databases/interface/database.js';
import { migrate } from '../../warehouse/migrate.js';
import { EmbeddedStore } from '../../warehouse/store/embedded-store.js';
import { useMysql } from '../services/mysql.js';
import { openTestFile } from './test-store.js';
import { serverWarehouse, type TestWarehouse, temporaryFolder } from './test-warehouse.js';

const NOW = new Date('2026-06-30T12:00:00Z');

/** Filters and joins that definitions of users may contain, so they must use an index. Each statement has the expected index. */
const INDEXED: Readonly<Record<string, string>> = {
  "SELECT COUNT(*) FROM github_events WHERE repo_id = 7 AND type = 'PushEvent'": 'by_repo',
  'SELECT COUNT(*) FROM github_events WHERE actor_id = 7': 'by_actor',
  "SELECT COUNT(*) FROM github_events WHERE actor_login = 'mona' AND type = 'PushEvent'": 'by_actor_login',
  "SELECT stars FROM github_repos WHERE repo_name = 'mona/lisa'": 'by_repo_name',
  "SELECT stars FROM github_repos WHERE owner_login = 'mona'": 'by_owner_login',
  "SELECT country_code FROM github_users WHERE login = 'mona'": 'by_login',
  [`SELECT u.country_code, COUNT(*) FROM github_events e JOIN github_users u ON u.login = e.actor_login
    WHERE e.repo_id = 7 GROUP BY u.country_code`]: 'by_login',
};

const UNINDEXED = `
  SELECT b.repo_id, COUNT(*) FROM github_events a JOIN github_events b ON b.creator_user_login = a.creator_user_login
  WHERE a.repo_id = 7 GROUP BY b.repo_id`;

describe('filters and joins of definitions on a server', () => {
  const server = useMysql();
  let warehouse: TestWarehouse;
  before(async () => {
    warehouse = await serverWarehouse(server.url);
    const stagingDirectory = join(warehouse.folder, 'staging');
    await fillWithDemo(warehouse.store, {
      stagingDirectory,
      downloadDirectory: stagingDirectory,
      now: NOW,
      events: 6_000,
    });
  });
  after(() => warehouse.close());

  for (const [select, index] of Object.entries(INDEXED)) {
    it(`use ${index}: ${select.replace(/\s+/g, ' ')}`, async () => {
      expect(await planOf(warehouse.database, select)).to.match(new RegExp(`\\b${index}\\b`));
    });
  }

  it('use a hash table if there is no index', async () => {
    expect(await planOf(warehouse.database, UNINDEXED)).to.match(/BNLH join|HashJoin/);
  });
});

describe('joins with repositories on the embedded database', () => {
  let folder: string;
  let database: EmbeddedDatabase;
  before(async () => {
    folder = await temporaryFolder();
    database = await openTestFile(folder);
    const store = new EmbeddedStore(database);
    await migrate(store);
    await store.write(async ({ staging }) => {
      await staging.run(`
        INSERT INTO github_repos (repo_id, repo_name, repo_name_lower)
        SELECT i * 7, 'owner/name-' || i, 'owner/name-' || i FROM range(20000) numbers(i)`);
      await staging.run(`
        INSERT INTO mv_trending_repos (language, period, dt, repo_id, total_score)
        SELECT 'All', 'past_week', '2026-01-01', i * 1400, i FROM range(100) numbers(i)`);
    });
  });
  after(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  const rows = (sql: string) =>
    database.maintain(async (connection) => (await connection.runAndReadAll(sql)).getRowsJson());
  const names = (repositories: number) =>
    `SELECT r.repo_name FROM mv_trending_repos t JOIN github_repos r ON r.repo_id = t.repo_id
     WHERE t.total_score < ${repositories} ORDER BY t.repo_id`;

  for (const repositories of [15, 60, 100]) {
    it(`read the index for ${repositories} repositories`, async () => {
      expect(JSON.stringify(await rows(`EXPLAIN ANALYZE ${names(repositories)}`))).to.match(/Index Scan/);
      const expected = Array.from({ length: repositories }, (_, index) => [`owner/name-${index * 200}`]);
      expect(await rows(names(repositories))).to.deep.equal(expected);
    });
  }

  it('read the index also after a migration from a version without it', async () => {
    await database.write(async (connection) => {
      await connection.run('DROP INDEX github_repos_by_id');
      await connection.run('DELETE FROM schema_versions WHERE version = 17');
    });
    expect(JSON.stringify(await rows(`EXPLAIN ANALYZE ${names(15)}`))).not.to.match(/Index Scan/);
    expect(await migrate(new EmbeddedStore(database))).to.deep.equal(['0017-index-of-repositories']);
    expect(JSON.stringify(await rows(`EXPLAIN ANALYZE ${names(15)}`))).to.match(/Index Scan/);
  });
});

async function planOf(database: Database, select: string): Promise<string> {
  const { rows } = await database.explain(database.prepare(select), [], { maxRows: 100, timeoutMs: 5_000 });
  return JSON.stringify(rows);
}
