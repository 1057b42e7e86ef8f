import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { benchConsole } from './console/console.js';
import { benchExplorer } from './explorer.js';
import { benchFormats } from './formats/formats.js';
import { benchImport } from './import.js';
import { benchMariaDbJoins } from './mariadb-joins.js';
import { benchMariaDbLoad } from './mariadb-load.js';
import { benchMariaDbOperations } from './mariadb-operations.js';
import { type Figure, meetsTarget } from './measure.js';
import { benchObservability } from './observability.js';
import { benchMariaDbPlayground, benchPlayground } from './playground.js';
import { benchReload } from './reload.js';
import { benchMariaDbRequests, benchRequests } from './requests.js';
import { benchScale } from './scale/scale.js';
import { benchSearch } from './search.js';
import { benchServing, ROWS } from './serving/serving.js';
import { benchStart } from './start.js';
import { benchTidbOperations } from './tidb-operations.js';
import { benchTracking } from './tracking/tracking.js';
import { benchWorkers } from './workers.js';

/**
 * The command line options. `--only` is for the benchmark `serving`, `--quick` for most benchmarks, `--days` and `--collections` for
 * `tracking`, `--hours` for `scale`.
 */
const { values: options, positionals: selected } = parseArgs({
  options: {
    json: { type: 'string' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    days: { type: 'string' },
    collections: { type: 'string' },
    hours: { type: 'string' },
  },
  allowPositionals: true,
});
const DETAIL_WIDTH = 80;
const sizes = Object.fromEntries(
  (['days', 'collections', 'hours'] as const).flatMap((name) =>
    options[name] === undefined ? [] : [[name, Number(options[name])]],
  ),
);
const rows = options.only?.split(',') ?? [];

/** The benchmarks by name. The arguments are an empty folder for data, and a function that prints progress. */
const BENCHES: Readonly<Record<string, (folder: string, log: (text: string) => void) => Promise<Figure[]>>> = {
  import: benchImport,
  requests: benchRequests,
  start: benchStart,
  reload: benchReload,
  search: benchSearch,
  playground: benchPlayground,
  explorer: benchExplorer,
  formats: (folder, log) => benchFormats(folder, log, { isQuick: options.quick }),
  console: (folder, log) => benchConsole(folder, log, { isQuick: options.quick }),
  'mariadb-requests': benchMariaDbRequests,
  'mariadb-load': benchMariaDbLoad,
  'mariadb-operations': benchMariaDbOperations,
  'mariadb-joins': benchMariaDbJoins,
  'mariadb-playground': benchMariaDbPlayground,
  'tidb-operations': benchTidbOperations,
  tracking: (folder, log) => benchTracking(folder, log, { isQuick: options.quick, ...sizes }),
  workers: benchWorkers,
  scale: (folder, log) => benchScale(folder, log, { isQuick: options.quick, ...sizes }),
  observability: (folder, log) => benchObservability(folder, log, { isQuick: options.quick }),
  serving: (folder, log) => benchServing(folder, log, { only: rows, isQuick: options.quick }),
};

requireKnown('benchmark', selected, BENCHES);
requireKnown('row of serving', rows, ROWS);

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

const table = new Table({
  head: ['figure', 'value', 'target', 'met', 'detail'],
  style: { head: [], border: [] },
  colWidths: [null, null, null, null, DETAIL_WIDTH],
  wordWrap: true,
});
for (const figure of figures) {
  const { name, value, unit, target, bound, detail } = figure;
  const met = meetsTarget(figure) ? 'yes' : 'NO';
  if (Number.isNaN(value)) table.push([name, '–', '–', met, detail]);
  else table.push([name, `${round(value)} ${unit}`, `${bound} ${round(target)} ${unit}`, met, detail]);
}
console.log(table.toString());
if (options.json !== undefined) await writeFile(options.json, report(figures));
process.exitCode = figures.every(meetsTarget) ? 0 : 1;

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

function requireKnown(kind: string, names: readonly string[], known: Readonly<Record<string, unknown>>): void {
  const unknown = names.filter((name) => !(name in known));
  if (unknown.length === 0) return;
  console.error(`Unknown ${kind} ${unknown.join(', ')}; expected one of ${Object.keys(known).join(', ')}.`);
  process.exit(2);
}

/** Writes the figures and facts about the machine as JSON. Figures that were not measured have the value null. */
function report(measured: readonly Figure[]): string {
  const processors = cpus();
  const machine = {
    processors: processors.length,
    model: processors[0]?.model,
    node: process.version,
    memory: totalmem(),
  };
  const withResults = measured.map((figure) => ({ ...figure, met: meetsTarget(figure) }));
  return `${JSON.stringify({ at: new Date().toISOString(), machine, isQuick: options.quick, figures: withResults }, null, 2)}\n`;
}
