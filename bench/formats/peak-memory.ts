import { readFileSync, writeFileSync } from 'node:fs';

/** Resets the peak of the resident memory of a process to its current value. Linux only. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Returns the resident memory of a process (`VmRSS`), or its peak (`VmHWM`), in megabytes. */
export function residentMegabytes(pid: number, key: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}
