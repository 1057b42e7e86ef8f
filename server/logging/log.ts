import { type Logger, pino, stdTimeFunctions } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Settings } from '../settings/settings.js';
import { LogOutput } from './log-output.js';
import { maskText } from './mask-secrets.js';

/**
 * Creates the log of the service: JSON lines, or readable lines on a terminal. By default it writes to standard output.
 * Secrets are masked.
 */
export function createLog(
  { logLevel }: Pick<Settings, 'logLevel'>,
  fd = 1,
  isReadable = process.stdout.isTTY === true,
): Logger {
  const options = { level: logLevel, timestamp: stdTimeFunctions.isoTime };
  const output = new LogOutput(fd);
  // The stream of pino-pretty is not used, because it would keep in memory all lines that cannot be written.
  const written: (line: string) => string = isReadable ? prettyFactory({ ignore: 'pid,hostname' }) : (line) => line;
  const logger = pino(options, { write: (line) => output.takeLine(written(maskText(line))) });
  output.on('regained', (lines: number) => logger.warn({ lines }, 'lines of the log were lost'));
  return logger;
}
