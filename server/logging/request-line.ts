import { inspect } from 'node:util';
import { type Logger, stdSerializers } from 'pino';
import { remember, rememberLast } from '../../engine/http/remember.js';
import type { EndedRequest } from '../../engine/http/request-record.js';
import { type MaskedOutput, maskedOutputOf } from './log.js';
import { maskText, maskUrl } from './mask-secrets.js';

/** Writes the log line of a request. */
export type LogRequest = (request: EndedRequest) => void;

/**
 * Creates the access log: one line for each request, with everything that is known about the request. This is faster than the normal
 * logger, because parts that repeat are masked only once.
 */
export function createRequestLog(logger: Logger): LogRequest {
  const output = maskedOutputOf(logger);
  return output === undefined ? logObjects(logger) : logTexts(logger, output);
}

type Level = keyof typeof LEVELS;

/** pino's numbers of the levels. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const;

function levelOf(request: EndedRequest): Level {
  if (hasFailed(request)) return 'error';
  return request.status >= 400 ? 'warn' : 'info';
}

/** Whether the service failed. Protocols above HTTP, such as MCP, report failures with the status 200. */
function hasFailed({ status, failure }: EndedRequest): boolean {
  return status >= 500 || (status < 400 && failure !== undefined);
}

function messageOf(request: EndedRequest): string {
  if (hasFailed(request)) return 'request failed';
  return request.isAborted ? 'request aborted' : 'request completed';
}

function logObjects(logger: Logger): LogRequest {
  return (request) => {
    const { id, method, target, remoteAddress, operation, caller, rows, bytes, cache, databaseMs, code } = request;
    const { status, failure, traceId, ms } = request;
    const members = {
      req: { id, remoteAddress, method, url: maskUrl(target) },
      ...{ operation, rows, cache, res: { statusCode: status, sentStatusCode: earlierStatus(request) }, bytes },
      ...{ databaseMs: databaseMs && tenths(databaseMs), caller, code },
      ...(failure !== undefined && { err: failure }),
      ...{ traceId, responseTime: tenths(ms) },
    };
    logger[levelOf(request)](members, messageOf(request));
  };
}

/** Writes the same lines as `logObjects`, but faster. */
function logTexts(logger: Logger, { base, write }: MaskedOutput): LogRequest {
  const afterTime = joinParts(`",${JSON.stringify(base).slice(1, -1)},"req":{"id":"`);
  const startOf = (level: Level) =>
    rememberLast((ms) => `{"level":${LEVELS[level]},"time":"${new Date(ms).toISOString()}${afterTime}`);
  const starts = { info: startOf('info'), warn: startOf('warn'), error: startOf('error') };
  const repeated = createRepeatedText();
  const lineOf = (request: EndedRequest, level: Level, at: number) => {
    const { id, isIdSent, remoteAddress, status, bytes, databaseMs, caller, code, failure, traceId, ms } = request;
    const earlier = earlierStatus(request);
    let line =
      `${starts[level](at)}${isIdSent ? maskText(id) : id}` +
      `${remoteAddress === undefined ? '"' : afterId(remoteAddress)}${repeated(request)}` +
      `${earlier === undefined ? beforeBytes(status) : membersOf(status, earlier)}${bytes}`;
    if (databaseMs !== undefined) line += `,"databaseMs":${tenthsText(databaseMs)}`;
    if (caller !== undefined) line += `,"caller":${maskedJson(caller)}`;
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

/** The status that was sent before the answer failed. Undefined for other answers. */
function earlierStatus({ status, sentStatus }: EndedRequest): number | undefined {
  return sentStatus === status ? undefined : sentStatus;
}

/** Clients send several requests, so the texts for recent addresses are cached. */
const afterId = remember((address) => joinParts(`","remoteAddress":${maskedJson(address)}`), {
  maxResults: 1_000,
  maxLength: 100,
});

const beforeBytes = rememberLast((status) => joinParts(membersOf(status)));

function membersOf(status: number, earlier?: number): string {
  return `,"res":{"statusCode":${status}${earlier === undefined ? '' : `,"sentStatusCode":${earlier}`}},"bytes":`;
}

/** Returns the JSON of the cause of a failure. The function must not throw, because an error in the log would end the process. */
function errorJson(failure: unknown): string {
  try {
    const json: string | undefined = JSON.stringify(failure instanceof Error ? stdSerializers.err(failure) : failure);
    if (json !== undefined) return json;
  } catch {
    // The error has a circular reference or a BigInt.
  }
  if (!(failure instanceof Error)) return JSON.stringify(inspect(failure));
  const { message, stack } = failure;
  return JSON.stringify({ type: failure.constructor.name, message, stack });
}

/** Milliseconds with one digit after the point. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Like `tenths`, as a text. Formatting a fraction costs several times as much as formatting two integers. */
function tenthsText(ms: number): string {
  const all = Math.round(ms * 10);
  return all % 10 === 0 ? `${all / 10}` : `${Math.floor(all / 10)}.${all % 10}`;
}

/** These limits bound the memory of the cache if clients send many different targets. */
const MAX_TEXTS = 1_000;
const MAX_LENGTH = 1_000;

/** The facts that usually are the same for all requests with one target. The address and the status often differ. */
type Repeated = Pick<EndedRequest, 'method' | 'target' | 'operation' | 'rows' | 'cache'>;

/**
 * Creates the function that writes the repeated part of a line: the target and the facts of its answer. In the line, it follows the address
 * of the client. Masking is slow, so the last text for each target is cached.
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

/** Returns the same text as one flat string. JavaScript would otherwise join the parts of a concatenated string again for each line. */
function joinParts(text: string): string {
  return Buffer.from(text).toString();
}

/** Returns the text as JSON, with masked secrets. */
function maskedJson(text: string): string {
  return maskText(JSON.stringify(text));
}
