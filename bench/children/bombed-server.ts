/**
 * The service while hostile queries keep a playground busy. With the argument `ATTACK=below`, the queries bypass the guard; with
 * `ATTACK=through`, they are sent over HTTP. The arguments after the first are settings.
 */
import { pino } from 'pino';
import { openWarehouse } from '../../server/databases/open-database.js';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { ALLOWED_QUERIES, DUCKDB_QUERIES, MARIADB_QUERIES } from '../../test/playground/expensive-queries.js';
import { variablesOf } from './variables.js';

const CONCURRENT_QUERIES = 40;
const PAUSE_MS = 3_000;
const LIMITS = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000000', PLAYGROUND_PER_MINUTE: '0' };

const { ATTACK, ...variables } = variablesOf(process.argv.slice(2));
const settings = readSettings({ PORT: '0', ...LIMITS, ...variables });
const warehouse = await openWarehouse(settings, { migrating: true });
const service = await startService(settings, warehouse, pino({ level: 'fatal' }));
const { bombs, run } = ATTACK === 'below' ? await attackDatabase() : attackService();
let isStopping = false;
for (let lane = 0; lane < CONCURRENT_QUERIES; lane += 1) void attackRepeatedly(lane);
process.stdout.write(`${service.url}\n`);
process.once('SIGTERM', async () => {
  isStopping = true;
  await service.close();
  await warehouse.close();
});

interface Attack {
  readonly bombs: readonly string[];
  readonly run: (sql: string) => Promise<unknown>;
}

async function attackDatabase(): Promise<Attack> {
  const playground = await warehouse.openPlayground();
  return {
    bombs: playground.name === 'duckdb' ? DUCKDB_QUERIES : MARIADB_QUERIES,
    run: (sql) => playground.query({ sql }, [], { maxRows: 100, timeoutMs: 10_000 }),
  };
}

function attackService(): Attack {
  const headers = { 'Content-Type': 'application/json' };
  const run = async (sql: string) => {
    const answer = await fetch(`${service.url}/q/playground/`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ sql }),
    });
    return answer.arrayBuffer();
  };
  return { bombs: ALLOWED_QUERIES, run };
}

async function attackRepeatedly(first: number): Promise<void> {
  for (let index = first; !isStopping; index += 1) {
    await run(bombs[index % bombs.length] ?? '').catch(() => undefined);
    // With this pause, the request rate is that of the rate limit for one address.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
