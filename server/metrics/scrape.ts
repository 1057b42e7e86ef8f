import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import type { Exposition } from './exposition.js';
import type { FamilyValues, Metrics } from './metrics.js';

/** Reads the values of all processes of the service. */
export type ReadMetrics = () => Promise<readonly (readonly FamilyValues[])[]>;

/** Reads the values of this process. The package for metrics is loaded by the first scrape. */
export async function readOwnMetrics(metrics: Metrics): Promise<FamilyValues[]> {
  const { readProcessMetrics } = await import('./exposition.js');
  return [...metrics.read(), ...(await readProcessMetrics())];
}

/** Adds the values of the other processes of the service to those of this process. */
export type CollectMetrics = (own: readonly FamilyValues[]) => ReturnType<ReadMetrics>;

export async function readAllMetrics(metrics: Metrics, collect: CollectMetrics | undefined): ReturnType<ReadMetrics> {
  const own = await readOwnMetrics(metrics);
  return collect === undefined ? [own] : collect(own);
}

export async function scrape(read: ReadMetrics, { headers }: Pick<IncomingMessage, 'headers'>): Promise<Exposition> {
  const { writeExposition } = await import('./exposition.js');
  return writeExposition(await read(), headers.accept);
}

/** Throws `credential_missing` or `credential_invalid` unless the request has the token. Without a token, any caller may scrape. */
export function requireToken(token: string | undefined, { headers }: Pick<IncomingMessage, 'headers'>): void {
  if (token === undefined) return;
  const [, sent] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  const details = { headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' } };
  if (sent === undefined)
    throw new HttpProblem('credential_missing', 'Metrics need the token of METRICS_TOKEN.', details);
  // Hashes have equal lengths, so the time of the comparison does not depend on the token.
  if (timingSafeEqual(hash(sent), hash(token))) return;
  throw new HttpProblem('credential_invalid', 'The token is not the one of METRICS_TOKEN.', details);
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Answers scrapes on the port of METRICS_PORT. All other paths are unknown there. `report` gets each failure to read the metrics. */
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
