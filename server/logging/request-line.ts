import { inspect } from 'node:util';
import { type Logger, stdSerializers } from 'pino';
import { remember, rememberLast } from '../../engine/http/remember.js';
import type { EndedRequest } from '../../engine/http/request-record.js';
import { type MaskedOutput, maskedOutputOf } from './log.js';
import { maskText, maskUrl } from './mask-secrets.js';

/** Writes the line of a request. */
export type LogRequest = (request: EndedRequest) => void;

/**
 * Creates the access log: one line for each request, with everything that is known about the request. A line costs less than
 * a line of the logger, because parts that repeat are masked once.
 */
export function createRequestLog(logger: Logger): LogRequest {
  const output = maskedOutputOf(logger);
  return output === undefined ? logObjects(logger) : logTexts(logger, output);
}

type Level = keyof typeof LEVELS;

/** The numbers of pino. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const;

function levelOf(request: EndedRequest): Level {
  if (hasFailed(request)) return 'error';
  return request.status >= 400 ? 'warn' : 'info';
}

/** Whether the service failed. Messages of a protocol above HTTP report failures with the status 200. */
function hasFailed({ status, failure }: EndedRequest): boolean {
  return status >= 500 || (status < 400 && failure !== undefined);
}

function messageOf(request: EndedRequest): string {
  if (hasFailed(request)) return 'request failed';
  return request.isAborted ? 'request aborted' : 'request completed';
}

function logObjects(logger: Logger): LogRequest {
  return (request) => {
    const { id, method, target, remoteAddress, operation, rows, bytes, cache, databaseMs, code } = request;
    const { status, failure, traceId, ms } = request;
    const members = {
      req: { id, remoteAddress, method, url: maskUrl(target) },
      ...{ operation, rows, cache, res: { statusCode: status, sentStatusCode: earlierStatus(request) }, bytes },
      ...{ databaseMs: databaseMs && tenths(databaseMs), code },
      ...(failure !== undefined && { err: failure }),
      ...{ traceId, responseTime: tenths(ms) },
    };
    logger[levelOf(request)](members, messageOf(request));
  };
}

/** Writes the same lines as `logObjects`. */
function logTexts(logger: Logger, { base, write }: MaskedOutput): LogRequest {
  const afterTime = joinParts(`",${JSON.stringify(base).slice(1, -1)},"req":{"id":"`);
  const startOf = (level: Level) =>
    rememberLast((ms) => `{"level":${LEVELS[level]},"time":"${new Date(ms).toISOString()}${afterTime}`);
  const starts = { info: startOf('info'), warn: startOf('warn'), error: startOf('error') };
  const repeated = createRepeatedText();
  const lineOf = (request: EndedRequest, level: Level, at: number) => {
    const { id, isIdSent, remoteAddress, status, bytes, databaseMs, code, failure, traceId, ms } = request;
    const earlier = earlierStatus(request);
    let line =
      `${starts[level](at)}${isIdSent ? maskText(id) : id}` +
      `${remoteAddress === undefined ? '"' : afterId(remoteAddress)}${repeated(request)}` +
      `${earlier === undefined ? beforeBytes(status) : membersOf(status, earlier)}${bytes}`;
    if (databaseMs !== undefined) line += `,"databaseMs":${tenthsText(databaseMs)}`;
    if (code !== undefined) line += `,"code":"${code}"`;
    if (failure !== undefined) line += `,"err":${maskText(errorJson(failure))}`;
    if (traceId !== undefined) line += `,"traceId":"${traceId}"`;
    return `${line},"responseTime":${tenthsText(ms)},"msg":"${messageOf(request)}"}\n`;
  };
  return (request) => {
    const level = levelOf(request);
    if (!logger.isLevelEnabled(level)) return;
    const at = Date.now();
    write(() => lineOf(request, level, at));
  };
}

/** The status in the head of an answer that ended too early; undefined for other answers. */
function earlierStatus({ status, sentStatus }: EndedRequest): number | undefined {
  return sentStatus === status ? undefined : sentStatus;
}

/** Clients send several requests, so the texts of recent addresses are kept. */
const afterId = remember((address) => joinParts(`","remoteAddress":${maskedJson(address)}`), {
  maxResults: 1_000,
  maxLength: 100,
});

const beforeBytes = rememberLast((status) => joinParts(membersOf(status)));

function membersOf(status: number, earlier?: number): string {
  return `,"res":{"statusCode":${status}${earlier === undefined ? '' : `,"sentStatusCode":${earlier}`}},"bytes":`;
}

/** Returns the JSON of the cause of a failure. A line that cannot be written would end the process. */
function errorJson(failure: unknown): string {
  try {
    const json: string | undefined = JSON.stringify(failure instanceof Error ? stdSerializers.err(failure) : failure);
    if (json !== undefined) return json;
  } catch {
    // A member contains itself, or is a BigInt.
  }
  if (!(failure instanceof Error)) return JSON.stringify(inspect(failure));
  const { message, stack } = failure;
  return JSON.stringify({ type: failure.constructor.name, message, stack });
}

/** Milliseconds with one digit after the point. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** The text of `tenths`. Writing a fraction costs several times as much as writing two integers. */
function tenthsText(ms: number): string {
  const all = Math.round(ms * 10);
  return all % 10 === 0 ? `${all / 10}` : `${Math.floor(all / 10)}.${all % 10}`;
}

/** The limits protect the memory from clients that send many different targets. */
const MAX_TEXTS = 1_000;
const MAX_LENGTH = 1_000;

/** The facts that are equal for most requests with one target. Their addresses and statuses often differ. */
type Repeated = Pick<EndedRequest, 'method' | 'target' | 'operation' | 'rows' | 'cache'>;

/**
 * Creates the function that writes the part of a line that repeats: the target with the facts of its answer, after the address of the
 * client. Masking is slow, so the last text of each target is kept.
 */
function createRepeatedText(): (request: Repeated) => string {
  const texts = new Map<string, Repeated & { readonly text: string }>();
  return (request) => {
    const known = texts.get(request.target);
    if (known !== undefined && areEqual(known, request)) return known.text;
    const { method, target, operation, rows, cache } = request;
    if (target.length > MAX_LENGTH) return write(request);
    const text = joinParts(write(request));
    if (texts.size >= MAX_TEXTS) texts.clear();
    texts.set(target, { method, target, operation, rows, cache, text });
    return text;
  };
}

function areEqual(one: Repeated, other: Repeated): boolean {
  return (
    one.method === other.method &&
    one.operation === other.operation &&
    one.rows === other.rows &&
    one.cache === other.cache
  );
}

function write({ method, target, operation, rows, cache }: Repeated): string {
  let text = `,"method":"${method}","url":${maskedJson(maskUrl(target))}}`;
  if (operation !== undefined) text += `,"operation":"${operation}"`;
  if (rows !== undefined) text += `,"rows":${rows}`;
  return cache === undefined ? text : `${text},"cache":"${cache}"`;
}

/** Returns the same text as one part in memory. A text of many parts would be joined again for each line. */
function joinParts(text: string): string {
  return Buffer.from(text).toString();
}

/** The JSON of a text without its secrets. */
function maskedJson(text: string): string {
  return maskText(JSON.stringify(text));
}
