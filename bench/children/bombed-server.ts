/**
 * The service while queries that would take all there is keep a playground busy: without the guard after the argument
 * `ATTACK=below`, over HTTP after `ATTACK=through`. Its settings are the other arguments.
 */
import { pino } from 'pino';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { openWarehouse } from '../../server/warehouse.js';
import { ALLOWED_QUERIES, DUCKDB_QUERIES, MARIADB_QUERIES } from '../../test/playground/expensive-queries.js';
import { variablesOf } from './variables.js';

const AT_A_TIME = 40;
const PAUSE_MS = 3_000;
const LIMITS = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000000', PLAYGROUND_PER_MINUTE: '0' };

const { ATTACK, ...variables } = variablesOf(process.argv.slice(2));
const settings = readSettings({ PORT: '0', ...LIMITS, ...variables });
const warehouse = await openWarehouse(settings, { migrating: true });
const service = await startService(settings, warehouse, pino({ level: 'fatal' }));
const { bombs, ask } = ATTACK === 'below' ? await below() : through();
let isStopping = false;
for (let lane = 0; lane < AT_A_TIME; lane += 1) void repeat(lane);
process.stdout.write(`${service.url}\n`);
process.once('SIGTERM', async () => {
  isStopping = true;
  await service.close();
  await warehouse.close();
});

interface Attack {
  readonly bombs: readonly string[];
  readonly ask: (sql: string) => Promise<unknown>;
}

async function below(): Promise<Attack> {
  const playground = await warehouse.openPlayground();
  return {
    bombs: playground.name === 'duckdb' ? DUCKDB_QUERIES : MARIADB_QUERIES,
    ask: (sql) => playground.query({ sql }, [], { maxRows: 100, timeoutMs: 10_000 }),
  };
}

function through(): Attack {
  const headers = { 'Content-Type': 'application/json' };
  const ask = async (sql: string) => {
    const answer = await fetch(`${service.url}/q/playground/`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ sql }),
    });
    return answer.arrayBuffer();
  };
  return { bombs: ALLOWED_QUERIES, ask };
}

async function repeat(first: number): Promise<void> {
  for (let index = first; !isStopping; index += 1) {
    await ask(bombs[index % bombs.length] ?? '').catch(() => undefined);
    // As often as the limit of one address allows.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
