import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { openWarehouse } from '../../server/databases/open-database.js';
import { importFolders, requireStore, type Warehouse } from '../../server/databases/warehouse.js';
import { type Service, startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';
import type { SettingValues } from '../../server/settings/settings.js';
import { dropOwnTable, loadOwnTable } from '../../warehouse/own-tables/load-own-table.js';
import { onBothDatabases } from '../services/mysql.js';
import { copyDemo, NOW } from './demo-data.js';

const DEFINITION = `name: labelled
path: /v1/labelled/
summary: Collections with a label of an own table
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
  - { col: name, data_type: VARCHAR, nullable: false, description: Label }
sql: |
  SELECT c.id AS id, l.label AS name FROM collections c JOIN own_labels l ON l.collection_id = c.id ORDER BY c.id
`;

interface Answer {
  readonly labels: readonly string[] | number;
  readonly cache: string | null;
  readonly version: string | null;
}

onBothDatabases('a definition that joins an own table', (database) => {
  let folder: string;
  let settings: SettingValues;
  let warehouse: Warehouse;
  let service: Service;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-own-'));
    await mkdir(join(folder, 'endpoints'));
    await writeFile(join(folder, 'endpoints', 'labelled.yaml'), DEFINITION);
    settings = readSettings({
      DATA_DIR: join(folder, 'data'),
      ENDPOINTS_DIR: join(folder, 'endpoints'),
      PORT: '0',
      NOW,
      ...database(),
    });
    await copyDemo(settings, { events: 500 });
    warehouse = await openWarehouse(settings, { migrating: true });
    await load(['first,1', 'second,2']);
    service = await startService(settings, warehouse, pino({ level: 'silent' }));
  });
  after(async () => {
    await service?.close();
    await warehouse?.close();
    await rm(folder, { recursive: true });
  });

  const load = async (lines: readonly string[], type = 'INT') => {
    const file = join(folder, 'labels.csv');
    await writeFile(file, `label,collection_id\n${lines.join('\n')}\n`);
    const columns = `  label: { type: TEXT, description: Label. }\n  collection_id: { type: ${type}, description: Id. }\n`;
    await writeFile(join(folder, 'labels.table.yaml'), `description: Labels.\ncolumns:\n${columns}`);
    await loadOwnTable(requireStore(warehouse), {
      file,
      replace: true,
      stagingDirectory: importFolders(settings).stagingDirectory,
      now: new Date(NOW),
      signal: new AbortController().signal,
      onStep: () => undefined,
    });
  };
  /** Sends a request with `no-cache`: without it, the service only sees changes of another process after `VERSION_POLL_MS`. */
  const ask = async (): Promise<Answer> => {
    const response = await fetch(`${service.url}/v1/labelled/`, { headers: { 'Cache-Control': 'no-cache' } });
    const { status, headers } = response;
    const { data } = (await response.json()) as { data?: { rows: readonly { name: string }[] } };
    return {
      labels: status === 200 && data !== undefined ? data.rows.map(({ name }) => name) : status,
      cache: headers.get('cache-status')?.replace('repo-insight; ', '') ?? null,
      version: headers.get('x-data-version'),
    };
  };

  it('answers with the rows and the version of the table', async () => {
    const [one, two] = [await ask(), await ask()];
    const labels = ['first', 'second'];
    expect(one.version).to.match(/^\d+/);
    expect(two).to.deep.equal({ labels, cache: 'hit; detail=memory', version: one.version });
  });

  it('never answers with stored rows after the table was replaced or dropped', async () => {
    for (const label of ['x', 'y', 'z']) {
      await load([`${label},1`]);
      const { labels } = await ask();
      expect(labels).to.deep.equal([label]);
      expect((await ask()).cache).to.equal('hit; detail=memory');
    }
    await load(['other,2'], 'BIGINT');
    expect((await ask()).labels).to.deep.equal(['other']);
    await dropOwnTable(requireStore(warehouse), 'own_labels');
    expect((await ask()).labels).to.equal(500);
    await load(['again,2']);
    expect((await ask()).labels).to.deep.equal(['again']);
  });

  it('reads a table that untrusted SQL cannot read', async () => {
    await load(['secret,1']);
    for (const table of ['own_labels', 'sys_own_tables']) {
      const response = await fetch(`${service.url}/q/playground/`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ sql: `SELECT * FROM ${table}` }),
      });
      const { code, detail } = (await response.json()) as { code: string; detail: string };
      const message = `line 1, column 15: there is no public table ${table}`;
      expect([response.status, code, detail]).to.deep.equal([422, 'sql_refused', message]);
    }
  });

  it('reads a table that the copies for untrusted SQL do not contain', async function () {
    // There are no copies on a database server, where the account of the playground has no access to the table (docs/playground.md).
    if (database().DATABASE_URL !== undefined) this.skip();
    const playground = await warehouse.openPlayground();
    const read = (sql: string) =>
      playground.query(playground.prepare(sql), [], { maxRows: 10, timeoutMs: 10_000 }).then(
        ({ rows }) => rows.length,
        (error: Error) => String(error.cause ?? error.message),
      );
    expect(await read('SELECT id FROM collections')).to.be.a('number');
    for (const table of ['own_labels', 'sys_own_tables']) {
      expect(await read(`SELECT * FROM ${table}`)).to.match(new RegExp(`${table} does not exist`));
    }
  });
});
