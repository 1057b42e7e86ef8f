import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { benchExplorer } from './explorer.js';
import { benchGrowth } from './growth.js';
import { benchImport } from './import.js';
import { benchMariaDbJoins } from './mariadb-joins.js';
import { benchMariaDbLoad } from './mariadb-load.js';
import { benchMariaDbOperations } from './mariadb-operations.js';
import { type Figure, meetsTarget } from './measure.js';
import { benchMariaDbPlayground, benchPlayground } from './playground.js';
import { benchMariaDbRequests, benchRequests } from './requests.js';
import { benchSearch } from './search.js';
import { benchStart } from './start.js';
import { benchTidbOperations } from './tidb-operations.js';

/** The benchmarks by name. Each benchmark gets an empty folder for its data and a function that prints its progress. */
const BENCHES: Readonly<Record<string, (folder: string, log: (text: string) => void) => Promise<Figure[]>>> = {
  import: benchImport,
  requests: benchRequests,
  growth: benchGrowth,
  start: benchStart,
  search: benchSearch,
  playground: benchPlayground,
  explorer: benchExplorer,
  'mariadb-requests': benchMariaDbRequests,
  'mariadb-load': benchMariaDbLoad,
  'mariadb-operations': benchMariaDbOperations,
  'mariadb-joins': benchMariaDbJoins,
  'mariadb-playground': benchMariaDbPlayground,
  'tidb-operations': benchTidbOperations,
};

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}; expected one of ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}

const figures: Figure[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  const folder = await mkdtemp(join(tmpdir(), `repo-insight-bench-${name}-`));
  try {
    figures.push(...(await bench(folder, (text) => console.error(`${name}: ${text}`))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const table = new Table({ head: ['figure', 'value', 'target', 'met', 'detail'], style: { head: [], border: [] } });
for (const figure of figures) {
  const { name, value, unit, target, bound, detail } = figure;
  const met = meetsTarget(figure) ? 'yes' : 'NO';
  if (Number.isNaN(value)) table.push([name, '–', '–', met, detail]);
  else table.push([name, `${value.toFixed(2)} ${unit}`, `${bound} ${target} ${unit}`, met, detail]);
}
console.log(table.toString());
process.exitCode = figures.every(meetsTarget) ? 0 : 1;
