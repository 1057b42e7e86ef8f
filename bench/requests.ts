import autocannon from 'autocannon';
import type { Endpoint } from '../engine/index.js';
import { loadDefinitions } from '../server/settings/definitions.js';
import { startServer } from './child.js';
import { createDemo, demoSettings, NOW, serverVariables } from './demo-service.js';
import { urlOfExample } from './example-url.js';
import { alternate, type Figure, median } from './measure.js';
import { withMariaDb } from './with-mariadb.js';

const EVENTS = 300_000;
const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 8;
const TARGET = 0.85;
const SERVER_TARGET = 0.9;
/** A list of names, a ranking and an aggregate over users: a small, a medium and a large query. */
const ENDPOINTS = ['list-issue-creators', 'collection-repo-ranking-by-stars', 'list-countries-of-stargazers'];

/**
 * Measures the request rate of the service without any cache. Compares the rate with the same SQL through the driver and node:http alone.
 */
export async function benchRequests(folder: string, log: (text: string) => void): Promise<Figure[]> {
  const children = { bare: 'bare-server', ours: 'own-server', pathOf: urlOfExample };
  return compareRates({ prefix: 'requests', ...children, folder, variables: {}, target: TARGET }, log);
}

/**
 * Measures the request rate of the engine over MariaDB. Compares the rate with prepared statements of mysql2; both use node:http. MariaDB
 * answers these queries so fast that a measurement of the whole service would mostly measure its HTTP layer.
 */
export async function benchMariaDbRequests(folder: string, log: (text: string) => void): Promise<Figure[]> {
  const prefix = 'mariadb requests';
  return withMariaDb(prefix, (url) => {
    const children = { bare: 'bare-mysql-server', ours: 'engine-server', pathOf: barePath };
    return compareRates({ prefix, ...children, folder, variables: serverVariables(url), target: SERVER_TARGET }, log);
  });
}

interface Comparison {
  /** The prefix of the names of the figures. */
  readonly prefix: string;
  /** The names of the two child processes: `bare` only uses the driver, `own` uses the code of the service. */
  readonly bare: string;
  readonly ours: string;
  /** The path of the first example of an endpoint in the child process that runs the code of the service. */
  readonly pathOf: (endpoint: Endpoint) => string;
  readonly folder: string;
  /** Additional settings of both child processes. */
  readonly variables: Readonly<Record<string, string>>;
  readonly target: number;
}

async function compareRates(parts: Comparison, log: (text: string) => void): Promise<Figure[]> {
  const { prefix, folder, variables, target } = parts;
  log(`creating a demo of ${EVENTS} events`);
  await createDemo(demoSettings(folder, variables), EVENTS);
  const args = Object.entries({ DATA_DIR: folder, NOW, ...variables }).map(([name, value]) => `${name}=${value}`);
  const definitions = await loadDefinitions({ endpointsDirectory: undefined });
  const figures: Figure[] = [];
  for (const name of ENDPOINTS) {
    const endpoint = definitions.find(({ definition }) => definition.name === name);
    if (endpoint === undefined) throw new Error(`there is no endpoint ${name}`);
    log(`${ROUNDS} rounds of ${SECONDS} s on ${name}`);
    const rates = await alternate(ROUNDS, {
      bare: () => rateOf(parts.bare, args, barePath(endpoint)),
      ours: () => rateOf(parts.ours, args, parts.pathOf(endpoint)),
    });
    const [bare, ours] = [median(rates.bare), median(rates.ours)];
    const detail = `${Math.round(ours)} against ${Math.round(bare)} requests per second, ${CONNECTIONS} connections`;
    figures.push({ name: `${prefix}: ${name}`, value: ours / bare, unit: '×', target, bound: 'at least', detail });
  }
  return figures;
}

function barePath({ definition }: Endpoint): string {
  return `/${definition.name}`;
}

/**
 * Starts and warms up a server, and measures its request rate. Only one server runs at a time, because only one process can open a database
 * file.
 */
async function rateOf(child: string, args: readonly string[], path: string): Promise<number> {
  const server = await startServer(child, args);
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

/** Throws if an answer has no rows, because a benchmark of empty answers would be meaningless. */
async function requireRows(url: string): Promise<void> {
  const body = await (await fetch(url)).text();
  if (!/"(repo_id|id|count)":/.test(body)) throw new Error(`${url} has no rows: ${body.slice(0, 200)}`);
}
