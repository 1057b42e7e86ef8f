import { readFileSync, writeFileSync } from 'node:fs';

/** Lets the peak of the resident memory of a process begin again at its present value. Needs Linux. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Returns the resident memory of a process (`VmRSS`), or its peak (`VmHWM`). */
export function residentMegabytes(pid: number, key: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}
