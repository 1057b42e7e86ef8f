import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { execute } from '../test/services/execute.js';
import { isMariaDbInstalled, startMariaDb } from '../test/services/mariadb.js';
import { startRedis } from '../test/services/redis.js';
import { compiled, type Fault, FaultyCopy, readFaults } from './faulty-copy.js';

const HELP = `Usage: node dist/scripts/find-faults.js [options]

Measures whether the tests find faults. For each fault of test/faults/, changes one line in a copy of the built checkout, and runs
the suites that should find the fault. Needs Linux, MariaDB and Redis.

  --root DIR    the built checkout to test (default: this one)
  --only LIST   only these layers and numbers of faults, such as sql,12,web
  --jobs N      the number of faults that are tested at the same time (default: 1)
  --json FILE   also writes the results to this file
  --limit N     the time limit of one run in seconds (default: 240); a fault whose run needs more time is found
  --no-check    does not first run the suites without a fault, if they are known to pass
  --help        prints this text

Exit codes: 0 all faults are found, 1 some are not found, or could not be tested, 2 could not run.
`;

/** The number of suites per process in the runs without a fault. */
const GROUP = 10;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Result extends Fault {
  readonly number: number;
  /** `stale`: the file, the text to replace or a suite does not exist. `invalid`: a suite also fails without the fault. */
  readonly result: 'found' | 'hangs' | 'not found' | 'stale' | 'invalid';
  /** The test that failed, or the reason of `stale` and `invalid`. */
  readonly by: string;
  readonly seconds: number;
}

type NumberedFault = Fault & { readonly number: number };
type Servers = Awaited<ReturnType<typeof startServers>>;

const options = readOptions();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const results: Result[] = [];
/** The failure of each suite in the run without a fault. Empty if the suite passes. */
const failures = new Map<string, string>();
try {
  if (!isMariaDbInstalled()) throw new Error('This needs MariaDB: install mariadb-server.');
  const faults = readFaults(ROOT)
    .map((fault, index): NumberedFault => ({ ...fault, number: index + 1 }))
    .filter(isSelected);
  if (faults.length === 0) throw new Error(`--only ${options.only}: there is no such fault`);
  await testAll(faults);
  printResults();
  process.exitCode = results.every(({ result }) => isFound(result)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 2;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      root: { type: 'string', default: ROOT },
      only: { type: 'string' },
      jobs: { type: 'string', default: '1' },
      json: { type: 'string' },
      limit: { type: 'string', default: '240' },
      'no-check': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const limitMs = Number(values.limit) * 1000;
  return { ...values, limitMs, root: resolve(values.root), jobs: Math.max(1, Number(values.jobs)) };
}

function isSelected({ layer, number }: NumberedFault): boolean {
  const selected = options.only?.split(',');
  return selected === undefined || selected.includes(layer) || selected.includes(String(number));
}

function isFound(result: Result['result']): boolean {
  return result === 'found' || result === 'hangs';
}

/** Runs all suites without a fault, then the suites of each fault. Each parallel job uses a separate copy and separate servers. */
async function testAll(faults: readonly NumberedFault[]): Promise<void> {
  const testable = faults.filter((fault) => {
    const reason = whyStale(fault);
    if (reason !== undefined) note({ ...fault, result: 'stale', by: reason, seconds: 0 });
    return reason === undefined;
  });
  const suites = [...new Set(testable.flatMap((fault) => fault.suites))].sort();
  const checked = options['no-check'] ? [] : suites;
  const groups = checked.flatMap((_, index) => (index % GROUP === 0 ? [checked.slice(index, index + GROUP)] : []));
  const faultQueue = [...testable];
  const onEachJob = async (work: (servers: Servers) => Promise<void>) => {
    const jobs = Array.from({ length: options.jobs }, async () => {
      const servers = await startServers();
      await work(servers).finally(servers.remove);
    });
    const ends = await Promise.allSettled(jobs);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  await onEachJob(async (servers) => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
      await checkSuites(group, testable, servers);
      progress(`${failures.size}/${suites.length} suites ran without a fault`);
    }
  });
  await onEachJob(async (servers) => {
    for (let fault = faultQueue.shift(); fault !== undefined; fault = faultQueue.shift()) {
      note(await testFault(fault, servers));
      progress(`${results.length}/${faults.length} ${describe(results.at(-1))}`);
    }
  });
}

/** Returns why a fault cannot be tested; undefined if it can. */
function whyStale({ file, find, suites }: Fault): string | undefined {
  const path = join(options.root, file);
  const count = existsSync(path) ? readFileSync(path, 'utf8').split(find).length - 1 : 0;
  if (count !== 1) return `${file} contains the text ${count} times`;
  const missing = suites.filter((suite) => !existsSync(join(options.root, compiled(`test/${suite}.test.ts`))));
  return missing.length > 0 ? `there is no suite ${missing.join(', ')}` : undefined;
}

/**
 * Runs suites without a fault, in one process. If one fails, each suite is run separately, and a second time if it fails again, because
 * tests can fail by chance. The source files of the faults are compiled in the same way as with a fault.
 */
async function checkSuites(suites: readonly string[], faults: readonly Fault[], servers: Servers): Promise<void> {
  const files = faults.filter((fault) => fault.layer !== 'web' && fault.suites.some((suite) => suites.includes(suite)));
  const unchanged = Object.fromEntries(
    files.map(({ file }) => [file, readFileSync(join(options.root, file), 'utf8')] as const),
  );
  const run = async (some: readonly string[]) => {
    const { state, by } = await runIn(unchanged, some, servers, some.length * options.limitMs);
    if (state !== 'passed') progress(`without a fault: ${some.join(' ')} ${state}: ${by}`);
    return state === 'passed' ? '' : by || state;
  };
  const isGroupSound = (await run(suites)) === '';
  for (const suite of suites) {
    failures.set(suite, isGroupSound || (await run([suite])) === '' ? '' : await run([suite]));
  }
}

async function testFault(fault: NumberedFault, servers: Servers): Promise<Result> {
  const failing = fault.suites.filter((suite) => failures.get(suite));
  const reason = failing.map((suite) => `${suite}: ${failures.get(suite)}`).join('; ');
  if (failing.length > 0) return { ...fault, result: 'invalid', by: reason, seconds: 0 };
  const source = readFileSync(join(options.root, fault.file), 'utf8');
  const changed = source.replace(fault.find, () => fault.replace);
  const { state, by, seconds } = await runIn({ [fault.file]: changed }, fault.suites, servers);
  return { ...fault, result: ({ passed: 'not found', failed: 'found', hangs: 'hangs' } as const)[state], by, seconds };
}

/** Runs suites in a new copy in which these files are changed. */
async function runIn(
  files: Readonly<Record<string, string>>,
  suites: readonly string[],
  servers: Servers,
  limitMs = options.limitMs,
) {
  const copy = new FaultyCopy(options.root);
  try {
    for (const [file, source] of Object.entries(files)) await copy.write(file, source);
    const end = await copy.run(suites, servers.environment, limitMs, stop.signal);
    if (stop.signal.aborted) throw new Error('Interrupted.');
    return end;
  } finally {
    copy.remove();
    await servers.removeDatabases();
  }
}

/** Starts a MariaDB and a Redis server that all runs of a job share. */
async function startServers() {
  const [database, redis] = await Promise.all([startMariaDb(), startRedis(['--databases', '1000'])]);
  return {
    environment: { TEST_MYSQL_URL: database.url, TEST_REDIS_URL: redis.url },
    /** Removes the databases of a run that was killed. */
    removeDatabases: async () => {
      const names = await execute(database.url, "SHOW DATABASES WHERE `Database` RLIKE '^(test|template)_'");
      for (const { Database: name } of names) await execute(database.url, `DROP DATABASE ${name}`);
    },
    remove: async () => {
      await Promise.all([database.remove(), redis.remove()]);
    },
  };
}

function note(result: Result): void {
  results.push(result);
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, undefined, 2)}\n`);
}

function progress(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text.trim().replaceAll('\n', ' ')}\n`);
}

function describe(result: Result | undefined): string {
  if (result === undefined) return '';
  const { number, layer, file, fault, by, seconds } = result;
  const reason = by === '' ? '' : ` — ${by}`;
  return `${result.result} in ${seconds} s: #${number} ${layer} ${file}: ${fault}${reason}`;
}

function printResults(): void {
  const table = new Table({ head: ['layer', 'faults', 'found'], style: { head: [], border: [] } });
  const row = (name: string, of: readonly Result[]) =>
    table.push([name, of.length, of.filter(({ result }) => isFound(result)).length]);
  for (const layer of new Set(results.map((result) => result.layer))) {
    row(
      layer,
      results.filter((result) => result.layer === layer),
    );
  }
  row('all', results);
  process.stdout.write(`${table}\n`);
  for (const result of results) if (!isFound(result.result)) process.stdout.write(`${describe(result)}\n`);
}
