import { readdir, readFile } from 'node:fs/promises';

export interface WorkerOfTest {
  readonly pid: number;
  readonly environment: string;
  readonly residentBytes: number;
  /** 1 if a thread of the process is running or waiting for a CPU, otherwise 0. */
  readonly cpuShare: number;
}

/** Returns the processes of isolated databases that this process has started and that are still running. Linux only. */
export async function workerProcesses(): Promise<WorkerOfTest[]> {
  const found = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(workerOf));
  return found.filter((worker) => worker !== undefined);
}

async function workerOf(name: string): Promise<WorkerOfTest | undefined> {
  const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8');
  try {
    if (!(await read('cmdline')).includes('isolated/worker-main.js')) return undefined;
    const { state, parent } = fieldsOf(await read('stat'));
    if (state === 'Z' || parent !== process.pid) return undefined;
    const threads = await readdir(`/proc/${name}/task`);
    const states = await Promise.all(threads.map(async (id) => fieldsOf(await read(`task/${id}/stat`)).state));
    const [, pages = '0'] = (await read('statm')).split(' ');
    return {
      pid: Number(name),
      environment: await read('environ'),
      residentBytes: Number(pages) * PAGE_BYTES,
      cpuShare: states.includes('R') ? 1 : 0,
    };
  } catch {
    // The process has ended before its file was read.
    return undefined;
  }
}

const PAGE_BYTES = 4096;

/** Splits the content of `/proc/[pid]/stat` into fields; see proc(5). The name in parentheses may contain spaces. */
function fieldsOf(stat: string) {
  const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent) };
}
