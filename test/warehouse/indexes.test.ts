import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { fillWithDemo } from '../../demo/fill-with-demo.js';
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

describe('the repositories of a DuckDB file', () => {
  it('have no index after a migration, and are sorted by their ids after the next import', async () => {
    const folder = await temporaryFolder();
    const database = await openTestFile(folder);
    try {
      const store = new EmbeddedStore(database);
      await migrate(store);
      await store.write(async ({ staging }) => {
        await staging.run(`
          INSERT INTO github_repos (repo_id, repo_name, repo_name_lower, is_deleted)
          SELECT 200000 - i, 'Owner/name-' || i, 'owner/name-' || i, (i = 7)::TINYINT FROM range(200000) numbers(i)`);
        await staging.run('CREATE INDEX github_repos_by_id ON github_repos (repo_id)');
        await staging.run('CREATE INDEX github_repos_by_name_lower ON github_repos (repo_name_lower)');
        await staging.run('DELETE FROM schema_versions WHERE version = 34');
      });
      expect(await migrate(store)).to.deep.equal(['0034-sorted-repositories']);
      await store.optimize();
      const rows = (sql: string) =>
        database.maintain(async (connection) => (await connection.runAndReadAll(sql)).getRowsJson());
      expect(await rows("SELECT index_name FROM duckdb_indexes() WHERE table_name = 'github_repos'")).to.deep.equal([]);
      expect(
        await rows(
          'SELECT COUNT(*) FROM (SELECT repo_id < LAG(repo_id) OVER (ORDER BY rowid) AS wrong FROM github_repos) WHERE wrong',
        ),
      ).to.deep.equal([['0']]);
      expect(
        await rows(
          "SELECT tier, name, repo_id FROM mv_repo_names WHERE name IN ('owner/name-7', 'owner/name-8') ORDER BY name",
        ),
      ).to.deep.equal([[-1, 'owner/name-7', '199993']]);
    } finally {
      await database.close();
      await rm(folder, { recursive: true });
    }
  });
});

async function planOf(database: Database, select: string): Promise<string> {
  const { rows } = await database.explain(database.prepare(select), [], { maxRows: 100, timeoutMs: 5_000 });
  return JSON.stringify(rows);
}
