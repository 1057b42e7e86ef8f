import { type Logger, stdSerializers } from 'pino';
import type { EndedRequest } from '../../http/records/request-record.js';
import { remember, rememberLast } from '../../http/remember.js';
import { type MaskedOutput, maskedOutputOf } from './log.js';
import { maskTarget, maskText } from './mask-secrets.js';

/** Writes the line of a request. */
export type LogRequest = (request: EndedRequest) => void;

/**
 * Creates the access log: one line for each request, with everything that is known about the request. A line costs less than
 * a line of the logger, because parts that repeat are masked once.
 */
export function createRequestLog(logger: Logger): LogRequest {
  const output = maskedOutputOf(logger);
  const write = output === undefined ? writeObject(logger) : writeText(output);
  return (request) => {
    if (logger.isLevelEnabled(levelOf(request))) write(request);
  };
}

/** Masks secrets in the target of a request for the log. */
export function maskUrl(url: string): string {
  return maskTarget(url.replace(SIGN_IN_CODE, '$1…'));
}

/** Matches the URL to which the identity provider returns a browser. Its query contains a secret code. */
const SIGN_IN_CODE = /(\/sign-in\/callback\/?\?).*/;

/** The numbers of pino. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const;

function levelOf({ status }: EndedRequest): keyof typeof LEVELS {
  if (status >= 500) return 'error';
  return status >= 400 ? 'warn' : 'info';
}

function messageOf({ status, isAborted }: EndedRequest): string {
  if (status >= 500) return 'request failed';
  return isAborted ? 'request aborted' : 'request completed';
}

function writeObject(logger: Logger): LogRequest {
  return (request) => {
    const { id, method, target, remoteAddress, status, operation, rows, bytes, cache, databaseMs, code } = request;
    const { failure, traceId, ms } = request;
    const members = {
      req: { id, method, url: maskUrl(target), remoteAddress },
      res: { statusCode: status },
      ...{ operation, rows, bytes, cache, databaseMs: databaseMs && tenths(databaseMs), code },
      ...(failure !== undefined && { err: failure }),
      ...{ traceId, responseTime: tenths(ms) },
    };
    logger[levelOf(request)](members, messageOf(request));
  };
}

/** Writes the same line as `writeObject`. */
function writeText({ base, write }: MaskedOutput): LogRequest {
  const baseText = JSON.stringify(base).slice(1, -1);
  return (request) => {
    const { id, isIdSent, method, target, remoteAddress, status, operation, rows, bytes, cache } = request;
    const { databaseMs, code, failure, traceId, ms } = request;
    let line =
      `{"level":${LEVELS[levelOf(request)]},"time":"${isoTime(Date.now())}",${baseText},` +
      `"req":{"id":"${isIdSent ? maskText(id) : id}","method":"${method}","url":${urls(target)}`;
    if (remoteAddress !== undefined) line += `,"remoteAddress":${addresses(remoteAddress)}`;
    line += `},"res":{"statusCode":${status}}`;
    if (operation !== undefined) line += `,"operation":"${operation}"`;
    if (rows !== undefined) line += `,"rows":${rows}`;
    line += `,"bytes":${bytes}`;
    if (cache !== undefined) line += `,"cache":"${cache}"`;
    if (databaseMs !== undefined) line += `,"databaseMs":${tenths(databaseMs)}`;
    if (code !== undefined) line += `,"code":"${code}"`;
    if (failure !== undefined) line += `,"err":${maskText(JSON.stringify(errorMembers(failure)))}`;
    if (traceId !== undefined) line += `,"traceId":"${traceId}"`;
    write(`${line},"responseTime":${tenths(ms)},"msg":"${messageOf(request)}"}\n`);
  };
}

function errorMembers(failure: unknown): unknown {
  return failure instanceof Error ? stdSerializers.err(failure) : failure;
}

/** Milliseconds with one digit after the point. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** The JSON texts of recent values without their secrets. Masking is slow, and the values of hits repeat. */
const KEPT = { maxResults: 1_000, maxLength: 1_000 };
const urls = remember((url) => maskText(JSON.stringify(maskUrl(url))), KEPT);
const addresses = remember((address) => maskText(JSON.stringify(address)), KEPT);
const isoTime = rememberLast((ms) => new Date(ms).toISOString());
