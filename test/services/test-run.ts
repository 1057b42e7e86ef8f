import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, statfs } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardOf } from './private-server.js';

/**
 * Provides the servers and data that all suites of a run share. The configuration of Mocha loads this file. Suites run in several
 * processes, so the main process owns these resources. The main process creates a resource when a suite first requests it, and removes all
 * of them at the end. Suites send their requests with `shared-resource.ts`.
 */
export async function mochaGlobalSetup(): Promise<void> {
  folder = await mkdtemp(join(await temporaryFolder(), 'repo-insight-tests-'));
  guard = guardOf(folder);
  process.env.TMPDIR = folder;
  listener = createServer((request, response) => {
    answer(request.url ?? '').then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  process.env.TEST_RUN_URL = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
}

export async function mochaGlobalTeardown(): Promise<void> {
  for (const close of closing) await close();
  listener?.close();
  listener?.closeAllConnections();
  if (answers.size > 0) await (await import('./run-resources.js')).removeResources();
  guard?.stdin?.end();
}

/** Warnings of Node about too many listeners of an event, which can be a leak. */
const leaks: Error[] = [];
process.on('warning', (warning) => {
  if (warning.name === 'MaxListenersExceededWarning') leaks.push(warning);
});

export const mochaHooks = {
  /** Fails a suite in which listeners were not removed. */
  afterAll(): void {
    const [leak] = leaks.splice(0);
    if (leak !== undefined) throw leak;
  },
};

/** Registers a function that closes a resource that the suites of this process share. Processes of a parallel run do not call it. */
export function closeAtEnd(close: () => Promise<void>): void {
  closing.push(close);
}

const closing: (() => Promise<void>)[] = [];
let folder = '';
/** A shell process that removes the folder, even if this process is killed. */
let guard: ChildProcess | undefined;
let listener: Server | undefined;

/** The resources by requested path, so that equal requests get the same resource. */
const answers = new Map<string, Promise<string>>();

async function answer(path: string): Promise<string> {
  // This module is only loaded when needed, because it imports most of the program, which a run of small suites does not need.
  const { createResource } = await import('./run-resources.js');
  const known = answers.get(path) ?? createResource(path, folder);
  answers.set(path, known);
  return known;
}

/** Returns a folder in memory, if there is enough, so that test databases do not wait for a disk. */
async function temporaryFolder(): Promise<string> {
  const free = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= MIN_MEMORY_BYTES ? MEMORY_FOLDER : tmpdir();
}

const MEMORY_FOLDER = '/dev/shm';
const MIN_MEMORY_BYTES = 4 * 1024 ** 3;
