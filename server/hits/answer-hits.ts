import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Request, Response } from 'express';
import type { AnswerCache } from '../../http/cache/answer-cache.js';
import { acceptsCached, prepareResponse, sendAnswer } from '../../http/cache/send-answer.js';
import type { ServedAnswer } from '../../http/cache/stored-answer.js';
import { type Claim, isAnyUsedUp, take, type Usage } from '../../http/limits/limiter.js';
import { addLimitHeaders, claimsOf, type RequestLimit } from '../../http/limits/request-limits.js';
import type { LogHit } from '../logging/hit-log.js';
import { requestIdOf } from '../logging/request-log.js';

export interface HitParts {
  /** The application, which answers every request that is not answered from the cache. */
  readonly app: RequestListener;
  readonly cache: Pick<AnswerCache, 'find' | 'use'>;
  readonly limits: readonly RequestLimit[];
  /** The headers of every answer; each name is followed by its value. */
  readonly commonHeaders: readonly string[];
  /** Returns the address that the outermost trusted proxy reports, otherwise the address of the peer. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
  readonly log: LogHit;
  /** Reports an error of the cache. The application then answers the request, if the answer has not begun. */
  readonly report: (error: unknown) => void;
}

/**
 * Answers requests from answers in memory before they reach express, which takes several times as long as such an
 * answer. The application answers all other requests, including those over a limit, as if this function did not exist.
 */
export function answerHits(parts: HitParts): RequestListener {
  const { app, report } = parts;
  return (request, response) => {
    const onError = (error: unknown) => {
      report(error);
      if (response.headersSent) response.destroy();
      else app(request, response);
    };
    try {
      const hit = findHit(parts, request);
      if (hit === undefined) return app(request, response);
      const usages = take(hit.claims);
      if (Array.isArray(usages)) return send(parts, request, response, hit, usages);
      const sendShared = (shared: Usage[]) => {
        // The limit is used up in Redis. The application takes no points either, and writes the rejection.
        if (shared.some(({ isOver }) => isOver)) app(request, response);
        else send(parts, request, response, hit, shared);
      };
      usages.then(sendShared).catch(onError);
    } catch (error) {
      onError(error);
    }
  };
}

interface Hit {
  readonly served: ServedAnswer;
  readonly target: string;
  readonly ip: string | undefined;
  readonly claims: readonly Claim[];
  readonly startedAt: number;
}

function findHit({ cache, limits, addressOf }: HitParts, request: IncomingMessage): Hit | undefined {
  const target = targetOf(request);
  if (target === undefined) return undefined;
  const startedAt = Date.now();
  const ip = addressOf(request);
  const claims = claimsOf(limits, { ip, socket: request.socket });
  if (isAnyUsedUp(claims)) return undefined;
  const served = cache.find(target);
  return served && { served, target, ip, claims, startedAt };
}

/** Returns the target of a request that can be answered from the cache: a plain GET or HEAD without a body. */
function targetOf({ method, url, headers }: IncomingMessage): string | undefined {
  if (url === undefined || !(url.startsWith('/v1/') || url.startsWith('/q/'))) return undefined;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (hasBody || headers.expect !== undefined || headers.upgrade !== undefined) return undefined;
  return acceptsCached(headers) ? url : undefined;
}

function send(
  { cache, commonHeaders, limits, log }: HitParts,
  request: IncomingMessage,
  response: ServerResponse,
  { served, target, ip, startedAt }: Hit,
  usages: readonly Usage[],
): void {
  const id = requestIdOf(request);
  log(request, response, { id, remoteAddress: ip, startedAt });
  // The client disconnected while Redis counted the request.
  if (response.destroyed) return;
  cache.use(target);
  const common = ['X-Request-Id', id, ...commonHeaders];
  addLimitHeaders(limits, usages, (name, value) => common.push(name, value));
  const { status, headers, body, needsCompression } = prepareResponse(request, served, target, Date.now());
  if (!needsCompression) {
    response.writeHead(status, [...common, ...headers]).end(body);
    return;
  }
  for (let index = 0; index < common.length; index += 2) {
    response.setHeader(common[index] as string, common[index + 1] as string);
  }
  compress(request as Request, response as Response, () => sendAnswer(request, response, served, target));
}

const compress = compression();
