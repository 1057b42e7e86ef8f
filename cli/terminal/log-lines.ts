import { hostname } from 'node:os';
import type { Terminal } from './terminal.js';

/** Returns a terminal that writes each line of standard output as a line of the JSON log, so that the output has no other lines. */
export function toLogLines(terminal: Terminal): Terminal {
  const base = { pid: process.pid, hostname: hostname() };
  const log = (msg: string, members: object) => {
    const time = new Date().toISOString();
    terminal.out(`${JSON.stringify({ level: INFO, time, ...base, ...members, msg })}\n`);
  };
  return {
    ...terminal,
    log,
    out: (text) => {
      for (const line of text.split('\n')) if (line.trim() !== '') log(line.trim(), {});
    },
  };
}

/** The number of the level `info`. */
const INFO = 30;
