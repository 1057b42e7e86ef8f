import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { eventually } from '../services/eventually.js';
import { onBothDatabases } from '../services/mysql.js';
import { createRollupApi, type Order, type RollupApi, type RollupProcess, runNow } from './rollup-api.js';

const DAILY = `
columns:
  - { col: day, data_type: DATE, nullable: false, description: Day. }
  - { col: shop, data_type: VARCHAR, nullable: false, description: Shop. }
  - { col: orders, data_type: BIGINT, nullable: false, description: Orders. }
  - { col: total, data_type: DECIMAL, scale: 2, nullable: false, description: Sum. }
data_as_of: SELECT MAX(at) FROM orders
sql: |
  SELECT DATE(at) AS day, shop, COUNT(*) AS orders, CAST(SUM(total) AS DECIMAL(14, 2)) AS total
  FROM orders WHERE at >= {{ watermark }} GROUP BY DATE(at), shop
materialize: { every: 1h, key: [day, shop], watermark: day, full: 1d }
`;
const ALL_ORDERS = `
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Order. }
  - { col: shop, data_type: VARCHAR, nullable: false, description: Shop. }
sql: SELECT id, shop FROM orders
`;

const FIRST: readonly Order[] = [
  { id: 1, shop: 'b', at: '2026-02-01 10:00:00.5', total: '1.50' },
  { id: 2, shop: 'a', at: '2026-02-01 11:00:00', total: '2.25' },
  { id: 3, shop: 'a', at: '2026-02-02 12:00:00', total: '3.00' },
];
const THREE: readonly Order[] = [11, 12, 13].map((id) => ({ id, shop: 'a', at: '2026-02-03 00:00:00', total: '1.00' }));
const FIRST_ROWS = [
  { day: '2026-02-01', shop: 'a', orders: '1', total: '2.25' },
  { day: '2026-02-01', shop: 'b', orders: '1', total: '1.50' },
  { day: '2026-02-02', shop: 'a', orders: '1', total: '3.00' },
];

onBothDatabases('materialized definitions', (database, isServer) => {
  let api: RollupApi;
  let process: RollupProcess;

  before(async () => {
    api = await createRollupApi(database());
    await api.writeOrders(FIRST);
    await api.define('daily', DAILY);
    await api.define('orders-of-shops', `${ALL_ORDERS}materialize: { every: 1d, key: [id], rows: 5 }\n`);
    await api.define(
      'totals',
      `
columns:
  - { col: shop, data_type: VARCHAR, nullable: false, description: Shop. }
  - { col: total, data_type: DECIMAL, scale: 2, nullable: false, description: Sum. }
data_as_of: SELECT MAX(at) FROM orders
sql: SELECT shop, CAST(SUM(total) AS DECIMAL(14, 2)) AS total FROM daily GROUP BY shop
materialize: { after: [daily], key: [shop] }
`,
    );
    await api.define(
      'days',
      `
params: { shop: { in: query, type: string, default: a, description: Shop. } }
columns: [{ col: day, data_type: DATE, nullable: false, description: Day. }]
sql: SELECT day FROM daily WHERE shop = {{ shop }} ORDER BY day
`,
    );
    process = await api.open();
  });
  after(() => api.close());

  const stateOf = async (table: string) => (await process.warehouse.rollups?.states())?.get(table);
  const advance = async (ms: number) => {
    process.now = new Date(process.now.getTime() + ms);
    await runNow(process);
  };
  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'no error',
      (error: { readonly code?: string }) => error.code,
    );
  /** Refreshes after a change of the orders, with the message of the failure in the log. */
  const failOf = async (orders: readonly Order[]) => {
    await api.writeOrders(orders);
    const before = process.log.length;
    await advance(86_400_000);
    const failed = process.log.slice(before).filter(({ level }) => level === 50);
    return failed.map(({ endpoint, reason }) => [endpoint, reason]);
  };

  it('have no rows before the first refresh', async () => {
    await process.engine.lookUp({ withinMs: 60_000 });
    expect(process.engine.broken().map(({ name }) => name)).to.have.members([
      ...['daily', 'orders-of-shops', 'totals', 'days'],
    ]);
    expect(await failureOf(process.rowsOf('daily'))).to.equal('endpoint_broken');
  });

  it('answer with the stored rows in the order of the key, after the first refresh', async () => {
    await process.work.start();
    expect(process.engine.broken()).to.deep.equal([]);
    expect(await process.rowsOf('daily')).to.deep.equal(FIRST_ROWS);
    expect(await process.rowsOf('daily')).to.deep.equal(
      (await process.rowsOf('daily', { isComputed: true })).toSorted((one, other) =>
        JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
      ),
    );
    expect(await process.rowsOf('totals')).to.deep.equal([
      { shop: 'a', total: '5.25' },
      { shop: 'b', total: '1.50' },
    ]);
    expect(await process.rowsOf('days')).to.deep.equal([{ day: '2026-02-01' }, { day: '2026-02-02' }]);
  });

  it('state the time of the refresh and the age of the data at that time', async () => {
    const { engine } = process;
    const answer = await engine.run(engine.endpoint('daily'), { path: {}, query: {} });
    expect([answer.computedAt, answer.dataAsOf]).to.deep.equal([
      new Date('2026-03-01T12:00:00Z'),
      new Date('2026-02-02T12:00:00Z'),
    ]);
    const reader = await engine.run(engine.endpoint('days'), { path: {}, query: {} });
    expect([reader.computedAt, engine.endpoint('days').definition.staleAfterMs]).to.deep.equal([
      new Date('2026-03-01T12:00:00Z'),
      3 * 3_600_000 + 600_000,
    ]);
  });

  it('keep their rows until the next refresh is due, and then compute the rows from the watermark on', async () => {
    await api.writeOrders([
      { id: 1, shop: 'b', at: '2026-02-01 10:00:00.5', total: '99.00' },
      ...FIRST.slice(1),
      { id: 4, shop: 'a', at: '2026-02-02 13:00:00', total: '4.00' },
      { id: 5, shop: 'c', at: '2026-02-03 00:00:00', total: '5.00' },
    ]);
    await advance(3_599_000);
    expect(await process.rowsOf('daily')).to.deep.equal(FIRST_ROWS);
    await advance(1_000);
    const rows = [
      ...FIRST_ROWS.slice(0, 2),
      { day: '2026-02-02', shop: 'a', orders: '2', total: '7.00' },
      { day: '2026-02-03', shop: 'c', orders: '1', total: '5.00' },
    ];
    expect(await process.rowsOf('daily')).to.deep.equal(rows);
    // `after: [daily]` follows in the same pass.
    expect(await process.rowsOf('totals')).to.deep.equal([
      { shop: 'a', total: '9.25' },
      { shop: 'b', total: '1.50' },
      { shop: 'c', total: '5.00' },
    ]);
    expect(await stateOf('daily')).to.include({
      ...{ refreshedAt: '2026-03-01 13:00:00', fullAt: '2026-03-01 12:00:00', rows: 4 },
      dataAsOf: '2026-02-03 00:00:00',
    });
  });

  it('compute all rows again after the time of `full`', async () => {
    await advance(23 * 3_600_000);
    expect((await process.rowsOf('daily'))[1]).to.deep.equal({
      day: '2026-02-01',
      shop: 'b',
      orders: '1',
      total: '99.00',
    });
    expect((await stateOf('daily'))?.fullAt).to.equal('2026-03-02 12:00:00');
  });

  it('keep the previous rows when a refresh fails, and log each cause once', async () => {
    const before = await process.rowsOf('orders-of-shops');
    expect(before).to.have.length(5);
    expect(await failOf([...FIRST, ...THREE])).to.deep.equal([
      [
        'orders-of-shops',
        'The query returns more than 5 rows for orders_of_shops (materialize.rows). The previous rows stay.',
      ],
    ]);
    expect(await failOf([...FIRST, ...THREE])).to.deep.equal([]);
    expect(await failOf([{ id: 1, shop: null, at: '2026-02-01 00:00:00', total: '1.00' }])).to.deep.equal([
      [
        'daily',
        isServer
          ? 'A row of daily has no value in a column that is not nullable.'
          : 'A row of daily has no shop, which is not nullable.',
      ],
      [
        'orders-of-shops',
        isServer
          ? 'A row of orders_of_shops has no value in a column that is not nullable.'
          : 'A row of orders_of_shops has no shop, which is not nullable.',
      ],
    ]);
    expect(await process.rowsOf('orders-of-shops')).to.deep.equal(before);
    expect(process.work.counts.get('orders-of-shops')).to.include({ succeeded: 2, failed: 3 });
    await api.writeOrders(FIRST);
    await advance(86_400_000);
    expect(process.work.counts.get('orders-of-shops')).to.include({ succeeded: 3, failed: 3 });
  });

  it('reject rows with equal keys', async () => {
    await api.define('twins', `${ALL_ORDERS}materialize: { every: 1d, key: [shop] }\n`);
    await process.load();
    const before = process.log.length;
    await runNow(process);
    expect(process.log.slice(before).map(({ reason }) => reason)).to.deep.equal([
      'Two rows of twins have the same key (shop).',
    ]);
    expect(await stateOf('twins')).to.equal(undefined);
  });

  it('never answer with the rows of another version of the definition', async () => {
    await api.define('daily', DAILY.replace('COUNT(*)', '10 * COUNT(*)'));
    await process.load();
    for (const name of ['daily', 'days']) expect(await failureOf(process.rowsOf(name))).to.equal('endpoint_broken');
    await runNow(process);
    expect((await process.rowsOf('daily'))[0]).to.deep.equal({ ...FIRST_ROWS[0], orders: '10' });
    await api.define(
      'daily',
      `${DAILY}description: The text changes, not the rows.\n`.replace('COUNT(*)', '10 * COUNT(*)'),
    );
    const { version } = (await stateOf('daily')) ?? {};
    await process.load();
    await runNow(process);
    expect((await stateOf('daily'))?.version).to.equal(version);
  });

  it('are refreshed by one process at a time, and all processes answer with the new rows', async () => {
    const other = await api.open();
    other.now = process.now;
    const { rollups } = process.warehouse;
    expect(await rollups?.exclusively(async () => other.warehouse.rollups?.exclusively(async () => 'both'))).to.equal(
      undefined,
    );
    expect(await rollups?.exclusively(async () => 'one')).to.equal('one');
    expect(await other.rowsOf('daily')).to.deep.equal(await process.rowsOf('daily'));
    await api.writeOrders([...FIRST, { id: 9, shop: 'z', at: '2026-02-09 00:00:00', total: '9.00' }]);
    await advance(3_600_000);
    // The other process looks for new versions at intervals.
    const added = { day: '2026-02-09', shop: 'z', orders: '10', total: '9.00' };
    await eventually(async () => (await other.rowsOf('daily')).some((row) => isDeepStrictEqual(row, added)));
  });

  it('give their tables a version, so that stored answers are exact', async () => {
    const { versions } = process.warehouse;
    const { tables } = await versions.confirm();
    expect(tables.get('daily')).to.equal((await stateOf('daily'))?.version);
    expect(process.engine.cacheRule(process.engine.endpoint('daily')).kind).to.equal('exact');
    await advance(3_600_000);
    expect((await versions.confirm()).tables.get('daily')).to.not.equal(tables.get('daily'));
  });

  it('stop the start if the database has another table with the name', async () => {
    await api.define('orders', `${ALL_ORDERS}materialize: { every: 1d, key: [id] }\n`);
    const other = await api.open();
    expect(await other.work.start().catch(({ message }: Error) => message)).to.equal(
      'materialize: the database has another table orders; rename the definition, and so its table',
    );
  });
});
