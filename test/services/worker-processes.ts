import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

export interface WorkerOfTest {
  readonly pid: number;
  readonly environment: string;
  readonly residentBytes: number;
  /** The share of one processor that the process used during the last 100 ms. */
  readonly cpuShare: number;
}

/** The processes of isolated databases that this process has started and that still run. Linux only. */
export async function workerProcesses(): Promise<WorkerOfTest[]> {
  const found = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(workerOf));
  return found.filter((worker) => worker !== undefined);
}

async function workerOf(name: string): Promise<WorkerOfTest | undefined> {
  const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8');
  try {
    if (!(await read('cmdline')).includes('isolated/worker-main.js')) return undefined;
    const before = fieldsOf(await read('stat'));
    if (before.state === 'Z' || before.parent !== process.pid) return undefined;
    await pause(MEASURED_MS);
    const after = fieldsOf(await read('stat'));
    const [, pages = '0'] = (await read('statm')).split(' ');
    return {
      pid: Number(name),
      environment: await read('environ'),
      residentBytes: Number(pages) * PAGE_BYTES,
      cpuShare: ((after.ticks - before.ticks) * TICK_MS) / MEASURED_MS,
    };
  } catch {
    // The process ended before its file was read.
    return undefined;
  }
}

const MEASURED_MS = 100;
const PAGE_BYTES = 4096;
/** The milliseconds per tick of `USER_HZ`, which is 100 on Linux. */
const TICK_MS = 10;

/** Splits the content of `/proc/[pid]/stat` into fields; see proc(5). The name in parentheses may contain spaces. */
function fieldsOf(stat: string) {
  const [state = '', parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [rest[9], rest[10]].map(Number);
  return { state, parent: Number(parent), ticks: (user ?? 0) + (system ?? 0) };
}
