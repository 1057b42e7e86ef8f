import autocannon from 'autocannon';
import { loadDefinitions } from '../server/definitions.js';
import { startServer } from './child.js';
import { makeDemoFolder, NOW } from './demo-service.js';
import { urlOfExample } from './example-url.js';
import { type Figure, inTurn, median } from './measure.js';

const EVENTS = 300_000;
const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 8;
const BAR = 0.85;
/** A list with names, a ranking and an aggregate over people: small, middle and larger queries. */
const ENDPOINTS = ['list-issue-creators', 'collection-repo-ranking-by-stars', 'list-countries-of-stargazers'];

/** The service without any cache against the same SQL through the bare driver behind node:http. */
export async function benchRequests(folder: string, say: (text: string) => void): Promise<Figure[]> {
  say(`making a demo of ${EVENTS} events`);
  await makeDemoFolder(folder, EVENTS);
  const definitions = await loadDefinitions({ endpointsDirectory: undefined });
  const figures: Figure[] = [];
  for (const name of ENDPOINTS) {
    const endpoint = definitions.find(({ definition }) => definition.name === name);
    if (endpoint === undefined) throw new Error(`there is no endpoint ${name}`);
    say(`${ROUNDS} rounds of ${SECONDS} s on ${name}`);
    const rates = await inTurn(ROUNDS, {
      bare: () => rateOf('bare-server', folder, `/${name}`),
      ours: () => rateOf('own-server', folder, urlOfExample(endpoint)),
    });
    const [bare, ours] = [median(rates.bare), median(rates.ours)];
    const detail = `${Math.round(ours)} against ${Math.round(bare)} requests a second, ${CONNECTIONS} connections`;
    figures.push({ name: `requests: ${name}`, value: ours / bare, unit: '×', bar: BAR, keeps: 'at least', detail });
  }
  return figures;
}

/** A file belongs to one process, so the servers take turns; each is warmed before it is measured. */
async function rateOf(child: string, folder: string, path: string): Promise<number> {
  const server = await startServer(child, [folder, NOW]);
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
