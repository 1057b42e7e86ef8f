import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import { allowOnly } from '../../engine/http/operations/allowed-methods.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { recordOf } from '../../engine/http/request-record.js';
import { type Listening, listen } from '../listening/listen.js';
import type { Logger } from '../logging/log.js';
import type { Settings } from '../settings/settings.js';
import type { Timeouts } from '../settings/timeouts.js';
import type { Exposition } from './exposition.js';
import type { FamilyValues, Metrics } from './metrics.js';

/** Returns the metrics of all processes of the service. */
export type ReadMetrics = () => Promise<readonly (readonly FamilyValues[])[]>;

/** Returns the metrics of this process. The first scrape loads the package for metrics. */
export async function readOwnMetrics(metrics: Metrics): Promise<FamilyValues[]> {
  const { readProcessMetrics } = await import('./exposition.js');
  return [...metrics.read(), ...(await readProcessMetrics())];
}

/** Gets the metrics of this process, and returns the metrics of all processes of the service. */
export type CollectMetrics = (own: readonly FamilyValues[]) => ReturnType<ReadMetrics>;

export async function readAllMetrics(metrics: Metrics, collect: CollectMetrics | undefined): ReturnType<ReadMetrics> {
  const own = await readOwnMetrics(metrics);
  return collect === undefined ? [own] : collect(own);
}

export async function scrape(read: ReadMetrics, { headers }: Pick<IncomingMessage, 'headers'>): Promise<Exposition> {
  const { writeExposition } = await import('./exposition.js');
  return writeExposition(await read(), headers.accept);
}

/** Throws `credential_missing` or `credential_invalid` unless the request has the token. If `token` is undefined, any caller may scrape. */
export function requireToken(token: string | undefined, { headers }: Pick<IncomingMessage, 'headers'>): void {
  if (token === undefined) return;
  const [, sent] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  const details = { headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' } };
  if (sent === undefined)
    throw new HttpProblem('credential_missing', 'Metrics need the token of METRICS_TOKEN.', details);
  // Hashes have equal lengths, so the comparison takes the same time for every sent token.
  if (timingSafeEqual(hash(sent), hash(token))) return;
  throw new HttpProblem('credential_invalid', 'The token is not the one of METRICS_TOKEN.', details);
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Answers scrapes on the port of METRICS_PORT. All other paths return 404. `report` is called when the metrics cannot be read. */
export function metricsListener(
  read: ReadMetrics,
  token: string | undefined,
  report: (error: unknown) => void,
): RequestListener {
  return (request, response) => {
    answerScrape(read, token, request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : body),
      (error: unknown) => {
        report(error);
        response.writeHead(500).end();
      },
    );
  };
}

interface ScrapeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function answerScrape(
  read: ReadMetrics,
  token: string | undefined,
  request: IncomingMessage,
): Promise<ScrapeAnswer> {
  try {
    requireScrape(request);
    requireToken(token, request);
    const { contentType, text } = await scrape(read, request);
    return { status: 200, headers: { 'Content-Type': contentType }, body: text };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', ...error.details.headers };
    return { status: error.status, headers, body: `${error.message}\n` };
  }
}

function requireScrape({ method, url }: IncomingMessage): void {
  if (!/^\/metrics\/?(?:\?|$)/.test(url ?? ''))
    throw new HttpProblem('route_not_found', 'This port has only /metrics.');
  if (method === 'GET' || method === 'HEAD') return;
  const details = { headers: { Allow: 'GET, HEAD' } };
  throw new HttpProblem('method_not_allowed', `${method} is not allowed on /metrics; allowed: GET, HEAD.`, details);
}

/** Serves `/metrics` on the port of the service. Scrapes must send the token. */
export function metricsRoute(read: ReadMetrics, token: string): RequestHandler {
  const rejectMethod = allowOnly('GET');
  return async (request, response, next) => {
    if (!/^\/metrics\/?$/.test(request.path)) return next();
    recordOf(response).operation = 'metrics';
    if (request.method !== 'GET' && request.method !== 'HEAD') return rejectMethod(request, response, next);
    response.set('Cache-Control', 'no-store');
    requireToken(token, request);
    const { contentType, text } = await scrape(read, request);
    response.set('Content-Type', contentType).send(text);
  };
}

/** Starts the server for metrics, if `METRICS_PORT` is set. */
export async function listenForScrapes(
  settings: Pick<Settings, 'host' | 'metricsPort' | 'metricsToken' | 'shutdownTimeout'>,
  timeouts: Timeouts,
  read: ReadMetrics,
  logger: Logger,
): Promise<Listening | undefined> {
  const { metricsPort: port, metricsToken } = settings;
  if (port === undefined) return undefined;
  const place = { ...settings, port, portSetting: 'METRICS_PORT' };
  const report = (error: unknown) => logger.error({ err: error }, 'the metrics could not be read');
  return listen(metricsListener(read, metricsToken, report), place, undefined, { ...timeouts, drainMs: 0 });
}
