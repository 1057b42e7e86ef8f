import { type Logger, pino, stdTimeFunctions } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Settings } from '../settings/settings.js';
import { LogOutput } from './log-output.js';
import { maskText } from './mask-secrets.js';

/** The service's log, by default on standard output: JSON lines, or readable lines on a terminal. Secrets are masked. */
export function createLog({ logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>, fd = 1): Logger {
  const options = { level: logLevel, timestamp: stdTimeFunctions.isoTime };
  const readable = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY === true);
  const output = new LogOutput(fd);
  // The stream of pino-pretty would keep all lines that the output has no room for.
  const written: (line: string) => string = readable ? prettyFactory({ ignore: 'pid,hostname' }) : (line) => line;
  const logger = pino(options, { write: (line) => output.takeLine(written(maskText(line))) });
  output.on('regained', (lines: number) => logger.warn({ lines }, 'lines of the log were lost'));
  return logger;
}
