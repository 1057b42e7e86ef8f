import type { RequestHandler } from 'express';
import { allowOnly } from '../../engine/http/operations/allowed-methods.js';
import { recordOf } from '../../engine/http/request-record.js';
import { type ReadMetrics, requireToken, scrape } from './scrape.js';

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
