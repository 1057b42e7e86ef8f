import type { RequestListener } from 'node:http';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { AnswerCache } from '../../http/cache/answer-cache.js';
import type { RequestLimit } from '../../http/limits/request-limits.js';
import type { RequestFollower } from '../requests/observe-requests.js';
import type { Settings } from '../settings/settings.js';
import { addressReader } from './address-reader.js';
import { answerDirectly } from './answer-directly.js';
import type { DirectRoutes } from './direct-routes.js';

export interface DirectOptions {
  readonly cache: AnswerCache;
  readonly routes: DirectRoutes;
  /** The limits of `/v1` and `/q`. */
  readonly limits: readonly RequestLimit[];
  readonly logger: Logger;
  readonly requests: RequestFollower;
  /** The headers of every answer; each name is followed by its value. */
  readonly commonHeaders: readonly string[];
  readonly settings: Pick<Settings, 'trustedProxies'>;
}

/** Creates the function that answers all requests: those for definitions directly, and all others with the application. */
export function composeDirect(
  app: Express,
  { cache, routes, limits, commonHeaders, logger, requests, settings }: DirectOptions,
): RequestListener {
  return answerDirectly({
    app,
    cache,
    routes,
    limits,
    commonHeaders,
    addressOf: addressReader(app, settings),
    requests,
    report: (error) => logger.error({ err: error }, 'an answer could not be sent'),
  });
}
