import { readdirSync, readFileSync } from 'node:fs';

/** The resources of a process and its children. The values are read from files that only exist on Linux. */
export interface ProcessUsage {
  /** The CPU time of all threads since the start of each process. */
  readonly cpuSeconds: number;
  /** Resident memory. Pages that several of these processes share, such as the code of Node, are counted several times. */
  readonly megabytes: number;
}

/** Returns the CPU seconds of all threads of one process since its start. */
export function cpuSecondsOf(pid: number): number {
  // The second field is the program name in parentheses, which can contain spaces and parentheses. The program name ends at the last `)`.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return (user + system) / TICKS_PER_SECOND;
}

/** Returns the resources of a process and all its descendants. */
export function usageOfTree(pid: number): ProcessUsage {
  const usages = [pid, ...descendantsOf(pid)].map((id) => ({
    cpuSeconds: cpuSecondsOf(id),
    megabytes: megabytesOf(id),
  }));
  return {
    cpuSeconds: usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    megabytes: usages.reduce((sum, { megabytes }) => sum + megabytes, 0),
  };
}

/** The unit of CPU times in `/proc`. It is the same on all architectures that Node supports. */
const TICKS_PER_SECOND = 100;

function descendantsOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  );
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function megabytesOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Number(kilobytes) / 1024;
}
