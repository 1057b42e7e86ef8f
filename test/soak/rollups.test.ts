import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { createRollupApi, type Order, type RollupApi, type RollupProcess } from '../rollups/rollup-api.js';
import { onBothDatabases } from '../services/mysql.js';
import { record, seedOf } from './report.js';

const CHANGES = Number(process.env.ROLLUP_CHANGES ?? 1_000);
/** Every so many changes, a process that refreshes the tables is killed. */
const KILL_EVERY = 50;
const READERS = 2;

const DAILY = `
columns:
  - { col: day, data_type: DATE, nullable: false, description: Day. }
  - { col: shop, data_type: VARCHAR, nullable: false, description: Shop. }
  - { col: orders, data_type: BIGINT, nullable: false, description: Orders. }
  - { col: total, data_type: DECIMAL, scale: 2, nullable: false, description: Sum. }
  - { col: share, data_type: DECIMAL, scale: 4, nullable: true, description: Share of the number of orders. }
sql: |
  SELECT DATE(at) AS day, shop, COUNT(*) AS orders, CAST(SUM(total) AS DECIMAL(14, 2)) AS total,
    SUM(total) / COUNT(*) AS share
  FROM orders WHERE at >= {{ watermark }} GROUP BY DATE(at), shop
materialize: { every: 1h, key: [day, shop], watermark: day }
`;
const LARGEST = `
columns:
  - { col: shop, data_type: VARCHAR, nullable: false, description: Shop. }
  - { col: id, data_type: BIGINT, nullable: false, description: Largest order. }
sql: SELECT shop, MAX(id) AS id FROM orders GROUP BY shop
materialize: { every: 1h, key: [shop] }
`;
const NAMES = ['daily', 'largest'] as const;

onBothDatabases('materialized definitions after random changes', (database) => {
  let api: RollupApi;
  let opened: RollupProcess;
  let orders: Order[] = [{ id: 1, shop: 'shop 1', at: '2026-01-01 10:00:00.5', total: '1.25' }];
  let seed = seedOf('materialized definitions');
  const random = (most: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % most;
  };

  /** Changes orders of the last day, or adds a later day: the orders of earlier days never change. */
  const change = () => {
    const last = orders.at(-1)?.at.slice(0, 10) ?? '2026-01-01';
    const today = orders.filter(({ at }) => at.startsWith(last));
    const earlier = orders.filter(({ at }) => !at.startsWith(last));
    const id = Number(orders.at(-1)?.id ?? 0) + 1;
    const added = (day: string): Order => ({
      ...{ id, shop: `shop ${random(5)}`, at: `${day} 10:${10 + random(49)}:00.${random(10)}` },
      total: `${random(1_000)}.${10 + random(89)}`,
    });
    const next = new Date(Date.parse(last) + 86_400_000).toISOString().slice(0, 10);
    switch (random(4)) {
      case 0:
        orders = [...orders, added(next)];
        break;
      case 1:
        // At least one order of the day stays, so that the largest day does not become an earlier one.
        orders = [...earlier, ...today.filter((_, index) => index === today.length - 1 || random(3) > 0)];
        break;
      default:
        orders = [...orders, added(last)];
    }
  };
  const rowsOf = async (name: string) => JSON.stringify(await opened.rowsOf(name));
  const computedRows = async (name: string) => {
    const rows = (await opened.rowsOf(name, { isComputed: true })) as readonly Record<string, string>[];
    const keyOf = ({ day = '', shop = '' }: Record<string, string>) => `${day} ${shop}`;
    return JSON.stringify(rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)));
  };

  before(async () => {
    api = await createRollupApi(database());
    await api.writeOrders(orders);
    await api.define('daily', DAILY);
    await api.define('largest', LARGEST);
    opened = await api.open();
    await opened.work.start();
  });
  after(() => api.close());

  it('equal their query, and a reader sees the rows before or after a refresh', async () => {
    const possible = new Map<string, Set<string>>(NAMES.map((name) => [name, new Set()]));
    const remember = async () => {
      for (const name of NAMES) possible.get(name)?.add(await computedRows(name));
    };
    await remember();
    let [reads, kills, isOver] = [0, 0, false];
    const read = async () => {
      while (!isOver) {
        for (const name of NAMES) {
          const rows = await rowsOf(name);
          expect([...(possible.get(name) ?? [])], `${name} of a reader`).to.include(rows);
          reads += 1;
        }
        await pause(5);
      }
    };
    const readers = Array.from({ length: READERS }, read);
    for (let count = 1; count <= CHANGES; count += 1) {
      change();
      await api.writeOrders(orders);
      await remember();
      opened.now = new Date(opened.now.getTime() + 3_600_000);
      if (count % KILL_EVERY === 0) {
        await killDuringRefresh(api, opened.now, random(1_500));
        kills += 1;
      }
      await opened.work.now();
      for (const name of NAMES)
        expect(await rowsOf(name), `${name} after ${count} changes`).to.equal(await computedRows(name));
      // Earlier rows must not be visible again.
      for (const name of NAMES) possible.set(name, new Set([...(possible.get(name) ?? [])].slice(-3)));
    }
    isOver = true;
    await Promise.all(readers);
    record(
      `materialized definitions on ${opened.warehouse.database.name}`,
      `${CHANGES} changes, ${kills} kills, ${reads} reads`,
    );
  });
});

/** Starts the command that refreshes the tables, and kills it after a time. */
async function killDuringRefresh({ folder, environment }: RollupApi, now: Date, afterMs: number): Promise<void> {
  const program = createRequire(import.meta.url).resolve('../../cli/repo-insight.cjs');
  const child: ChildProcess = spawn(process.execPath, [program, 'endpoint', 'materialize', '--full'], {
    ...{ cwd: folder, env: { ...process.env, ...environment, NOW: now.toISOString() }, stdio: 'ignore' },
  });
  const ended = once(child, 'exit');
  await Promise.race([ended, pause(afterMs)]);
  child.kill('SIGKILL');
  await ended;
}
