import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engine } from '../../answers/engine.js';
import {
  type AuthenticatedCaller,
  type Authentication,
  admit,
  callerOf,
  type RequestingClient,
} from '../access/authentication.js';
import { type AnswerCache, type FoundAnswer, keyOfTarget, type TargetRequest } from '../cache/answer-cache.js';
import { deprecationHeaders } from '../cache/cache-headers.js';
import {
  acceptsCached,
  addVaryingHeaders,
  createTextSender,
  headerLines,
  prepareResponse,
  type SendText,
  sendPrepared,
  setHeaders,
  writeHit,
} from '../cache/send-answer.js';
import type { CacheOutcome, ServedAnswer } from '../cache/stored-answer.js';
import { acceptedFormat, type Format, isRowFormat, type RowFormat } from '../formats/format.js';
import { take, type Usage } from '../limits/limiter.js';
import { addLimitHeaders, claimsOf, type LimitSet, limitLines, rejectOver } from '../limits/request-limits.js';
import { isRead } from '../operations/allowed-methods.js';
import { describeFailure, isPublicPath, recordFailure, statusOf, writeFailure } from '../problems/error-answers.js';
import {
  type AnswerSource,
  type RequestFollower,
  type RequestRecord,
  recordOf,
  requestIdOf,
} from '../request-record.js';
import { abortOnClose, hasBody, interruptionOf, pathOf, rejectLargeBody } from '../requests/read-request.js';
import type { DefinitionRoute, FindDefinition } from './definition-routes.js';
import { StreamSender, streamHeaders } from './stream-sender.js';

export interface DefinitionParts {
  readonly findDefinition: FindDefinition;
  readonly cache: AnswerCache;
  readonly engine: Pick<Engine, 'identify' | 'select' | 'stream'>;
  /** The rate limits that apply to requests for all definitions together. */
  readonly limits: LimitSet;
  readonly authentication: Authentication;
  /** The headers of every answer of the service; each name is followed by its value. */
  readonly commonHeaders: readonly string[];
  /** Returns the client address that the outermost trusted proxy reports; without a proxy, the address of the connection. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
  /** Prepares a response to be compressed while it is written, if the client accepts that. */
  readonly compress: (request: IncomingMessage, response: ServerResponse) => void;
  readonly requests: RequestFollower;
  /** The beginnings of the paths of definitions, such as `/v1`. */
  readonly prefixes: readonly string[];
  readonly clock: () => Date;
  /** Reports a bug of this program that no other code reports. */
  readonly report: (error: unknown) => void;
  /** Answers requests for all paths that do not belong to definitions, and all requests OPTIONS. */
  readonly others: DefinitionListener;
}

/** A listener of `node:http`, or a handler of express with `next`. */
export type DefinitionListener = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/**
 * Answers requests for definitions under `/v1` and `/q`. Each request passes the same steps: target, route, limits,
 * parameters, stored answer or query rows, and bytes. An answer in memory is found by the target and the caller, without reading
 * parameters, and sent synchronously.
 */
export function answerDefinitions(given: DefinitionParts): DefinitionListener {
  const commonLines = headerLines(withVarying(given.commonHeaders));
  const privateLines = headerLines(withVarying(given.commonHeaders, CREDENTIALS));
  const isPublic = (path: string) => isPublicPath(path, given.prefixes);
  const parts: PathParts = { ...given, commonLines, privateLines, sendText: createTextSender(), isPublic };
  return (request, response, next) => {
    try {
      if (!answerDefinition(parts, request, response)) parts.others(request, response, next);
    } catch (error) {
      // All errors are caught, because no request may end the process.
      parts.report(error);
      if (response.headersSent) response.destroy();
      else writeFailure(response, error, parts.isPublic(pathOf(request.url ?? '')), parts.clock());
    }
  };
}

/** Answers a request if its path belongs to a definition. Returns false for all other paths. */
function answerDefinition(parts: PathParts, request: IncomingMessage, response: ServerResponse): boolean {
  const startedAt = performance.now();
  const target = request.url ?? '';
  // CORS preflight requests (OPTIONS) have the same answer for all paths, so other code answers them.
  if (request.method === 'OPTIONS' || !canBeDefinition(target, parts.prefixes)) return false;
  const accepted = acceptedFormat(request.headers.accept);
  const hasKey = parts.authentication.hasKey(request);
  const caller = hasKey ? parts.authentication.known(request) : undefined;
  const key = keyOfTarget(target, accepted);
  const known = findInMemory(parts, request, key, caller);
  const route = known === undefined ? parts.findDefinition(pathOf(target)) : undefined;
  const source = known === undefined ? route && { route } : { known };
  if (source === undefined) return false;
  const ip = parts.addressOf(request);
  const limits = caller?.limits ?? parts.limits;
  const arrived = { request, response, startedAt, target, accepted, ip, source, caller, limits };
  if (hasKey && caller === undefined) {
    const exchange = begin(parts, arrived);
    answer(parts, exchange, takeOfKey(parts, exchange)).catch(parts.report);
    return true;
  }
  const usages = take(claimsOf(limits, { ip, socket: request.socket }));
  const hasLimit = known?.answer.endpoint.definition.limits.requests !== undefined;
  const isAllowed = !hasLimit && Array.isArray(usages) && !usages.some(({ isOver }) => isOver);
  if (known !== undefined && isAllowed) sendAtOnce(parts, arrived, usages, known);
  else answer(parts, begin(parts, arrived), usages).catch(parts.report);
  return true;
}

interface PathParts extends DefinitionParts {
  /** The common headers of every cached answer of a public definition, as text. */
  readonly commonLines: string;
  /** The same for definitions that are not public. */
  readonly privateLines: string;
  readonly sendText: SendText;
  /** Whether errors of a path use the envelope. */
  readonly isPublic: (path: string) => boolean;
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedAt: number;
  readonly target: string;
  readonly accepted: Format;
  readonly ip: string | undefined;
  readonly source: Source;
  /** The caller; undefined while the caller is unknown, which is always so for public definitions without an API key. */
  readonly caller: AuthenticatedCaller | undefined;
  /** The limits for which the request is counted. */
  readonly limits: LimitSet;
}

/** The answer to a target and a caller if it is in memory; otherwise the route of the target. */
type Source = { readonly known: FoundAnswer } | { readonly route: DefinitionRoute };

interface Exchange extends Arrived {
  readonly record: RequestRecord;
  limits: LimitSet;
  caller: AuthenticatedCaller | undefined;
  /** The error of an API key that is not valid. */
  rejection: unknown;
  /** Whether the response has the common headers. */
  isOpen: boolean;
}

/** A fast check whether the path of a target can belong to a definition, perhaps only after normalization. */
function canBeDefinition(target: string, prefixes: readonly string[]): boolean {
  if (target.startsWith('/q/') || target[0] !== '/' || target.includes('%')) return true;
  return prefixes.some((prefix) => target.startsWith(prefix));
}

function findInMemory(
  { cache, report }: PathParts,
  request: IncomingMessage,
  key: string,
  caller: AuthenticatedCaller | undefined,
): FoundAnswer | undefined {
  if (!isRead(request.method) || hasBody(request) || !acceptsCached(request.headers)) return undefined;
  try {
    return cache.find(key, caller?.principal);
  } catch (error) {
    report(error);
    return undefined;
  }
}

function begin({ requests }: PathParts, arrived: Arrived): Exchange {
  const { request, response, startedAt, source, caller, ip } = arrived;
  const record = requests.begin(request, response, { startedAt, remoteAddress: ip });
  record.operation = 'known' in source ? source.known.answer.endpoint.definition.name : source.route.operation;
  record.caller = caller?.principal.id;
  return { ...arrived, record, rejection: undefined, isOpen: false };
}

/** Authenticates a request with an API key, and counts it for the limits of the key. Without a valid key, counts it for those of the address. */
async function takeOfKey(parts: PathParts, exchange: Exchange): Promise<Usage[]> {
  const { request, response, ip } = exchange;
  const client = { ip, socket: request.socket };
  try {
    exchange.caller = await parts.authentication.authenticate(request, response, client);
  } catch (error) {
    exchange.rejection = error;
  }
  exchange.limits = exchange.caller?.limits ?? exchange.limits;
  return take(claimsOf(exchange.limits, client));
}

/** Answers a request that must wait for its rate limits or its answer, or that fails. */
async function answer(parts: PathParts, exchange: Exchange, counted: Usage[] | Promise<Usage[]>): Promise<void> {
  const { request, response, record } = exchange;
  let usages: readonly Usage[] = [];
  let wanted: TargetRequest | undefined;
  try {
    // The lookup runs while Redis counts the request. An error of the lookup matters only if the request is within the limits.
    const looking = lookUp(parts, exchange, counted);
    looking.catch(() => undefined);
    usages = await counted;
    rejectOver(exchange.limits, usages);
    if (exchange.rejection !== undefined) throw exchange.rejection;
    const found = await looking;
    wanted = found.wanted;
    if (response.destroyed) throw interruptionOf(request);
    if ('known' in found) return send(parts, exchange, usages, found.known, found.known);
    if (isStreamed(found.wanted)) {
      open(parts, exchange, usages);
      setHeaders(response, deprecationHeaders(found.wanted.endpoint.definition));
      return await streamAnswer(parts.engine, found.wanted, request, response);
    }
    const signal = abortOnClose(response);
    const isNewestRequired = !acceptsCached(request.headers);
    const served = await parts.cache.serve({ ...found.wanted, isNewestRequired, signal, requestId: record.id });
    send(parts, exchange, usages, served);
  } catch (error) {
    fail(parts, exchange, usages, { error, wanted });
  }
}

/** The stored answer to a request; otherwise the request whose answer must be computed. */
type Found = { readonly known: FoundAnswer; readonly wanted?: TargetRequest } | { readonly wanted: TargetRequest };

/** Reads what a request asks for, and looks for its answer in memory and in Redis. Rejects with the error of the request. */
async function lookUp(
  { cache, authentication, engine }: PathParts,
  exchange: Exchange,
  counted: Usage[] | Promise<Usage[]>,
): Promise<Found> {
  const { request, record, target, accepted, source } = exchange;
  const client = clientOfExchange(authentication, exchange, counted);
  if ('known' in source) {
    const { definition } = source.known.answer.endpoint;
    if (definition.limits.requests !== undefined) await client.count(definition, await callerOf(definition, client));
    return source;
  }
  rejectLargeBody(request);
  const read = source.route.read({ method: request.method ?? '', target, accepted });
  record.operation = read.endpoint.definition.name;
  const wanted = await admit(read, client, (endpoint, raw) => engine.select(endpoint, raw, target));
  const mayBeStored = acceptsCached(request.headers) && !isStreamed(wanted);
  const known = mayBeStored ? await cache.findShared(wanted) : undefined;
  return known === undefined ? { wanted } : { known, wanted };
}

function clientOfExchange(
  authentication: Authentication,
  exchange: Exchange,
  counted: Usage[] | Promise<Usage[]>,
): RequestingClient {
  const { request, response, ip } = exchange;
  const address = { ip, socket: request.socket };
  // A request over the limits of the service is rejected, so it needs no caller and does not count.
  const isOver = async () => (await counted).some((usage) => usage.isOver);
  return {
    authenticate: async () => {
      // A request with an API key is authenticated before it is counted.
      if (await isOver()) return undefined;
      exchange.caller ??= await authentication.authenticate(request, response, address);
      return exchange.caller;
    },
    count: async (definition, caller) => {
      if (await isOver()) return;
      await authentication.count(definition, address, caller);
    },
  };
}

/** Sends an answer in memory synchronously. A full request record is created only if the fast way is not possible. */
function sendAtOnce(parts: PathParts, arrived: Arrived, usages: readonly Usage[], known: FoundAnswer): void {
  const { request, response, startedAt, ip } = arrived;
  const id = requestIdOf(request);
  try {
    const bytes = sendKnown(parts, arrived, usages, { known, id });
    if (bytes === undefined) {
      send(parts, begin(parts, arrived), usages, known, known);
      return;
    }
    const { definition } = known.answer.endpoint;
    const caller = arrived.caller?.principal.id;
    const facts = { id, operation: definition.name, caller, rows: known.answer.rows, cache: 'memory', bytes } as const;
    parts.requests.sent(request, response, { startedAt, remoteAddress: ip, ...facts });
    parts.cache.use(known);
  } catch (error) {
    fail(parts, begin(parts, arrived), usages, { error });
  }
}

/** Sends an answer. `found` is the answer if it was found without `AnswerCache.serve`, which counts the use of its answers. */
function send(
  parts: PathParts,
  exchange: Exchange,
  usages: readonly Usage[],
  served: ServedAnswer,
  found?: FoundAnswer,
): void {
  const { request, response, record, target } = exchange;
  // Nothing is sent if the client has disconnected while it waited.
  if (response.destroyed) return;
  recordAnswer(record, served);
  record.sentBytes = sendKnown(parts, exchange, usages, { known: served, id: record.id });
  if (record.sentBytes === undefined) {
    const prepared = prepareResponse(request, served, target, Date.now());
    open(parts, exchange, usages);
    if (isPrivate(served)) response.appendHeader('Vary', CREDENTIALS);
    sendPrepared(response, prepared);
  }
  if (found !== undefined) parts.cache.use(found);
}

/** Whether an answer is only for callers with access. */
function isPrivate({ answer }: ServedAnswer): boolean {
  return answer.endpoint.definition.access !== undefined;
}

/** Sends an answer in memory in the fastest way, and returns its number of bytes. Returns undefined if this is not possible. */
function sendKnown(
  { commonLines, privateLines, sendText }: PathParts,
  { request, response, target, limits }: Arrived,
  usages: readonly Usage[],
  { known, id }: { readonly known: ServedAnswer; readonly id: string },
): number | undefined {
  const hit = writeHit(request, known, target, Date.now());
  if (hit === undefined) return undefined;
  const { status, body } = hit;
  const common = isPrivate(known) ? privateLines : commonLines;
  const lines = `X-Request-Id: ${id}\r\n${common}${limitLines(limits, usages)}${hit.lines}`;
  return sendText(request, response, { status, lines, body });
}

/** Answers with an error. If the response has already begun, closes the connection instead. */
function fail(
  parts: PathParts,
  exchange: Exchange,
  usages: readonly Usage[],
  { error, wanted }: { readonly error: unknown; readonly wanted?: TargetRequest | undefined },
): void {
  const { response, target } = exchange;
  if (response.headersSent || response.destroyed) {
    if (statusOf(error) >= 500) parts.report(error);
    if (response.headersSent) response.destroy();
    return;
  }
  open(parts, exchange, usages);
  if (wanted !== undefined) setHeaders(response, deprecationHeaders(wanted.endpoint.definition));
  writeFailure(response, error, parts.isPublic(pathOf(target)), parts.clock());
}

/** Sets the common headers, and prepares the response for compression. */
function open({ commonHeaders, compress }: PathParts, exchange: Exchange, usages: readonly Usage[]): void {
  if (exchange.isOpen) return;
  exchange.isOpen = true;
  const { request, response, record, limits } = exchange;
  setHeaders(response, ['X-Request-Id', record.id, ...commonHeaders]);
  addLimitHeaders(limits, usages, (name, value) => response.setHeader(name, value));
  compress(request, response);
}

/** The request headers with credentials, on which answers depend that are not public. */
const CREDENTIALS = 'Authorization, Cookie, X-API-Key';

/**
 * Returns the common headers of cached answers, with a `Vary` that lists the request headers on which the answer depends. `others` are names
 * of such headers.
 */
function withVarying(headers: readonly string[], others = ''): string[] {
  const place = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'vary');
  const own = place < 0 ? '' : (headers[place + 1] as string);
  const vary = addVaryingHeaders([own, others].filter((names) => names !== '').join(', '));
  if (place < 0) return [...headers, 'Vary', vary];
  return headers.map((text, index) => (index === place + 1 ? vary : text));
}

/** Records in the request record which definition answered, and where the answer came from. */
function recordAnswer(record: RequestRecord, { answer, outcome, queryMs }: ServedAnswer): void {
  record.operation = answer.endpoint.definition.name;
  record.rows = answer.rows;
  record.cache = sourceOf(outcome);
  record.databaseMs = queryMs;
}

function sourceOf(outcome: CacheOutcome): AnswerSource {
  if (outcome.kind === 'hit') return outcome.level === 1 ? 'memory' : 'redis';
  if (outcome.kind === 'miss') return outcome.isCollapsed ? 'coalesced' : 'computed';
  return outcome.kind;
}

/** A request whose rows are sent while they are read from the database, and never stored. */
interface StreamRequest extends TargetRequest {
  readonly representation: RowFormat;
}

function isStreamed(wanted: TargetRequest): wanted is StreamRequest {
  return wanted.endpoint.stream !== undefined && isRowFormat(wanted.representation);
}

/** Answers a request with a streamed response. Rejects only if the response has not begun, so that the caller can send the error. */
async function streamAnswer(
  engine: Pick<Engine, 'identify' | 'stream'>,
  wanted: StreamRequest,
  { method }: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
): Promise<void> {
  const { endpoint, raw, representation: format } = wanted;
  const record = recordOf(response);
  record.operation = endpoint.definition.name;
  record.cache = 'bypass';
  if (method === 'HEAD') {
    engine.identify(endpoint, raw);
    setHeaders(response, streamHeaders(endpoint, format));
    response.setHeader('Vary', addVaryingHeaders(String(response.getHeader('Vary') ?? '')));
    response.end();
    return;
  }
  const sent = sendRows(engine, wanted, response);
  record.work = sent.catch(() => undefined);
  await sent;
}

async function sendRows(
  engine: Pick<Engine, 'stream'>,
  { endpoint, raw, representation: format }: StreamRequest,
  response: ServerResponse,
): Promise<void> {
  const record = recordOf(response);
  const sender = new StreamSender(response, format);
  try {
    const options = { signal: abortOnClose(response), requestId: record.id };
    const answer = await engine.stream(endpoint, raw, sender, options);
    sender.finish(answer);
  } catch (error) {
    if (!response.headersSent) throw error;
    recordFailure(response, error);
    sender.fail({ code: record.code ?? 'internal_error', message: describeFailure(error).message });
  } finally {
    record.databaseMs = sender.databaseMs;
    if (response.headersSent) record.rows = sender.rowCount;
  }
}
