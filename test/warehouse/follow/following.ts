import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { HOUR_MS, parseArchiveHour } from '../../../warehouse/import/files/archive-hours.js';
import type { FollowEvent, FollowOptions } from '../../../warehouse/import/follow/follow-options.js';
import { Follower } from '../../../warehouse/import/follow/follower.js';
import { archiveServer, type Fault } from '../archive-server.js';
import { hourLines } from '../event-files.js';
import type { MakeWarehouse, TestWarehouse } from '../test-warehouse.js';

/** Pauses of a minute take some milliseconds in these tests. */
export const PAUSE_SCALE = 0.0005;

export const hourOf = (hour: number): number => (parseArchiveHour('2015-01-01') as number) + hour;
export const timeOf = (hour: number): Date => new Date(hourOf(hour) * HOUR_MS);
export const pathOf = (hour: number): string => `/2015-01-01-${hour}.json.gz`;
export const zipLines = (lines: readonly string[]): Buffer => gzipSync(`${lines.join('\n')}\n`);
export const fileOf = (hour: number): Buffer => zipLines(hourLines(hour, 3));
/** The number of events of each hour. */
export const EVENTS = 39;

/** Archive files by their path, for `archiveServer`. A test can add files later. */
export function archiveFiles(hours: readonly number[]): Record<string, Buffer> {
  return Object.fromEntries(hours.map((hour) => [pathOf(hour), fileOf(hour)]));
}

/** The rows after one import of these hours, without any fault. */
export async function cleanImport(make: MakeWarehouse, hours: readonly number[]) {
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

/** A follower that runs until `stop`. `events` are those so far, in their order. */
export function startFollower(
  warehouse: TestWarehouse,
  archiveUrl: string,
  { stallMs = 500, ...options }: Partial<FollowOptions> & { readonly stallMs?: number },
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
  // A test that expects an error awaits `ended` later.
  ended.catch(() => undefined);
  const stop = () => {
    stopping.abort();
    return ended;
  };
  return { progress: () => follower.progress(), events, ended, stop };
}

/** A follower in its own process, which ends when no hour of its range is missing. */
export function startFollowerProcess({ folder, url = '' }: TestWarehouse, archiveUrl: string) {
  const program = fileURLToPath(new URL('./follow-child.js', import.meta.url));
  const child = spawn(process.execPath, [program, folder, url, archiveUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(([code, signal]) => (signal ?? code) as string | number);
  return { child, ended, lines: createInterface({ input: child.stdout }) };
}

export interface FollowerReport {
  readonly importedHours: number;
  readonly events: readonly FollowEvent[];
}

/** Collects what a process reports when it ends. */
export async function reportOf({ ended, lines }: ReturnType<typeof startFollowerProcess>): Promise<FollowerReport> {
  let last = '{}';
  for await (const line of lines) last = line;
  const code = await ended;
  if (code !== 0) throw new Error(`The follower ended with ${code}.`);
  return JSON.parse(last) as FollowerReport;
}

export type Faults = Readonly<Record<string, readonly Fault[]>>;
