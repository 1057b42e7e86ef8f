import { once } from 'node:events';
import autocannon from 'autocannon';
import { loadDefinitions } from '../server/definitions.js';
import { startServer } from './child.js';
import { demoSettings, makeDemo, NOW, serverVariables } from './demo-service.js';
import { urlOfExample } from './example-url.js';
import { type Figure, inTurn, median } from './measure.js';
import { onMariaDb } from './on-mariadb.js';

const EVENTS = 300_000;
const ROUNDS = 3;
const SECONDS = 8;
const BAR = 2;
const ENDPOINT = 'list-issue-creators';

type Say = (text: string) => void;

/** How long others wait while hostile queries keep the playground busy, against how long they wait without. */
export async function benchPlayground(folder: string, say: Say): Promise<Figure[]> {
  return compareWaiting('playground', folder, {}, say);
}

export async function benchMariaDbPlayground(folder: string, say: Say): Promise<Figure[]> {
  const name = 'mariadb playground';
  return onMariaDb(name, (url) => compareWaiting(name, folder, serverVariables(url), say));
}

async function compareWaiting(
  name: string,
  folder: string,
  variables: Readonly<Record<string, string>>,
  say: Say,
): Promise<Figure[]> {
  say(`making a demo of ${EVENTS} events`);
  await makeDemo(demoSettings(folder, variables), EVENTS);
  const words = Object.entries({ DATA_DIR: folder, NOW, ...variables }).map(([key, value]) => `${key}=${value}`);
  const definitions = await loadDefinitions({ endpointsDirectory: undefined });
  const endpoint = definitions.find(({ definition }) => definition.name === ENDPOINT);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${ENDPOINT}`);
  const path = urlOfExample(endpoint);
  say(`${ROUNDS} rounds of ${SECONDS} s: quiet, attacked without the guard, attacked over HTTP`);
  const waits = await inTurn(ROUNDS, {
    quiet: () => waitOf('own-server', words, path),
    below: () => waitOf('bombed-server', [...words, 'ATTACK=below'], path),
    through: () => waitOf('bombed-server', [...words, 'ATTACK=through'], path),
  });
  return (['below', 'through'] as const).map((attack) => {
    const [quiet, attacked] = [median(waits.quiet), median(waits[attack])];
    const detail = `p95 of ${ENDPOINT}: ${attacked.toFixed(1)} ms against ${quiet.toFixed(1)} ms, medians of ${ROUNDS}`;
    const figure = `${name}: p95 of /v1, bombs ${attack} the guard`;
    return { name: figure, value: attacked / quiet, unit: '×', bar: BAR, keeps: 'at most', detail };
  });
}

/** The 95th percentile of the response times, in milliseconds, as one caller sees them. */
async function waitOf(child: string, words: readonly string[], path: string): Promise<number> {
  const server = await startServer(child, words);
  try {
    await autocannon({ url: server.url + path, connections: 1, duration: 2 });
    const times: number[] = [];
    const running = autocannon({ url: server.url + path, connections: 1, duration: SECONDS }, () => undefined);
    running.on('response', (_client, status, _bytes, ms) => times.push(status === 200 ? ms : Number.NaN));
    await once(running, 'done');
    if (times.some(Number.isNaN)) throw new Error(`${child} answered errors`);
    return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  } finally {
    await server.stop();
  }
}
