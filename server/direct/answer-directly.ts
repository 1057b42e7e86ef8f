import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { type AnswerCache, keyOfTarget, type TargetRequest } from '../../http/cache/answer-cache.js';
import { deprecationHeaders } from '../../http/cache/deprecation-headers.js';
import { headerLines, writeHit } from '../../http/cache/hit-text.js';
import { recordAnswer } from '../../http/cache/record-answer.js';
import {
  acceptsCached,
  type PreparedResponse,
  prepareResponse,
  sendPrepared,
  setHeaders,
} from '../../http/cache/send-answer.js';
import { serveTarget } from '../../http/cache/serve-target.js';
import type { ServedAnswer } from '../../http/cache/stored-answer.js';
import { acceptedFormat } from '../../http/formats/accepted-format.js';
import { type Claim, isAnyUsedUp, take, type Usage } from '../../http/limits/limiter.js';
import { addLimitHeaders, claimsOf, limitLines, type RequestLimit } from '../../http/limits/request-limits.js';
import { statusOf } from '../../http/problems/error-answers.js';
import { type RequestRecord, requestIdOf } from '../../http/records/request-record.js';
import { interruptionOf } from '../../http/requests/interruption.js';
import { abortOnClose } from '../../http/requests/read-request.js';
import { compressResponses } from '../requests/compress-responses.js';
import type { RequestFollower } from '../requests/observe-requests.js';
import { createTextSender, type SendText } from './direct-head.js';
import type { DirectRoutes } from './direct-routes.js';
import { noteFailure } from './failed-requests.js';

export interface DirectParts {
  /** The application, which answers all requests that are not answered directly, and writes all errors. */
  readonly app: RequestListener;
  readonly cache: AnswerCache;
  readonly routes: DirectRoutes;
  readonly limits: readonly RequestLimit[];
  /** The headers of every answer; each name is followed by its value. */
  readonly commonHeaders: readonly string[];
  /** Returns the address that the outermost trusted proxy reports, otherwise the address of the peer. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
  readonly requests: RequestFollower;
  /** Reports an error of this program, if nothing else does. */
  readonly report: (error: unknown) => void;
}

/**
 * Answers GET requests for definitions before they reach express, which takes several times as long as an answer from the
 * cache. The application answers all other requests, including those over a limit, as if this function did not exist.
 */
export function answerDirectly(given: DirectParts): RequestListener {
  const { app, report, commonHeaders } = given;
  const parts = { ...given, commonLines: headerLines(commonHeaders), sendText: createTextSender() };
  return (request, response) => {
    const startedAt = performance.now();
    let plan: Plan | undefined;
    try {
      plan = planOf(parts, request);
    } catch (error) {
      report(error);
    }
    if (plan === undefined) return app(request, response);
    const arrived = { request, response, startedAt, plan };
    const usages = take(plan.claims);
    // Without a wait, the answer is sent before the next request is read.
    if (Array.isArray(usages) && plan.known !== undefined) sendAtOnce(parts, arrived, usages, plan.known);
    else answer(parts, begin(parts, arrived), usages).catch(report);
  };
}

interface AnswerParts extends DirectParts {
  /** The headers of every answer as text. */
  readonly commonLines: string;
  readonly sendText: SendText;
}

interface Plan {
  readonly target: string;
  /** The key of the target in the cache. */
  readonly key: string;
  readonly ip: string | undefined;
  readonly claims: readonly Claim[];
  /** The answer that was found in the cache; undefined if the cache must be asked for `wanted`. */
  readonly known: ServedAnswer | undefined;
  readonly wanted: TargetRequest | undefined;
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedAt: number;
  readonly plan: Plan;
}

interface Exchange extends Arrived {
  readonly record: RequestRecord;
}

function begin({ requests }: AnswerParts, arrived: Arrived): Exchange {
  const { request, response, startedAt, plan } = arrived;
  const record = requests.begin(request, response, { startedAt, remoteAddress: plan.ip });
  const { endpoint } = plan.known?.answer ?? plan.wanted ?? {};
  record.operation = endpoint?.definition.name;
  return { ...arrived, record };
}

/** Returns how a request is answered directly; undefined if the application must answer it. */
function planOf({ cache, routes, limits, addressOf }: DirectParts, request: IncomingMessage): Plan | undefined {
  const target = targetOf(request);
  if (target === undefined) return undefined;
  const ip = addressOf(request);
  const claims = claimsOf(limits, { ip, socket: request.socket });
  // Checked first, so that a client over its limit causes no other work here.
  if (isAnyUsedUp(claims)) return undefined;
  const accepted = acceptedFormat(request.headers.accept);
  const key = keyOfTarget(target, accepted);
  const known = acceptsCached(request.headers) ? cache.find(key) : undefined;
  const wanted = known === undefined ? routes(target, accepted) : undefined;
  if (known === undefined && wanted === undefined) return undefined;
  return { target, key, ip, claims, known, wanted };
}

/** Returns the target of a plain GET or HEAD request without a body; undefined for all other requests. */
function targetOf({ method, url, headers }: IncomingMessage): string | undefined {
  if (url === undefined || !(url.startsWith('/v1/') || url.startsWith('/q/'))) return undefined;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return hasBody || headers.expect !== undefined || headers.upgrade !== undefined ? undefined : url;
}

/** Answers a request that must wait for its limits or for its answer. */
async function answer(parts: AnswerParts, exchange: Exchange, counted: Usage[] | Promise<Usage[]>): Promise<void> {
  const { request, response, record, plan } = exchange;
  const { wanted } = plan;
  let usages: readonly Usage[] = [];
  let known: ServedAnswer | undefined;
  try {
    // Both ask Redis, so neither waits for the other.
    [usages, known] = await Promise.all([counted, plan.known ?? findShared(parts, exchange)]);
  } catch (error) {
    return fail(parts, exchange, usages, error);
  }
  // The limit is used up in Redis. The application takes no points either, and writes the rejection.
  if (usages.some(({ isOver }) => isOver)) return parts.app(request, response);
  if (response.destroyed) return fail(parts, exchange, usages, interruptionOf(request));
  try {
    const serve = () => ({ signal: abortOnClose(response), requestId: record.id });
    const served = known ?? (wanted && (await serveTarget(parts.cache, wanted, request, serve())));
    if (served !== undefined) send(parts, exchange, usages, { served, isKnown: known !== undefined });
  } catch (error) {
    fail(parts, exchange, usages, error);
  }
}

function findShared(
  { cache }: DirectParts,
  { request, plan: { wanted } }: Exchange,
): Promise<ServedAnswer | undefined> | undefined {
  return wanted && acceptsCached(request.headers) ? cache.findShared(wanted) : undefined;
}

/** Sends an answer in memory before the next request is read. Its request gets a record only if a simpler way is not possible. */
function sendAtOnce(parts: AnswerParts, arrived: Arrived, usages: readonly Usage[], known: ServedAnswer): void {
  const { request, response, startedAt, plan } = arrived;
  const id = requestIdOf(request);
  try {
    const bytes = sendKnown(parts, arrived, usages, { known, id });
    if (bytes === undefined) {
      send(parts, begin(parts, arrived), usages, { served: known, isKnown: true });
      return;
    }
    const { definition } = known.answer.endpoint;
    const facts = { id, operation: definition.name, rows: known.answer.rows, cache: 'memory', bytes } as const;
    parts.requests.sent(request, response, { startedAt, remoteAddress: plan.ip, ...facts });
    parts.cache.use(known, plan.key);
  } catch (error) {
    fail(parts, begin(parts, arrived), usages, error);
  }
}

function send(
  parts: AnswerParts,
  exchange: Exchange,
  usages: readonly Usage[],
  { served, isKnown }: { readonly served: ServedAnswer; readonly isKnown: boolean },
): void {
  const { cache, commonHeaders, limits } = parts;
  const { request, response, record, plan } = exchange;
  // The client disconnected while it waited.
  if (response.destroyed) return;
  recordAnswer(record, served);
  const { id } = record;
  if (isKnown) record.sentBytes = sendKnown(parts, exchange, usages, { known: served, id });
  if (record.sentBytes === undefined) {
    const common = ['X-Request-Id', id, ...commonHeaders];
    addLimitHeaders(limits, usages, (name, value) => common.push(name, value));
    const prepared = prepareResponse(request, served, plan.target, Date.now());
    if (prepared.needsCompression) sendCompressed(exchange, common, prepared);
    else response.writeHead(prepared.status, [...common, ...prepared.headers]).end(prepared.body);
  }
  if (isKnown) cache.use(served, plan.key);
}

function sendCompressed({ request, response }: Arrived, common: readonly string[], prepared: PreparedResponse): void {
  setHeaders(response, common);
  compressResponses(request as Request, response as Response, () => sendPrepared(response, prepared));
}

/** Sends an answer in memory in the cheapest way, and returns its bytes. Undefined if this is not possible. */
function sendKnown(
  { commonLines, limits, sendText }: AnswerParts,
  { request, response, plan: { target } }: Arrived,
  usages: readonly Usage[],
  { known, id }: { readonly known: ServedAnswer; readonly id: string },
): number | undefined {
  const hit = writeHit(request, known, target, Date.now());
  if (hit === undefined) return undefined;
  const { status, body } = hit;
  const lines = `X-Request-Id: ${id}\r\n${commonLines}${limitLines(limits, usages)}${hit.lines}`;
  return sendText(request, response, { status, lines, body });
}

/** Lets the application answer with an error. */
function fail(parts: DirectParts, arrived: Arrived, usages: readonly Usage[], error: unknown): void {
  const { app, limits, report } = parts;
  const { request, response, plan } = arrived;
  const { wanted } = plan;
  if (!response.headersSent && !response.destroyed) {
    if (wanted !== undefined) setHeaders(response, deprecationHeaders(wanted.endpoint.definition));
    addLimitHeaders(limits, usages, (name, value) => response.setHeader(name, value));
    noteFailure(request, error);
    app(request, response);
    return;
  }
  if (statusOf(error) >= 500) report(error);
  if (response.headersSent) response.destroy();
}
