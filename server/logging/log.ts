import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { Settings } from '../settings/settings.js';
import { LogOutput } from './log-output.js';
import { maskText } from './mask-secrets.js';

export type { Logger } from 'pino';

/** The output of a log for lines that contain no secrets, so that they skip the slow masking. */
export interface MaskedOutput {
  /** The members at the start of every line, after its level and time. */
  readonly base: object;
  /**
   * Writes the line that the function returns, JSON with a line break, or an empty text. The function is called later, when the line is
   * written.
   */
  readonly write: (line: () => string) => void;
  /** Returns the number of lines that were dropped since the start. */
  readonly lostLines: () => number;
}

const maskedOutputs = new WeakMap<Logger, MaskedOutput>();

/** Returns the output of a log that `createLog` created, and undefined for other logs. */
export function maskedOutputOf(logger: Logger): MaskedOutput | undefined {
  return maskedOutputs.get(logger);
}

export interface LogOptions {
  /** The file descriptor of the output. Default: 1, standard output. */
  readonly fd?: number;
  /** Whether lines are formatted for people instead of as JSON. Default: on a terminal. */
  readonly isReadable?: boolean;
  /** Whether other processes write to the same output. */
  readonly isShared?: boolean;
}

/**
 * Creates the log of the service: JSON lines, or readable lines on a terminal. By default it writes to standard output.
 * Secrets are masked.
 */
export function createLog(
  { logLevel }: Pick<Settings, 'logLevel'>,
  { fd = 1, isReadable = process.stdout.isTTY === true, isShared = false }: LogOptions = {},
): Logger {
  const base = { pid: process.pid, hostname: hostname() };
  const options = { level: logLevel, base, timestamp: stdTimeFunctions.isoTime };
  const output = new LogOutput(fd, isShared);
  // The stream of pino-pretty is not used, because it would buffer all lines that cannot be written, without a limit.
  const written = isReadable ? createFormatter() : (line: string) => line;
  const logger = pino(options, { write: (line) => output.takeLine(written(maskText(line))) });
  const readable = (text: string) => (text === '' ? '' : written(text));
  const write = isReadable
    ? (line: () => string) => output.takeLine(() => readable(line()))
    : (line: () => string) => output.takeLine(line);
  maskedOutputs.set(logger, { base, write, lostLines: () => output.lostLines });
  output.on('regained', (lines: number) => logger.warn({ lines }, 'lines of the log were lost'));
  return logger;
}

/** Loads the package only for a terminal, because loading it would delay the start of every other service. */
function createFormatter(): (line: string) => string {
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  return prettyFactory({ ignore: 'pid,hostname' });
}
