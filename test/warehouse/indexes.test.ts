import { join } from 'node:path';
import { expect } from 'chai';
import { fillWithDemo } from '../../demo/fill-with-demo.js';
import type { Database } from '../../engine/interface/database.js';
import { useMysql } from '../services/mysql.js';
import { serverWarehouse, type TestWarehouse } from './test-warehouse.js';

const NOW = new Date('2026-06-30T12:00:00Z');

/** Filters and joins that need an index, because definitions of users may use them. Each has the expected index. */
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
  before(async function () {
    this.timeout(120_000);
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

async function planOf(database: Database, select: string): Promise<string> {
  const { rows } = await database.explain(database.prepare(select), [], { maxRows: 100, timeoutMs: 5_000 });
  return JSON.stringify(rows);
}
