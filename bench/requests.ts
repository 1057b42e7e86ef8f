import autocannon from 'autocannon';
import type { Endpoint } from '../engine/index.js';
import { loadDefinitions } from '../server/definitions.js';
import { startServer } from './child.js';
import { demoSettings, makeDemo, NOW, serverVariables } from './demo-service.js';
import { urlOfExample } from './example-url.js';
import { type Figure, inTurn, median } from './measure.js';
import { onMariaDb } from './on-mariadb.js';

const EVENTS = 300_000;
const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 8;
const BAR = 0.85;
const SERVER_BAR = 0.9;
/** A list with names, a ranking and an aggregate over people: small, middle and larger queries. */
const ENDPOINTS = ['list-issue-creators', 'collection-repo-ranking-by-stars', 'list-countries-of-stargazers'];

/** The service without any cache against the same SQL through the bare driver behind node:http. */
export async function benchRequests(folder: string, say: (text: string) => void): Promise<Figure[]> {
  const children = { bare: 'bare-server', ours: 'own-server', pathOf: urlOfExample };
  return compareRates({ prefix: 'requests', ...children, folder, variables: {}, bar: BAR }, say);
}

/**
 * The engine over MariaDB against mysql2's prepared statements, both behind node:http. A server answers these queries so
 * fast that with the whole service the figures would be those of its HTTP.
 */
export async function benchMariaDbRequests(folder: string, say: (text: string) => void): Promise<Figure[]> {
  const prefix = 'mariadb requests';
  return onMariaDb(prefix, (url) => {
    const children = { bare: 'bare-mysql-server', ours: 'engine-server', pathOf: barePath };
    return compareRates({ prefix, ...children, folder, variables: serverVariables(url), bar: SERVER_BAR }, say);
  });
}

interface Comparison {
  /** Of the figures' names. */
  readonly prefix: string;
  /** The child that has the bare driver, and ours. */
  readonly bare: string;
  readonly ours: string;
  /** Where ours has an endpoint's first example. */
  readonly pathOf: (endpoint: Endpoint) => string;
  readonly folder: string;
  /** Settings of both beside the usual ones. */
  readonly variables: Readonly<Record<string, string>>;
  readonly bar: number;
}

async function compareRates(parts: Comparison, say: (text: string) => void): Promise<Figure[]> {
  const { prefix, folder, variables, bar } = parts;
  say(`making a demo of ${EVENTS} events`);
  await makeDemo(demoSettings(folder, variables), EVENTS);
  const words = Object.entries({ DATA_DIR: folder, NOW, ...variables }).map(([name, value]) => `${name}=${value}`);
  const definitions = await loadDefinitions({ endpointsDirectory: undefined });
  const figures: Figure[] = [];
  for (const name of ENDPOINTS) {
    const endpoint = definitions.find(({ definition }) => definition.name === name);
    if (endpoint === undefined) throw new Error(`there is no endpoint ${name}`);
    say(`${ROUNDS} rounds of ${SECONDS} s on ${name}`);
    const rates = await inTurn(ROUNDS, {
      bare: () => rateOf(parts.bare, words, barePath(endpoint)),
      ours: () => rateOf(parts.ours, words, parts.pathOf(endpoint)),
    });
    const [bare, ours] = [median(rates.bare), median(rates.ours)];
    const detail = `${Math.round(ours)} against ${Math.round(bare)} requests a second, ${CONNECTIONS} connections`;
    figures.push({ name: `${prefix}: ${name}`, value: ours / bare, unit: '×', bar, keeps: 'at least', detail });
  }
  return figures;
}

function barePath({ definition }: Endpoint): string {
  return `/${definition.name}`;
}

/** The servers take turns, as a file belongs to one process; each is warmed before it is measured. */
async function rateOf(child: string, words: readonly string[], path: string): Promise<number> {
  const server = await startServer(child, words);
  try {
    await requireRows(server.url + path);
    await autocannon({ url: server.url + path, connections: CONNECTIONS, duration: 1 });
    const result = await autocannon({ url: server.url + path, connections: CONNECTIONS, duration: SECONDS });
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${child} answered ${result.non2xx} errors`);
    return result.requests.average;
  } finally {
    await server.stop();
  }
}

/** An answer without rows would measure nothing. */
async function requireRows(url: string): Promise<void> {
  const body = await (await fetch(url)).text();
  if (!/"(repo_id|id|count)":/.test(body)) throw new Error(`${url} has no rows: ${body.slice(0, 200)}`);
}
