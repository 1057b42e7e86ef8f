import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from './measure.js';
import { runToEnd, startService } from './serving/service.js';
import { withMariaDb } from './with-mariadb.js';

const REQUESTS = 50_000;
const CLIENTS = 16;
const PATHS = ['/v1/collections/', '/v1/trends/repos/', '/readyz', '/v1/collections/hot/'];

/**
 * Measures rolling restarts of four workers on MariaDB under load. Half of the clients keep their connections, the other half opens one per
 * request.
 */
export function benchWorkers(folder: string, log: (text: string) => void): Promise<Figure[]> {
  return withMariaDb('workers', async (url) => {
    const settings = { ...NO_LIMITS, DATABASE_URL: url, DATABASE_ALLOW_WRITING_ACCOUNT: 'yes', DATA_DIR: folder };
    await runToEnd(folder, ['data', 'migrate'], settings);
    const service = await startService(folder, { ...settings, PORT: '0' }, ['--workers', '4']);
    try {
      const load = applyLoad(service.url);
      const restarts = await restartUntil(load, service.pid, service.log, log);
      const { failures, seconds } = await load;
      const detail = `${REQUESTS} requests in ${Math.round(seconds)} s, ${restarts} complete rolling restarts of 4 workers, ${CLIENTS} clients; failures: ${failures.slice(0, 3).join('; ') || 'none'}`;
      return [
        { name: 'failed requests', value: failures.length, unit: 'answers', target: 0, bound: 'at most', detail },
      ];
    } finally {
      await service.stop();
    }
  });
}

const NO_LIMITS = {
  RATE_LIMIT_PER_HOUR: '0',
  RATE_LIMIT_PER_MINUTE: '0',
  PLAYGROUND_PER_MINUTE: '0',
  CALLER_LIMIT_PER_MINUTE: '0',
};

/** Starts a rolling restart again and again until the load ends. Returns the number of completed restarts. */
async function restartUntil(
  load: Promise<unknown>,
  pid: number,
  file: string,
  log: (text: string) => void,
): Promise<number> {
  let hasEnded = false;
  void load.finally(() => {
    hasEnded = true;
  });
  const completed = () => readFileSync(file, 'utf8').split('the rolling restart is complete').length - 1;
  for (let started = 1; !hasEnded; started += 1) {
    process.kill(pid, 'SIGUSR2');
    while (!hasEnded && completed() < started) await pause(100);
    log(`${completed()} rolling restarts`);
  }
  return completed();
}

async function applyLoad(url: string): Promise<{ readonly failures: readonly string[]; readonly seconds: number }> {
  const failures: string[] = [];
  let sent = 0;
  const started = performance.now();
  const client = async (_: unknown, number: number) => {
    const agent = new Agent({ keepAlive: number % 2 === 0, maxSockets: 1 });
    while (sent < REQUESTS) {
      const path = PATHS[sent % PATHS.length] as string;
      sent += 1;
      const failure = await ask(agent, url + path);
      if (failure !== undefined) failures.push(`${path}: ${failure}`);
      // Without this pause, the load would end before the first restart.
      await pause(PAUSE_MS);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { failures, seconds: (performance.now() - started) / 1_000 };
}

const PAUSE_MS = 20;

/** Sends a request. Returns the reason for a failure; undefined on success. */
function ask(agent: Agent, url: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = get(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200 ? undefined : String(response.statusCode)));
      response.once('error', (error) => resolve(error.message));
    });
    request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
