import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { listening, run, startHere } from '../cli/command-line.js';
import { eventually } from '../services/eventually.js';
import { onBothDatabases } from '../services/mysql.js';
import { createRollupApi, type Order, type RollupApi } from './rollup-api.js';

const PER_SHOP = `
path: /v1/shops
access: key
columns:
  - { col: shop, data_type: VARCHAR, nullable: false, description: Shop. }
  - { col: orders, data_type: BIGINT, nullable: false, description: Orders. }
sql: SELECT shop, COUNT(*) AS orders FROM orders GROUP BY shop
materialize: { every: 1d, key: [shop] }
`;
const BROKEN = `
columns: [{ col: shop, data_type: VARCHAR, nullable: false, description: Shop. }]
sql: SELECT shop FROM orders
materialize: { every: 1d, key: [shop] }
`;
const OF_DAY = `
columns: [{ col: id, data_type: BIGINT, nullable: false, description: Order. }]
sql: SELECT id FROM orders ORDER BY id
`;
const ORDERS: readonly Order[] = [
  { id: 1, shop: 'a', at: '2026-02-01 10:00:00', total: '1.00' },
  { id: 2, shop: 'b', at: '2026-02-01 11:00:00', total: '2.00' },
  { id: 3, shop: 'b', at: '2026-02-01 12:00:00', total: '3.00' },
];

onBothDatabases('a service with materialized definitions', (database, isServer) => {
  let api: RollupApi;
  let service: ReturnType<typeof startHere>;
  let url: string;
  let key: string;

  const command = (...words: string[]) => run(words, { cwd: api.folder, environment: api.environment });
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${url}${path}`, { headers: { 'X-API-Key': key, ...headers } });
  const rowsOf = async (name: string) =>
    ((await (await get(`/q/${name}/`)).json()) as { readonly data: readonly unknown[] }).data;

  before(async () => {
    // With a row filter, each caller sees only the rows of its shop.
    api = await createRollupApi(database());
    await writeFile(
      join(api.folder, 'api.yaml'),
      'title: Shop\naccess: public\nclaims: { shop: { type: string, example: a } }\n',
    );
    await writeFile(join(api.folder, 'tables/per_shop.yaml'), 'row_filter: "shop = {{ caller.claims.shop }}"\n');
    await api.writeOrders(ORDERS);
    await api.define('per-shop', PER_SHOP);
    await api.define('order-ids', OF_DAY);
    const created = await command('keys', 'create', 'b', '--scope', '*', '--claim', 'shop=b');
    expect(created.code, created.err).to.equal(0);
    key = created.out.trim();
    const environment = { ...api.environment, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'silent' };
    service = startHere(['serve'], { cwd: api.folder, environment });
    url = await listening(service);
  });
  after(async () => {
    service.stop();
    await service.ended;
    await api.close();
  });

  it('computes the rows at the start, and restricts them by the row filter of the table', async () => {
    expect(await rowsOf('per-shop')).to.deep.equal([{ shop: 'b', orders: 2 }]);
    const { data } = (await (await get('/v1/shops/')).json()) as { data: { result: Record<string, unknown> } };
    expect(Date.parse(String(data.result.computed_at))).to.be.a('number');
    expect((await fetch(`${url}/v1/shops/`)).status).to.equal(401);
  });

  it('answers with new rows after the command, in every process, and with 304 until then', async () => {
    const first = await get('/v1/shops/');
    const etag = first.headers.get('etag') ?? '';
    await api.writeOrders([...ORDERS, { id: 4, shop: 'b', at: '2026-02-02 10:00:00', total: '4.00' }]);
    expect((await get('/v1/shops/', { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' })).status).to.equal(304);
    const { code, out } = await command('endpoint', 'materialize', 'per-shop', '--json');
    const [{ ms, ...outcome }] = JSON.parse(out);
    expect([code, outcome, typeof ms]).to.deep.equal([
      0,
      { endpoint: 'per-shop', table: 'per_shop', rows: 2, isFull: true },
      'number',
    ]);
    await eventually(async () => JSON.stringify(await rowsOf('per-shop')) === '[{"shop":"b","orders":3}]');
    expect((await get('/v1/shops/', { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' })).status).to.equal(200);
  });

  it('serves a changed definition after its rows are computed', async () => {
    const changed = PER_SHOP.replace('COUNT(*)', '-COUNT(*)');
    await api.define('per-shop', changed);
    const { code, err } = await command('endpoint', 'reload');
    expect(code, err).to.equal(0);
    const answers = new Set<string>();
    await eventually(async () => {
      const answer = await get('/q/per-shop/');
      const { data } = (await answer.json()) as { data?: unknown };
      answers.add(`${answer.status} ${JSON.stringify(data)}`);
      return answer.status === 200 && JSON.stringify(data) === '[{"shop":"b","orders":-3}]';
    });
    // Until then, requests fail: the stored rows are those of the previous version.
    const possible = ['200 [{"shop":"b","orders":-3}]', '500 undefined', '503 undefined'];
    expect(possible).to.include.members([...answers]);
  });

  it('refreshes after a change of a file, and not of a table without versions', async () => {
    await api.define(
      'late',
      BROKEN.replace('SELECT shop', 'SELECT DISTINCT shop').replace('every: 1d', 'after: [orders]'),
    );
    const { code, err } = await command('endpoint', 'reload');
    expect(code, err).to.equal(0);
    await eventually(async () => (await get('/q/late/')).status === 200);
    await api.writeOrders([...ORDERS, { id: 5, shop: 'new', at: '2026-02-02 10:00:00', total: '4.00' }]);
    if (isServer) return;
    await eventually(async () => JSON.stringify(await rowsOf('late')).includes('new'));
  });

  it('reports a failed refresh of the command with exit code 1, and unknown names with 2', async () => {
    await api.define('broken', BROKEN);
    const failed = await command('endpoint', 'materialize', 'broken');
    expect([failed.code, failed.err]).to.deep.equal([
      1,
      'Computing broken.\nbroken: Two rows of broken have the same key (shop).\n0 tables computed, 1 failed.\n',
    ]);
    const unknown = await command('endpoint', 'materialize', 'per-shops');
    expect([unknown.code, unknown.err]).to.deep.equal([
      2,
      'There is no endpoint named per-shops (did you mean "per-shop"?).\n',
    ]);
    const other = await command('endpoint', 'materialize', 'order-ids');
    expect([other.code, other.err]).to.deep.equal([2, 'The definition order-ids has no key materialize.\n']);
  });

  it('names what must change with the name of a table', async () => {
    const renamed = await command('endpoint', 'rename', 'per-shop', 'for-shops');
    expect([renamed.code, renamed.err]).to.deep.equal([
      0,
      'The rows are now in the table for_shops: change definitions that read per_shop, and rename tables/per_shop.yaml.\n' +
        'Callers must change /q/per-shop to /q/for-shops.\n',
    ]);
  });
});
