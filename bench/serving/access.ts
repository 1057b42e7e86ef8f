import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { alternate, type Figure } from '../measure.js';
import { captureHit } from './capture.js';
import { type Contestant, rateFigure, rateOf, roundsOf } from './compare.js';
import type { RowContext } from './context.js';
import { startService } from './service.js';

/** The requests that are compared with a hit of a public endpoint without a key, and the names of their definitions. */
const CASES = {
  'public, with a key': 'open',
  'access: key': 'programs',
  'access: key, rows of a tenant': 'orders',
} as const;

/** Measures what access adds to a cache hit: requests with an API key, compared with the same rows of a public endpoint without a key. */
export async function measureAccess({ folder, isQuick, log }: RowContext): Promise<Figure[]> {
  await writeApi(folder);
  const headers = { 'X-API-Key': await createKey(folder) };
  const service = await startService(folder, {});
  try {
    const of = async (name: string, headers: Readonly<Record<string, string>>): Promise<Contestant> => {
      const path = `/v1/${name}/`;
      await captureHit(service.url, path, headers);
      return { ...service, headers, nextPath: () => path };
    };
    const all: Record<string, Contestant> = { reference: await of('open', {}) };
    for (const [title, name] of Object.entries(CASES)) all[title] = await of(name, headers);
    const { seconds, rounds } = roundsOf(isQuick);
    log('comparing hits with and without access');
    // Warm-up: in the first round, the service compiles its code.
    for (const contestant of Object.values(all)) await rateOf(contestant, seconds);
    const works = Object.entries(all).map(([title, one]) => [title, () => rateOf(one, seconds)] as const);
    const { reference = [], ...rates } = await alternate(rounds, Object.fromEntries(works));
    return Object.entries(rates).map(([title, ours]) =>
      rateFigure({ name: `hit, ${title} / public`, target: TARGET, isQuick }, ours, reference),
    );
  } finally {
    await service.stop();
  }
}

const TARGET = 0.6;

/** Writes the folder of an API over a file, whose endpoints have answers with the same rows. */
async function writeApi(folder: string): Promise<void> {
  for (const name of ['endpoints', 'tables', 'data']) await mkdir(join(folder, name));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await write('api.yaml', 'title: Bench\nclaims:\n  tenant: { type: string, example: acme }\n');
  await write('tables/orders.yaml', 'source: data/orders.csv\nrow_filter: tenant = {{ caller.claims.tenant }}\n');
  await write('tables/totals.yaml', 'source: data/totals.csv\n');
  const rows = Array.from({ length: ROW_COUNT }, (_, index) => `${index},${index * 7}`);
  await write('data/totals.csv', `id,total\n${rows.join('\n')}\n`);
  await write('data/orders.csv', `id,total,tenant\n${rows.map((row) => `${row},acme\n${row},other`).join('\n')}\n`);
  await write('endpoints/open.yaml', definition('open', 'public', 'totals'));
  await write('endpoints/programs.yaml', definition('programs', 'key', 'totals'));
  await write('endpoints/orders.yaml', definition('orders', 'key', 'orders'));
}

const ROW_COUNT = 20;

function definition(name: string, access: string, table: string): string {
  return `name: ${name}
path: /v1/${name}/
summary: Orders
access: ${access}
columns:
  - { col: id, data_type: BIGINT, nullable: true, description: Id. }
  - { col: total, data_type: BIGINT, nullable: true, description: Total. }
sql: SELECT id, total FROM ${table} ORDER BY id
`;
}

/** Creates a key with the command line, and returns its secret. */
async function createKey(folder: string): Promise<string> {
  const words = ['keys', 'create', 'bench', '--scope', '*', '--claim', 'tenant=acme'];
  const options = { cwd: folder, env: { DATA_DIR: folder } };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...words], options);
  return stdout.trim();
}

const PROGRAM = fileURLToPath(new URL('../../cli/repo-insight.cjs', import.meta.url));
