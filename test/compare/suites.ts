import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPackage } from '../services/debian.js';
import { readGoQueries, readGoSetup, readMysqltest, type Step } from './statements.js';

/** A suite of SQL tests of another project. Its files are read from the package of that project, and are not part of this repository. */
export interface Suite {
  readonly name: string;
  /** The version of the package. */
  readonly version: string;
  /** Statements that create the tables for the tests that have no own tables. */
  readonly setup: readonly string[];
  readonly files: readonly SuiteFile[];
}

export interface SuiteFile {
  readonly name: string;
  read(): Promise<Step[]>;
}

export const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  mariadb: openMariaDbTests,
  tidb: openTidbTests,
  'go-mysql-server': openGoMysqlServer,
};

/** The tests of MariaDB, from Debian's package `mariadb-test-data`. */
async function openMariaDbTests(): Promise<Suite> {
  if (!existsSync(MARIADB_TESTS) && !installPackage('mariadb-test-data')) {
    throw new Error('The tests of MariaDB are not installed: apt-get install mariadb-test-data');
  }
  const { stdout } = await run('dpkg', ['-s', 'mariadb-test-data']);
  return {
    name: 'mariadb',
    version: /^Version: (.*)$/m.exec(stdout)?.[1] ?? '',
    setup: [],
    files: await mysqltestFiles(MARIADB_TESTS),
  };
}

const MARIADB_TESTS = '/usr/share/mysql/mysql-test/main';

async function openTidbTests(): Promise<Suite> {
  const folder = await downloadModule(TIDB);
  const files = await mysqltestFiles(join(folder, 'tests', 'integrationtest', 't'));
  return { name: 'tidb', version: TIDB, setup: [], files };
}

const TIDB = 'github.com/pingcap/tidb@v1.1.0-beta.0.20241125141335-ec8b81b98edc';

async function mysqltestFiles(folder: string): Promise<SuiteFile[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.test')).sort();
  return names.map((name) => ({
    name,
    // Some files contain text in other encodings than UTF-8. Their other statements can be compared.
    read: async () => readMysqltest(await readFile(join(folder, name), 'utf8')),
  }));
}

/** The query tests of go-mysql-server. Rejects if its Go module cannot be downloaded. */
export async function openGoMysqlServer(): Promise<Suite> {
  const folder = join(await downloadModule(GO_MYSQL_SERVER), 'enginetest');
  const scripts = join(folder, 'scriptgen', 'setup', 'scripts');
  const setup: string[] = [];
  for (const name of (await readdir(scripts)).sort()) {
    setup.push(...readGoSetup(await readFile(join(scripts, name), 'utf8')));
  }
  const queries = join(folder, 'queries');
  const names = (await readdir(queries)).filter((name) => name.endsWith('.go')).sort();
  const files = names.map((name) => ({
    name,
    read: async () => readGoQueries(await readFile(join(queries, name), 'utf8')),
  }));
  return { name: 'go-mysql-server', version: GO_MYSQL_SERVER, setup, files };
}

const GO_MYSQL_SERVER = 'github.com/dolthub/go-mysql-server@v0.20.0';

/** Downloads a Go module, or finds it in the cache of Go. Returns its folder. */
async function downloadModule(module: string): Promise<string> {
  const folder = join(tmpdir(), 'repo-insight-go-modules');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'go.mod'), 'module suites\n');
  try {
    const { stdout } = await run('go', ['mod', 'download', '-json', module], { cwd: folder });
    return (JSON.parse(stdout) as { Dir: string }).Dir;
  } catch (error) {
    throw new Error(`The Go module ${module} could not be downloaded. This needs Go and a module proxy.`, {
      cause: error,
    });
  }
}

const run = promisify(execFile);
