import type { Writable } from 'node:stream';
import { isColoured } from './colours.js';

/** The terminal that a command writes to. For a command that runs in a service, it is the terminal of the caller. */
export interface Terminal {
  /** Whether progress can be drawn on standard error. */
  readonly isTerminal: boolean;
  /** The width of standard output. Undefined for a pipe or a file; then nothing is truncated. */
  readonly columns: number | undefined;
  /** Whether standard output and standard error are coloured. */
  readonly colour: { readonly out: boolean; readonly err: boolean };
  out(text: string): void;
  err(text: string): void;
  /** Writes a line of the JSON log with these members. Absent if the output is for people. */
  log?(message: string, members: object): void;
  /**
   * Resolves when the reader has read enough of the buffered output; undefined if no wait is necessary. Absent if the output is not
   * buffered.
   */
  drained?(): Promise<void> | undefined;
}

/** Resolves when a stream can accept more data. Returns undefined if it already can, or if it is closed. */
export function drainedOf(stream: Writable): Promise<void> | undefined {
  if (!stream.writableNeedDrain || stream.destroyed) return undefined;
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.once('drain', done).once('close', done);
  });
}

/** Returns the terminal, pipe or file that this process writes to. */
export function ownTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  return {
    isTerminal: stderr.isTTY === true,
    columns: stdout.isTTY ? stdout.columns || DEFAULT_COLUMNS : undefined,
    colour: { out: isColoured(stdout.isTTY === true, env), err: isColoured(stderr.isTTY === true, env) },
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    drained: () => drainedOf(stdout),
  };
}

/** The width if the terminal does not report one. */
export const DEFAULT_COLUMNS = 80;

/** Options of all commands. The options also apply to errors, so they are read before the command line is parsed. */
export const DISPLAY_OPTIONS = {
  wide: { flags: '--wide', help: 'print tables with all columns and complete values' },
  colour: { flags: '--color', help: 'use colors, also in pipes and files' },
  noColour: { flags: '--no-color', help: 'use no colors' },
} as const;

/** Returns the terminal after applying these options from the command line. */
export function applyDisplayOptions(terminal: Terminal, words: readonly string[]): Terminal {
  const end = words.indexOf('--');
  const given = (end === -1 ? words : words.slice(0, end)).filter((word) => FLAGS.includes(word));
  const isWide = given.includes(DISPLAY_OPTIONS.wide.flags);
  const colour = given.findLast((word) => word !== DISPLAY_OPTIONS.wide.flags);
  const isOn = colour === DISPLAY_OPTIONS.colour.flags;
  return {
    ...terminal,
    columns: isWide ? undefined : terminal.columns,
    colour: colour === undefined ? terminal.colour : { out: isOn, err: isOn },
  };
}

const FLAGS: readonly string[] = Object.values(DISPLAY_OPTIONS).map(({ flags }) => flags);
