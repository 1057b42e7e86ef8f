import { type Logger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';
import type { Settings } from './settings/settings.js';

/** The service's log on standard output: JSON lines, or readable lines on a terminal. */
export function createLog({ logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>): Logger {
  const options = { level: logLevel, timestamp: stdTimeFunctions.isoTime };
  const readable = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY === true);
  return readable ? pino(options, pretty({ ignore: 'pid,hostname', sync: true })) : pino(options);
}
