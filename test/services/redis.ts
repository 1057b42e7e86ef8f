import { spawnSync } from 'node:child_process';
import { Redis } from 'ioredis';
import { installPackage } from './debian.js';
import { type PrivateServer, startPrivateServer } from './private-server.js';

/** A Redis of the tests' own, which forgets everything when it ends. */
export interface PrivateRedis extends PrivateServer {
  readonly url: string;
}

/** Starts one, with `settings` added to its command line, such as `--requirepass`, `secret`. */
export async function startRedis(settings: readonly string[] = []): Promise<PrivateRedis> {
  const server = await startPrivateServer({
    name: 'redis',
    command: 'redis-server',
    arguments: (folder, port) => [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
      ...['--save', '', '--appendonly', 'no', ...settings],
    ],
  });
  return Object.assign(server, { url: `redis://127.0.0.1:${server.port}` });
}

/** As `useRedis`, for suites that start servers of their own, to kill them. */
export function needRedis(): void {
  before(function () {
    this.timeout(INSTALL_MS);
    if (!hasRedis()) skip(this);
  });
}

/**
 * Gives the suite that calls it an empty Redis: the one of `TEST_REDIS_URL`, whose database it flushes, or a private one. Without
 * any the suite is skipped; with `REQUIRE_SERVICES=1` it fails. Read it in tests and hooks only.
 */
export function useRedis(): { readonly url: string } {
  const given = process.env.TEST_REDIS_URL;
  let server: PrivateRedis | undefined;
  let url = '';
  before(async function () {
    this.timeout(INSTALL_MS);
    if (given !== undefined && given !== '') url = given;
    else if (!hasRedis()) return skip(this);
    else {
      server = await startRedis();
      url = server.url;
    }
    await flush(url);
  });
  after(() => server?.remove());
  return {
    get url() {
      return url;
    },
  };
}

/** Where Redis has to be installed first. */
const INSTALL_MS = 600_000;

let isHere: boolean | undefined;

function hasRedis(): boolean {
  isHere ??= isInstalled() || (installPackage('redis-server') && isInstalled());
  return isHere;
}

function isInstalled(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

async function flush(url: string): Promise<void> {
  const client = new Redis(url);
  await client.flushdb();
  client.disconnect();
}

function skip(context: Mocha.Context): void {
  const reason = 'needs Redis: install redis-server, or set TEST_REDIS_URL';
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(`This suite ${reason}.`);
  process.stderr.write(`SKIPPED, ${reason}: ${context.currentTest?.parent?.title ?? context.test?.parent?.title}\n`);
  context.skip();
}
