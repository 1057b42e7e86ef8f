import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { stopAll } from '../cli/command-line.js';
import { execute, useMysql } from '../services/mysql.js';
import { describeEmbedded, describeExceptOnTidb } from '../services/server.js';
import { hourFiles } from '../warehouse/event-files.js';
import { COLLECTION, runVersion, serveVersion, THIS_VERSION, type Version } from './service-answers.js';

const run = promisify(execFile);
const COMMIT = process.env.UPGRADE_FROM;

let folder: string;
const settingsOf = (database: Readonly<Record<string, string>>) => ({
  DATA_DIR: folder,
  NOW: '2015-01-02T00:00:00Z',
  JWT_SECRET: 'a secret that only these tests know',
  HOST: '127.0.0.1',
  ...database,
});

/** Imports an hour and a collection. Returns the token of a user with a subscription, and the answers of the service. */
async function fill(version: Version, environment: Readonly<Record<string, string>>) {
  await writeFile(join(folder, 'collections.yaml'), COLLECTION);
  await runVersion(version, ['data', 'migrate'], environment);
  await runVersion(version, ['data', 'import', ...(await hourFiles(folder, [1]))], environment);
  await runVersion(version, ['data', 'collections', join(folder, 'collections.yaml')], environment);
  const token = /ey\S+/.exec(await runVersion(version, ['user', 'token', 'alice'], environment))?.[0] ?? '';
  const service = await serveVersion(version, environment);
  expect(await service.subscribe(token)).to.be.within(200, 204);
  return { service, token, answers: await service.answers(token) };
}

async function answersOf(version: Version, environment: Readonly<Record<string, string>>, token: string) {
  const service = await serveVersion(version, environment);
  const answers = await service.answers(token);
  await service.stop();
  return answers;
}

/** Sets up a folder. The function is called in each suite, because hooks at file level would also run for other files. */
function useFolder(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-kept-'));
  });
  afterEach(async () => {
    stopAll();
    await rm(folder, { recursive: true, force: true });
  });
}

describeExceptOnTidb('its dumps need other tools', 'a dump of a database server', () => {
  useFolder();
  const server = useMysql();

  it('has the data of a running service when it is restored into an empty database', async () => {
    const environment = settingsOf(server.environment);
    const { service, token, answers } = await fill(THIS_VERSION, environment);
    const dump = await run('mariadb-dump', [...clientOf(server.url), '--single-transaction', '--quick', server.name], {
      maxBuffer: 100_000_000,
    });
    await service.stop();
    await execute(server.url, `DROP DATABASE ${server.name}`, `CREATE DATABASE ${server.name} CHARACTER SET utf8mb4`);
    const restoring = run('mariadb', [...clientOf(server.url), server.name]);
    restoring.child.stdin?.end(dump.stdout);
    await restoring;
    expect(await answersOf(THIS_VERSION, environment, token)).to.deep.equal(answers);
  });
});

/** This test takes minutes and needs the git history: `UPGRADE_FROM=<commit> npx mocha dist/test/deploy/kept-data.test.js`. */
describe('an upgrade from an earlier version', () => {
  useFolder();
  let earlier = '';
  let source: string | undefined;
  before(async function () {
    if (COMMIT === undefined) {
      process.stderr.write(
        'SKIPPED, needs UPGRADE_FROM, a commit of this repository: an upgrade from an earlier version\n',
      );
      return this.skip();
    }
    source = await mkdtemp(join(tmpdir(), 'repo-insight-earlier-'));
    await run('git', ['clone', '--quiet', '--shared', '--no-checkout', '.', source]);
    await run('git', ['checkout', '--quiet', COMMIT], { cwd: source });
    await run('npm', ['ci', '--ignore-scripts'], { cwd: source, maxBuffer: 10_000_000 });
    await run('npm', ['run', 'build'], { cwd: source, maxBuffer: 10_000_000 });
    earlier = join(source, 'dist/cli/repo-insight.cjs');
  });
  after(async () => {
    if (source !== undefined) await rm(source, { recursive: true, force: true });
  });

  const keepsAnswers = async (environment: Readonly<Record<string, string>>) => {
    const { service, token, answers } = await fill(earlier, environment);
    await service.stop();
    await runVersion(THIS_VERSION, ['data', 'migrate'], environment);
    expect(membersOf(answers, await answersOf(THIS_VERSION, environment, token))).to.deep.equal(answers);
  };

  describeEmbedded('of the embedded database', () => {
    it('keeps all answers', () => keepsAnswers(settingsOf({ DATABASE_URL: `duckdb:${join(folder, 'data.duckdb')}` })));
  });
  describe('of a database server', () => {
    const server = useMysql();
    it('keeps all answers', () => keepsAnswers(settingsOf(server.environment)));
  });
});

/** Returns a value without members that are missing in the earlier value, because a new version may add members. */
function membersOf(earlier: unknown, value: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(value))
    return value.map((item, index) => membersOf(earlier[index], item));
  if (!isObject(earlier) || !isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => Object.hasOwn(earlier, name));
  return Object.fromEntries(kept.map(([name, member]) => [name, membersOf(earlier[name], member)]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the options with which a MariaDB client program connects to the server of a URL. */
function clientOf(url: string): string[] {
  const { hostname, port, username, password } = new URL(url);
  const account = [`--user=${username}`, `--password=${password}`];
  return ['--no-defaults', '--protocol=TCP', `--host=${hostname}`, `--port=${port}`, ...account];
}
