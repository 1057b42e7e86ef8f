import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { parseMysqlUrl } from '../../engine/databases/mysql/connection/address.js';
import { connectionOptions } from '../../engine/databases/mysql/connection/connection-options.js';
import { acquireLock, lockName } from '../../engine/databases/mysql/named-lock.js';
import { WriteConnection } from '../../engine/databases/mysql/write-connection.js';
import { execute, onBothDatabases, onServer } from '../services/mysql.js';
import { describeEmbedded } from '../services/server.js';
import { createRollupApi, type Order, type RollupApi, type RollupProcess, runNow } from './rollup-api.js';

const ORDERS: readonly Order[] = [
  { id: 1, shop: 'a', at: '2026-02-01 10:00:00', total: '1.00' },
  { id: 2, shop: 'b', at: '2026-02-02 11:00:00', total: '2.00' },
];
const ROWS = [
  { id: '1', shop: 'a' },
  { id: '2', shop: 'b' },
];
const COLUMNS = `
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Order. }
  - { col: shop, data_type: VARCHAR, nullable: false, description: Shop. }
`;
const definitionOf = (sql: string, settings = 'every: 1d, key: [id]') =>
  `${COLUMNS}sql: |\n  ${sql}\nmaterialize: { ${settings} }\n`;
const COPY = definitionOf('SELECT id, shop FROM orders');

const failuresOf = ({ log }: RollupProcess) =>
  log.filter(({ level }) => level === 50).map(({ endpoint, reason }) => [endpoint, reason]);
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    ({ code }: { readonly code?: string }) => code,
  );

onBothDatabases('materialized definitions that would answer with wrong rows', (database, isServer) => {
  let api: RollupApi;
  let process: RollupProcess;
  before(async () => {
    api = await createRollupApi(database());
    await api.writeOrders(ORDERS);
    await api.define('copy', COPY);
    await api.define('copy-of-copy', definitionOf('SELECT id, shop FROM copy'));
    // Names that SQL reserves.
    await api.define('order', COPY);
    await api.define('dual', COPY);
    process = await api.open();
    await process.work.start();
  });
  after(() => api.close());

  it('answer from tables whose names are words of SQL', async () => {
    for (const name of ['copy', 'order', 'dual']) expect(await process.rowsOf(name)).to.deep.equal(ROWS);
  });

  it('are computed again after a change of the definition whose table they read', async () => {
    await api.define('copy', definitionOf('SELECT id + 100 AS id, shop FROM orders'));
    await process.load();
    await runNow(process);
    expect(await process.rowsOf('copy-of-copy')).to.deep.equal([
      { id: '101', shop: 'a' },
      { id: '102', shop: 'b' },
    ]);
    const refreshes = process.work.counts.get('copy-of-copy');
    await runNow(process);
    expect(process.work.counts.get('copy-of-copy')).to.deep.equal({ ...refreshes });
  });

  it('are not computed from a table whose rows are those of an earlier version', async () => {
    const before = process.log.length;
    await api.define('copy', definitionOf('SELECT id, shop FROM orders UNION ALL SELECT id, shop FROM orders'));
    await process.load();
    process.now = new Date(process.now.getTime() + 86_400_000);
    await runNow(process);
    expect(process.log.slice(before).map(({ reason }) => reason ?? '')).to.include.members([
      'Two rows of copy have the same key (id).',
      'copy_of_copy reads copy, whose rows are not computed for its current definition.',
    ]);
    await api.define('copy', COPY);
    await process.load();
    process.now = new Date(process.now.getTime() + 60_000);
    await runNow(process);
    expect(await process.rowsOf('copy-of-copy')).to.deep.equal(ROWS);
  });

  it('are reported when no definition computes them', async () => {
    await rm(join(api.folder, 'endpoints/dual.yaml'));
    await process.load();
    for (const _ of [1, 2]) await runNow(process);
    expect(process.log.filter(({ level }) => level === 40).map(({ table, msg }) => [table, msg])).to.deep.equal([
      [
        'dual',
        'no valid definition computes this materialized table, so its rows stay as they are, also in answers of definitions that read it: remove it',
      ],
    ]);
  });

  it('have SQL that ends with a comment', async () => {
    await api.define('commented', definitionOf('SELECT id, shop FROM orders -- all of them'));
    await process.load();
    await runNow(process);
    expect(await process.rowsOf('commented')).to.deep.equal(ROWS);
  });

  it('have no data_as_of if its query returns no time', async () => {
    await api.define('timeless', `data_as_of: SELECT MAX(shop) FROM orders${COPY}`);
    await process.load();
    await runNow(process);
    expect(await process.rowsOf('timeless')).to.deep.equal(ROWS);
    expect((await process.warehouse.rollups?.states())?.get('timeless')?.dataAsOf).to.equal(null);
  });

  it('fail if the watermark is a text, whose order is not that of its dates', async () => {
    const before = process.log.length;
    await api.define(
      'text-days',
      `
columns:
  - { col: day, data_type: DATE, nullable: false, description: Day. }
sql: SELECT DISTINCT DATE_FORMAT(at, '%Y-%c-%e') AS day FROM orders WHERE at >= {{ watermark }}
materialize: { every: 1h, key: [day], watermark: day }
`,
    );
    await process.load();
    await runNow(process);
    const [, reason] = failuresOf(process).slice(-1)[0] ?? [];
    expect(process.log.length).to.be.above(before);
    expect(String(reason).replace(/type \S+,/, 'type T,')).to.equal(
      'The watermark day has the type T, expected a date, a time or a whole number: use CAST, such as CAST(… AS DATE).',
    );
    await api.define('text-days', COPY);
  });

  it('are not computed if the database has a table with their name', async () => {
    if (isServer) await execute(database().DATABASE_URL ?? '', 'CREATE TABLE other (id INT)');
    const [name, other] = isServer ? ['other', 'other'] : ['orders', 'orders'];
    await api.define(name, definitionOf("SELECT id + 7 AS id, 'x' AS shop FROM copy"));
    await process.load();
    await runNow(process);
    expect(failuresOf(process).find(([endpoint]) => endpoint === name)).to.deep.equal([
      name,
      `The database has another table ${other}: rename the definition, and so its table.`,
    ]);
    expect(await errorOf(process.rowsOf(name))).to.equal('endpoint_broken');
  });
});

describeEmbedded('the files of materialized tables', () => {
  const openIn = async (data: string) => {
    const api = await createRollupApi({});
    Object.assign(api.environment, { DATA_DIR: join(api.folder, data) });
    await api.writeOrders(ORDERS);
    await api.define('copy', COPY);
    const process = await api.open();
    await process.work.start();
    return { api, process, rollups: join(api.folder, data, 'rollups') };
  };

  it('are read without the names of their folders', async () => {
    const { api, process } = await openIn('shop=z');
    expect(await process.rowsOf('copy')).to.deep.equal(ROWS);
    await api.close();
  });

  it('are computed again if they are damaged or written by others', async () => {
    const { api, process, rollups } = await openIn('state');
    await process.close();
    await writeFile(join(rollups, 'copy.2.parquet'), 'damaged');
    await writeFile(join(rollups, 'others.1.parquet'), 'damaged');
    await copyFile(join(rollups, 'copy.1.parquet'), join(rollups, 'orders.1.parquet'));
    const again = await api.open();
    expect([...((await again.warehouse.rollups?.states()) ?? [])]).to.deep.equal([]);
    await again.work.start();
    expect(await again.rowsOf('copy')).to.deep.equal(ROWS);
    await api.close();
  });

  it('are computed again after a change of the types of their columns', async () => {
    const { api } = await openIn('state');
    const file = join(api.folder, 'values.duckdb');
    await api.define(
      'copy',
      `columns: [{ col: v, data_type: DECIMAL, nullable: true, description: V. }]\nsql: SELECT v FROM t_values\n`,
    );
    await rm(join(api.folder, 'tables'), { recursive: true });
    await mkdir(join(api.folder, 'tables'));
    await api.define('of-values', VALUES);
    Object.assign(api.environment, { DATABASE_URL: `duckdb:${file}` });
    const refreshWith = async (sql: string, hours: number) => {
      await rm(file, { force: true });
      await writeDuckdb(file, [['values', sql]]);
      const process = await api.open();
      process.now = new Date(process.now.getTime() + hours * 3_600_000);
      await process.work.start();
      expect(await process.rowsOf('of-values')).to.deep.equal(await process.rowsOf('of-values', { isComputed: true }));
      await process.close();
      return process.work.counts.get('of-values')?.last?.state;
    };
    await refreshWith('9007199254740993::BIGINT', 0);
    expect(await refreshWith('9007199254740994::BIGINT', 1)).to.include({ isFull: false });
    expect(await refreshWith('0.5::DOUBLE', 2)).to.include({ isFull: true });
    await api.close();
  });

  it('have no columns whose values would change', async () => {
    const { api } = await openIn('state');
    const types: readonly (readonly [name: string, sql: string, isStored: boolean])[] = [
      ['interval', "INTERVAL '3.000456 seconds'", false],
      ['time_tz', "TIMETZ '10:11:12+02'", false],
      ['huge_list', '[170141183460469231731687303715884105::HUGEINT]', false],
      ['union', 'union_value(k := 1)', false],
      ['huge', '170141183460469231731687303715884105::HUGEINT', true],
      ['bit', "'10101'::BIT", true],
      ['uuid', "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID", true],
      ['enum', "'b'::ENUM('b', 'INTERVAL')", true],
      ['nanoseconds', "TIMESTAMP_NS '2026-01-01 00:00:00.123456789'", true],
      ['zoned', "TIMESTAMPTZ '2026-01-01 00:00:00+02'", true],
      ['nested', "{'interval': [1, 2], 'm': MAP {'a': 1.5}}", true],
      ['zero', "'a' || chr(0) || 'b'", true],
      ['unknown', 'NULL', true],
    ];
    await writeDuckdb(join(api.folder, 'types.duckdb'), types);
    Object.assign(api.environment, { DATABASE_URL: `duckdb:${join(api.folder, 'types.duckdb')}` });
    await rm(join(api.folder, 'tables'), { recursive: true });
    await mkdir(join(api.folder, 'tables'));
    await api.define(
      'copy',
      'columns: [{ col: v, data_type: VARCHAR, nullable: true, description: V. }]\nsql: SELECT v FROM t_bit\n',
    );
    for (const [name] of types) {
      await api.define(
        `of-${name.replaceAll('_', '-')}`,
        `columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Key. }
  - { col: v, data_type: VARCHAR, nullable: true, description: Value. }
sql: SELECT id, v FROM t_${name}
materialize: { every: 1h, key: [id] }
`,
      );
    }
    const process = await api.open();
    await process.work.start();
    const stored: (readonly [string, boolean])[] = [];
    for (const [name] of types) {
      const endpoint = `of-${name.replaceAll('_', '-')}`;
      const isStored = (process.work.counts.get(endpoint)?.succeeded ?? 0) > 0;
      stored.push([name, isStored]);
      if (isStored)
        expect(await process.rowsOf(endpoint)).to.deep.equal(await process.rowsOf(endpoint, { isComputed: true }));
    }
    expect(stored).to.deep.equal(types.map(([name, , isStored]) => [name, isStored]));
    expect(failuresOf(process)[0]).to.deep.equal([
      'of-huge-list',
      'The column v has the type HUGEINT[], whose values a file changes: use CAST(… AS CHAR).',
    ]);
    await api.close();
  });
});

const VALUES = `
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Key. }
  - { col: v, data_type: DECIMAL, scale: 2, nullable: false, description: Value. }
sql: SELECT id, v FROM t_values WHERE id >= {{ watermark }}
materialize: { every: 1h, key: [id], watermark: id }
`;

onServer('the tables of materialized definitions', (database) => {
  let api: RollupApi;
  let process: RollupProcess;
  let url: string;
  before(async () => {
    url = database().DATABASE_URL ?? '';
    api = await createRollupApi(database());
    await api.writeOrders(ORDERS);
    await api.define('copy', COPY);
    process = await api.open();
    await process.work.start();
  });
  after(() => api.close());

  it('are written by one process at a time, also if the lock of the other one was lost', async () => {
    const connection = await WriteConnection.open(await connectionOptions(parseMysqlUrl(url)));
    await acquireLock(connection, lockName(parseMysqlUrl(url).database, 'rollup rows'), 0);
    process.now = new Date(process.now.getTime() + 86_400_000);
    await runNow(process);
    expect(failuresOf(process)).to.deep.equal([
      ['copy', 'Another process writes materialized tables. The previous rows of copy stay.'],
    ]);
    await connection.end();
    process.now = new Date(process.now.getTime() + 86_400_000);
    await runNow(process);
    expect(process.work.counts.get('copy')).to.include({ succeeded: 2, failed: 1 });
  });

  it('are computed again after a change of the types of their columns, and if they are lost', async () => {
    await execute(url, 'CREATE TABLE t_values (id INT, v INT)', 'INSERT INTO t_values VALUES (1, 1), (2, 2)');
    await api.define('of-values', VALUES);
    await process.load();
    await runNow(process);
    await execute(url, 'ALTER TABLE t_values MODIFY v DECIMAL(10, 2)', 'UPDATE t_values SET v = v + 0.25');
    const refresh = async () => {
      process.now = new Date(process.now.getTime() + 86_400_000);
      await runNow(process);
      expect(await process.rowsOf('of-values')).to.deep.equal(await process.rowsOf('of-values', { isComputed: true }));
    };
    await refresh();
    await execute(url, 'UPDATE t_values SET v = v + 0.5', 'DROP TABLE of_values');
    await refresh();
    await execute(url, 'UPDATE t_values SET v = v + 0.5 WHERE id = 2', 'INSERT INTO t_values VALUES (3, 3.5)');
    await refresh();
    expect(process.work.counts.get('of-values')?.last?.state).to.include({ isFull: false, rows: 3 });
  });

  it('are not read while the version of their definition is unknown', async () => {
    await execute(url, 'RENAME TABLE repo_insight_rollups TO renamed_states');
    const other = await api.open();
    expect(await errorOf(other.rowsOf('copy'))).to.equal('database_unavailable');
    await execute(url, 'RENAME TABLE renamed_states TO repo_insight_rollups');
  });

  it('never replace a table that the reading account cannot see', async () => {
    const { database: name } = parseMysqlUrl(url);
    const reader = `reader_${name}`;
    const next = 'repo_insight_rollups';
    await execute(url, 'CREATE TABLE secret (id INT)', 'INSERT INTO secret VALUES (1)', `CREATE USER ${reader}`);
    for (const table of ['orders', 'copy', 't_values', 'of_values', next])
      await execute(url, `GRANT SELECT ON ${name}.${table} TO ${reader}`);
    Object.assign(api.environment, {
      DATABASE_URL: Object.assign(new URL(url), { username: reader, password: '' }).href,
      DATABASE_WRITE_URL: url,
    });
    await api.define('secret', COPY);
    const other = await api.open();
    await other.work.start();
    expect(failuresOf(other)).to.deep.equal([
      ['secret', 'The database has another table secret: rename the definition, and so its table.'],
    ]);
    expect(await execute(url, 'SELECT id FROM secret')).to.deep.equal([{ id: 1 }]);
    await execute(url, `DROP USER ${reader}`);
  });
});

/** Creates a DuckDB file with a table `t_…` of one row for each expression. */
async function writeDuckdb(file: string, types: readonly (readonly [name: string, sql: string, ...unknown[]])[]) {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const [name, sql] of types) await connection.run(`CREATE TABLE t_${name} AS SELECT 1 AS id, ${sql} AS v`);
  connection.closeSync();
  instance.closeSync();
}
