import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings.js';
import { openWarehouse, storeOf } from '../../server/warehouse.js';
import { execute, useMysql, withDatabase } from '../services/mysql.js';
import { type DemoService, NOW, startDemoService } from './demo-service.js';

const PASSWORD = 'p@ss/w:rd';

describe("a service over a server's database", () => {
  const server = useMysql();
  let embedded: DemoService;
  let served: DemoService;

  before(async () => {
    embedded = await startDemoService({}, 3_000);
    served = await startDemoService({ DATABASE_URL: server.url, DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' }, 3_000);
    await execute(
      server.url,
      `CREATE OR REPLACE USER reader IDENTIFIED BY '${PASSWORD}'`,
      `GRANT SELECT ON ${server.name}.* TO reader`,
    );
  });
  after(async () => {
    await Promise.all([embedded.close(), served.close()]);
    await execute(withDatabase(server.url, ''), 'DROP USER reader');
  });

  const readerUrl = (database: string) => {
    const url = new URL(server.url);
    url.username = 'reader';
    url.password = encodeURIComponent(PASSWORD);
    url.pathname = `/${database}`;
    return url.href;
  };
  const rowsOf = async (service: DemoService, path: string) => {
    const response = await service.get(path);
    const { data } = (await response.json()) as { data: { columns: unknown; rows: unknown } };
    return { status: response.status, columns: data.columns, rows: data.rows };
  };

  it('answers as one over the embedded database does', async () => {
    const paths = [
      '/v1/trends/repos/?period=past_month',
      '/v1/collections/',
      `/v1/repos/${embedded.repository}/stargazers/history/?per=week`,
      `/v1/repos/${embedded.repository}/issue_creators/`,
    ];
    for (const path of paths) expect(await rowsOf(served, path)).to.deep.equal(await rowsOf(embedded, path));
  });

  it('serves with an account that only reads, where somebody else keeps the tables', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    const settings = readSettings({ DATA_DIR: folder, PORT: '0', NOW, DATABASE_URL: readerUrl(server.name) });
    const warehouse = await openWarehouse(settings, { migrating: true });
    try {
      const service = await startService(settings, warehouse, pino({ level: 'silent' }));
      const response = await fetch(`${service.url}/v1/collections/1/repos/`);
      expect(response.status).to.equal(200);
      await service.close();
      expect(() => storeOf(warehouse)).to.throw('Set DATABASE_WRITE_URL');
    } finally {
      await warehouse.close();
      await rm(folder, { recursive: true });
    }
  });

  it('stores visits by the account that may write, and reads by the one that may not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    const urls = { DATABASE_URL: readerUrl(server.name), DATABASE_WRITE_URL: server.url };
    const settings = readSettings({ DATA_DIR: folder, PORT: '0', NOW, ...urls });
    const warehouse = await openWarehouse(settings, { migrating: true });
    try {
      for (const visits of [1, 2]) {
        const service = await startService(settings, warehouse, pino({ level: 'silent' }));
        await fetch(`${service.url}/v1/collections/1/repos/`);
        await service.close();
        expect(await execute(server.url, 'SELECT collection_id, visits FROM collection_visits')).to.deep.equal([
          { collection_id: 1, visits },
        ]);
      }
    } finally {
      await warehouse.close();
      await rm(folder, { recursive: true });
    }
  });

  it('does not start where it would write to another database than it reads', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    const urls = { DATABASE_URL: readerUrl('insight'), DATABASE_WRITE_URL: readerUrl('insigt') };
    const settings = readSettings({ DATA_DIR: folder, ...urls });
    const error = await openWarehouse(settings, { migrating: true }).catch((reason: Error) => reason);
    expect((error as Error).message).to.match(/^DATABASE_WRITE_URL must name .*: expected insight, got insigt\./);
    await rm(folder, { recursive: true });
  });

  it('does not start without the tables that it needs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    const empty = `${server.name}_empty`;
    await execute(server.url, `CREATE DATABASE ${empty}`, `GRANT SELECT ON ${empty}.* TO reader`);
    try {
      const settings = readSettings({ DATA_DIR: folder, DATABASE_URL: readerUrl(empty) });
      const error = await openWarehouse(settings, { migrating: true }).catch((reason: Error) => reason);
      expect((error as Error).message).to.match(/^There are no tables of this program; .* Run `data migrate`/);
    } finally {
      await execute(server.url, `DROP DATABASE ${empty}`);
      await rm(folder, { recursive: true });
    }
  });
});
