import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFile } from '../../server/settings/database-location.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { createTables, type DemoSize } from '../service/demo-data.js';
import { createDatabase, execute, withDatabase } from './mysql.js';
import type { PrivateServer } from './private-server.js';
import { hasRedis, startRedis } from './redis.js';
import { canStartServer, givenServer, startServer } from './server.js';

/**
 * Starts or creates a resource that a suite requests. Resolves to an empty text if this machine cannot provide the resource. The function
 * is called only once for equal requests.
 */
export async function createResource(path: string, folder: string): Promise<string> {
  const { pathname, searchParams } = new URL(path, 'http://run');
  switch (pathname) {
    // Both cases may install a package, and only one process at a time can install packages.
    case '/can-start-server':
      return canStartServer() ? 'yes' : '';
    case '/can-start-redis':
      return hasRedis() ? 'yes' : '';
    case '/server':
      return sharedServer();
    case '/redis':
      return redisUrl();
    case '/chromium':
      return chromiumEndpoint();
    case '/database-file':
      return createFile(folder, sizeOf(searchParams));
    case '/database':
      return createOnServer(folder, sizeOf(searchParams));
    default:
      throw new Error(`There is no resource ${path}`);
  }
}

/** Stops the servers of the run, and removes databases that the run created on an existing server. */
export async function removeResources(): Promise<void> {
  for (const name of databases) await execute(await sharedServer(), `DROP DATABASE ${name}`);
  await Promise.all(started.map((one) => one.remove()));
}

const started: Pick<PrivateServer, 'remove'>[] = [];
const databases: string[] = [];
let server: Promise<string> | undefined;

function sharedServer(): Promise<string> {
  server ??= serverUrl();
  return server;
}

async function serverUrl(): Promise<string> {
  const given = givenServer();
  if (given !== '' || !canStartServer()) return given;
  const own = await startServer();
  started.push(own);
  return own.url;
}

async function redisUrl(): Promise<string> {
  const given = process.env.TEST_REDIS_URL ?? '';
  if (given !== '' || !hasRedis()) return given;
  const own = await startRedis(['--databases', '1000']);
  started.push(own);
  return own.url;
}

/** Returns the endpoint of the browser that all suites share. The browser ends with the main process of the run. */
async function chromiumEndpoint(): Promise<string> {
  // This module is only loaded when needed, so that runs without a browser start faster.
  const { chromiumPath, startChromium } = await import('./chromium.js');
  const path = chromiumPath();
  if (path === undefined) return '';
  const browser = await startChromium(path);
  started.push({ remove: () => browser.close() });
  return browser.wsEndpoint();
}

/** Returns the size of the demo data; undefined for tables without events. */
function sizeOf(parameters: URLSearchParams): DemoSize | undefined {
  if (parameters.size === 0) return undefined;
  return Object.fromEntries([...parameters].map(([name, value]) => [name, Number(value)])) as unknown as DemoSize;
}

async function createFile(folder: string, size: DemoSize | undefined): Promise<string> {
  const settings = readSettings({ DATA_DIR: await newFolder(folder) });
  await createTables(settings, size);
  return databaseFile(settings) ?? '';
}

async function createOnServer(folder: string, size: DemoSize | undefined): Promise<string> {
  const name = `template_${randomBytes(6).toString('hex')}`;
  const url = await sharedServer();
  await createDatabase(url, name);
  databases.push(name);
  const account = { DATABASE_URL: withDatabase(url, name), DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' };
  await createTables(readSettings({ DATA_DIR: await newFolder(folder), ...account }), size);
  return name;
}

function newFolder(folder: string): Promise<string> {
  return mkdtemp(join(folder, 'template-'));
}
