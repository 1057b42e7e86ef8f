/** The service while queries that would take all there is keep its playground busy; its settings are the arguments. */
import { pino } from 'pino';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { openWarehouse } from '../../server/warehouse.js';
import { ALLOWED_BOMBS, DUCKDB_BOMBS, MARIADB_BOMBS } from '../../test/playground/bombs.js';
import { variablesOf } from './variables.js';

/** Queries at a time with the guard, over HTTP, and as many without it. */
const AT_A_TIME = 40;
const PAUSE_MS = 3_000;
const LIMITS = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000000', PLAYGROUND_PER_MINUTE: '0' };

const settings = readSettings({ PORT: '0', ...LIMITS, ...variablesOf(process.argv.slice(2)) });
const warehouse = await openWarehouse(settings, { migrating: true });
const service = await startService(settings, warehouse, pino({ level: 'fatal' }));
const playground = await warehouse.openPlayground();
const unguarded = playground.name === 'duckdb' ? DUCKDB_BOMBS : MARIADB_BOMBS;
let isStopping = false;

for (let lane = 0; lane < AT_A_TIME; lane += 1) {
  void repeat(unguarded, lane, (sql) => playground.query({ sql }, [], { maxRows: 100, timeoutMs: 10_000 }));
  void repeat(ALLOWED_BOMBS, lane, async (sql) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.url}/q/playground/`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ sql }),
    });
    await answer.arrayBuffer();
  });
}
process.stdout.write(`${service.url}\n`);
process.once('SIGTERM', async () => {
  isStopping = true;
  await service.close();
  await warehouse.close();
});

async function repeat(bombs: readonly string[], first: number, ask: (sql: string) => Promise<unknown>): Promise<void> {
  for (let index = first; !isStopping; index += 1) {
    await ask(bombs[index % bombs.length] ?? '').catch(() => undefined);
    // As often as the limit of one address allows.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
