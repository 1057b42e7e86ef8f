import autocannon from 'autocannon';
import { loadDefinitions } from '../server/settings/definitions.js';
import { startServer } from './child.js';
import { createDemo, demoSettings, NOW, serverVariables } from './demo-service.js';
import { urlOfExample } from './example-url.js';
import { alternate, type Figure, median } from './measure.js';
import { percentile95 } from './response-times.js';
import { withMariaDb } from './with-mariadb.js';

const EVENTS = 300_000;
const ROUNDS = 3;
const SECONDS = 8;
const TARGET = 2;
const ENDPOINT = 'list-issue-creators';

type Log = (text: string) => void;

/**
 * Measures the response times of other requests while hostile queries keep the playground busy. Compares these times
 * with the times without an attack.
 */
export async function benchPlayground(folder: string, log: Log): Promise<Figure[]> {
  return compareWaiting('playground', folder, {}, log);
}

export async function benchMariaDbPlayground(folder: string, log: Log): Promise<Figure[]> {
  const name = 'mariadb playground';
  return withMariaDb(name, (url) => compareWaiting(name, folder, serverVariables(url), log));
}

async function compareWaiting(
  name: string,
  folder: string,
  variables: Readonly<Record<string, string>>,
  log: Log,
): Promise<Figure[]> {
  log(`creating a demo of ${EVENTS} events`);
  await createDemo(demoSettings(folder, variables), EVENTS);
  const args = Object.entries({ DATA_DIR: folder, NOW, ...variables }).map(([key, value]) => `${key}=${value}`);
  const definitions = await loadDefinitions({ endpointsDirectory: undefined });
  const endpoint = definitions.find(({ definition }) => definition.name === ENDPOINT);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${ENDPOINT}`);
  const path = urlOfExample(endpoint);
  log(
    `${ROUNDS} rounds of ${SECONDS} s: without an attack, with an attack that bypasses the guard, with an attack over HTTP`,
  );
  const waits = await alternate(ROUNDS, {
    quiet: () => waitOf('own-server', args, path),
    below: () => waitOf('bombed-server', [...args, 'ATTACK=below'], path),
    through: () => waitOf('bombed-server', [...args, 'ATTACK=through'], path),
  });
  return (['below', 'through'] as const).map((attack) => {
    const [quiet, attacked] = [median(waits.quiet), median(waits[attack])];
    const detail = `p95 of ${ENDPOINT}: ${attacked.toFixed(1)} ms against ${quiet.toFixed(1)} ms, medians of ${ROUNDS}`;
    const figure = `${name}: p95 of /v1, bombs ${attack} the guard`;
    return { name: figure, value: attacked / quiet, unit: '×', target: TARGET, bound: 'at most', detail };
  });
}

/** Measures the 95th percentile of the response times for one client, in milliseconds. */
async function waitOf(child: string, args: readonly string[], path: string): Promise<number> {
  const server = await startServer(child, args);
  try {
    await autocannon({ url: server.url + path, connections: 1, duration: 2 });
    return await percentile95(server.url + path, SECONDS);
  } finally {
    await server.stop();
  }
}
