import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { HOUR_MS, parseArchiveHour } from '../../../warehouse/import/files/archive-hours.js';
import type { FollowEvent, FollowOptions } from '../../../warehouse/import/follow/follow-options.js';
import { Follower } from '../../../warehouse/import/follow/follower.js';
import { eventually } from '../../services/eventually.js';
import { archiveServer, type Fault } from '../archive-server.js';
import { hourLines } from '../event-files.js';
import type { Rows } from '../oracle-tables.js';
import { type KillAt, REACHED } from '../store-steps.js';
import { type MakeWarehouse, reopened, type TestWarehouse } from '../test-warehouse.js';

/** The factor for pauses, so that a pause of a minute takes 30 ms. */
export const PAUSE_SCALE = 0.0005;
/** A stall timeout that is longer than any pause of a busy machine. */
export const STALL_MS = 600_000;

export const hourOf = (hour: number): number => (parseArchiveHour('2015-01-01') as number) + hour;
export const timeOf = (hour: number): Date => new Date(hourOf(hour) * HOUR_MS);
export const pathOf = (hour: number): string => `/2015-01-01-${hour}.json.gz`;
export const zipLines = (lines: readonly string[]): Buffer => gzipSync(`${lines.join('\n')}\n`);
export const fileOf = (hour: number): Buffer => zipLines(hourLines(hour, 3));
/** The number of events of each hour. */
export const EVENTS = 39;

/** Returns archive files by path, for `archiveServer`. A test can add files later. */
export function archiveFiles(hours: readonly number[]): Record<string, Buffer> {
  return Object.fromEntries(hours.map((hour) => [pathOf(hour), fileOf(hour)]));
}

const cleanRows = new Map<string, Promise<Record<string, Rows>>>();

/**
 * Returns the rows after one import of these hours, without any fault. A process imports the same hours only once, because the rows are the
 * same in every database.
 */
export function cleanImport(make: MakeWarehouse, hours: readonly number[]): Promise<Record<string, Rows>> {
  const key = hours.join();
  const rows = cleanRows.get(key) ?? importOnce(make, hours);
  cleanRows.set(key, rows);
  return rows;
}

async function importOnce(make: MakeWarehouse, hours: readonly number[]) {
  const warehouse = await make();
  const server = await archiveServer(archiveFiles(hours));
  await warehouse.import(
    hours.map((hour) => `2015-01-01-${hour}`),
    { archiveUrl: server.url },
  );
  const rows = await warehouse.everything();
  await Promise.all([server.close(), warehouse.close()]);
  return rows;
}

/** Starts a follower that runs until `stop` is called. `events` are the events so far, in order. */
export function startFollower(
  warehouse: TestWarehouse,
  archiveUrl: string,
  { stallMs = STALL_MS, ...options }: Partial<FollowOptions> & { readonly stallMs?: number },
) {
  const stopping = new AbortController();
  const events: FollowEvent[] = [];
  const follower = new Follower({
    store: warehouse.store,
    importing: {
      stagingDirectory: join(warehouse.folder, 'staging'),
      downloadDirectory: join(warehouse.folder, 'downloads'),
      archiveUrl,
      stallMs,
    },
    clock: () => timeOf(10),
    pauseScale: PAUSE_SCALE,
    ...options,
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  const ended = follower.run(stopping.signal);
  // Prevents an unhandled rejection: a test that expects an error awaits `ended` later.
  ended.catch(() => undefined);
  const stop = () => {
    stopping.abort();
    return ended;
  };
  return { progress: () => follower.progress(), events, ended, stop };
}

/** Starts a follower in a separate process, which halts at a step. The process ends when no hour of its range is missing. */
export function startFollowerProcess({ folder, url = '' }: TestWarehouse, archiveUrl: string, at: KillAt) {
  const program = fileURLToPath(new URL('./follow-child.js', import.meta.url));
  const words = [program, folder, url, archiveUrl, at.step, String(at.time ?? 1)];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  return { child, ended: once(child, 'exit'), lines: createInterface({ input: child.stdout }) };
}

/**
 * Starts processes that are killed by `kill`, and then runs a follower to its end. Returns all rows, and the names of the remaining
 * downloads.
 */
export async function killAndComplete(
  make: MakeWarehouse,
  {
    hours,
    faults,
    kills,
  }: { readonly hours: readonly number[]; readonly faults: Faults; readonly kills: readonly Kill[] },
) {
  const created = await make();
  await created.leave();
  const server = await archiveServer(archiveFiles(hours), faults);
  for (const kill of kills) await kill(created, server.url);
  const warehouse = await reopened(created.folder, created.url);
  try {
    const follower = startFollower(warehouse, server.url, { from: hourOf(6) });
    await eventually(() => follower.progress().missingHours === 0);
    await follower.stop();
    return {
      rows: await warehouse.everything(),
      downloads: await readdir(join(created.folder, 'downloads')),
    };
  } finally {
    await server.close();
    await warehouse.close();
  }
}

/** Starts a follower in a separate process and kills it. */
export type Kill = (warehouse: TestWarehouse, archiveUrl: string) => Promise<void>;

export const killAt =
  (at: KillAt): Kill =>
  async (warehouse, archiveUrl) => {
    const { child, ended, lines } = startFollowerProcess(warehouse, archiveUrl, at);
    for await (const line of lines) if (line === REACHED) child.kill('SIGKILL');
    expect(await ended, at.step).to.deep.equal([null, 'SIGKILL']);
  };

export type Faults = Readonly<Record<string, readonly Fault[]>>;
