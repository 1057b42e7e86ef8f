import { spawnSync } from 'node:child_process';
import { Redis } from 'ioredis';
import { installPackage } from './debian.js';
import { type PrivateServer, startPrivateServer } from './private-server.js';
import { sharedResource } from './shared-resource.js';

/** A Redis server that only the tests use. The server loses all data when it ends. */
export interface PrivateRedis extends PrivateServer {
  readonly url: string;
}

/** Starts a private Redis. `settings` are additional command line options, for example `--requirepass`, `secret`. */
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

/** Like `useRedis`, for suites that start private servers because they kill them. */
export function needRedis(): void {
  before(async function () {
    if ((await sharedResource('/can-start-redis')) === '') skip(this);
  });
}

/**
 * Returns an empty database for the calling suite in the Redis that all suites share: the Redis of `TEST_REDIS_URL`, or a private one. Each
 * process that runs suites flushes and uses a separate database; their numbers start with the one in the URL. Without Redis, the suite is
 * skipped, or with `REQUIRE_SERVICES=1` fails. The result must only be read in tests and hooks.
 */
export function useRedis(): { readonly url: string } {
  let url = '';
  before(async function () {
    const shared = await sharedResource('/redis');
    if (shared === '') return skip(this);
    url = withDatabaseOfProcess(shared);
    await flush(url);
  });
  return {
    get url() {
      return url;
    },
  };
}

let isHere: boolean | undefined;

/** Whether Redis is installed. If Redis is missing and this process runs as root on Debian, installs it first. */
export function hasRedis(): boolean {
  isHere ??= isInstalled() || (installPackage('redis-server') && isInstalled());
  return isHere;
}

function isInstalled(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

function withDatabaseOfProcess(shared: string): string {
  const url = new URL(shared);
  url.pathname = `/${Number(url.pathname.slice(1)) + Number(process.env.MOCHA_WORKER_ID ?? 0)}`;
  return url.href;
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
