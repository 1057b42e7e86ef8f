import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openWarehouse } from '../../../server/databases/open-database.js';
import { requireStore, type Warehouse } from '../../../server/databases/warehouse.js';
import { readSettings } from '../../../server/settings/read-settings.js';
import { execute } from '../../services/execute.js';
import { onBothDatabases, useMysql } from '../../services/mysql.js';
import { SERVER } from '../../services/server.js';

onBothDatabases('an open warehouse', (database) => {
  let folder: string;
  let warehouse: Warehouse;

  const settings = () => readSettings({ DATA_DIR: folder, VERSION_POLL_MS: '60000', ...database() });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-versions-'));
    warehouse = await openWarehouse(settings(), { migrating: true });
  });
  after(async () => {
    await warehouse.close();
    await rm(folder, { recursive: true });
  });

  it('knows the version of every table that it does not share with other writers', async () => {
    const { tables } = await warehouse.versions.confirm();
    expect([...tables.keys()]).to.include.members(['github_events', 'mv_repo_names', 'calendar_days', 'collections']);
    expect([...tables.keys()].filter((name) => /^(sys_|explorer_|data_versions|table_order)/.test(name))).to.eql([]);
  });

  it('reports the tables that its store has changed', async () => {
    await warehouse.versions.confirm();
    const changed = new Promise<ReadonlySet<string>>((resolve) => warehouse.versions.onChange(resolve));
    await requireStore(warehouse).write((tables) => tables.insertRows('collections', [[1, 'One', 1]]));
    expect([...(await changed)]).to.eql(['collections']);
  });

  it('keeps all versions when it is opened again', async () => {
    const before = (await warehouse.versions.confirm()).tables;
    await warehouse.close();
    warehouse = await openWarehouse(settings(), { migrating: true });
    expect((await warehouse.versions.confirm()).tables).to.eql(before);
  });
});

describe(`the account for reading on ${SERVER}`, () => {
  const server = useMysql();

  it('must have access to the versions of the tables', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-versions-'));
    const user = `reader_${server.name}`;
    const open = (environment: Record<string, string>, migrating: boolean) =>
      openWarehouse(readSettings({ DATA_DIR: folder, ...environment }), { migrating });
    try {
      await (await open(server.environment, true)).close();
      const tables = (await execute(server.url, 'SHOW TABLES')).flatMap((row) => Object.values(row).map(String));
      const grants = tables.map((table) => `GRANT SELECT ON ${server.name}.${table} TO ${user}`);
      await execute(server.url, `CREATE USER ${user} IDENTIFIED BY 'x'`, ...grants);
      const url = Object.assign(new URL(server.url), { username: user, password: 'x' }).href;
      const reader = await open({ DATABASE_URL: url }, false);
      expect((await reader.versions.confirm()).tables.size).to.be.above(10);
      await reader.close();
      await execute(server.url, `REVOKE SELECT ON ${server.name}.data_versions FROM ${user}`);
      const error = await open({ DATABASE_URL: url }, false).catch((reason: unknown) => reason);
      expect(String(error)).to.include('data_versions.table_name is missing');
    } finally {
      await execute(server.url, `DROP USER IF EXISTS ${user}`);
      await rm(folder, { recursive: true });
    }
  });
});
