import { type Logger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';
import { LogOutput } from './log-output.js';
import type { Settings } from './settings/settings.js';

/** The service's log, by default on standard output: JSON lines, or readable lines on a terminal. */
export function createLog({ logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>, fd = 1): Logger {
  const options = { level: logLevel, timestamp: stdTimeFunctions.isoTime };
  const readable = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY === true);
  const output = new LogOutput(fd);
  const logger = readable
    ? pino(options, pretty({ ignore: 'pid,hostname', sync: true, destination: output }))
    : pino(options, { write: (line) => output.takeLine(line) });
  output.on('regained', (lines: number) => logger.warn({ lines }, 'lines of the log were lost'));
  return logger;
}
