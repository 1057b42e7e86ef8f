import type { Writable } from 'node:stream';
import { isColoured } from './colours.js';

/** The terminal that a command writes to. A command that runs in a server writes to the terminal of the caller. */
export interface Terminal {
  /** Whether progress can be drawn on standard error. */
  readonly isTerminal: boolean;
  /** The width of standard output. Undefined if it has none, because it is a pipe or a file: then nothing is shortened. */
  readonly columns: number | undefined;
  /** Which of the streams get colours. */
  readonly colour: { readonly out: boolean; readonly err: boolean };
  out(text: string): void;
  err(text: string): void;
  /** Writes a line of the JSON log with these members. Absent if the output is for people. */
  log?(message: string, members: object): void;
  /** Resolves when the reader of the output has taken enough of it; undefined if it has. Absent if nothing is buffered. */
  drained?(): Promise<void> | undefined;
}

/** Returns when a stream can take more data; undefined if it can, and if it is closed. */
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

/** Some terminals do not state their width. */
export const DEFAULT_COLUMNS = 80;

/** Options of all commands. They apply to errors too, so they are read before the command line is parsed. */
export const DISPLAY_OPTIONS = {
  wide: { flags: '--wide', help: 'print tables with all columns and complete values' },
  colour: { flags: '--color', help: 'use colors, also in pipes and files' },
  noColour: { flags: '--no-color', help: 'use no colors' },
} as const;

/** Returns the terminal as the options of the command line change it. */
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
