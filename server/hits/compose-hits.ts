import type { RequestListener } from 'node:http';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { AnswerCache } from '../../http/cache/answer-cache.js';
import type { RequestLimit } from '../../http/limits/request-limits.js';
import { createHitLog } from '../logging/hit-log.js';
import type { Settings } from '../settings/settings.js';
import { addressReader } from './address-reader.js';
import { answerHits } from './answer-hits.js';
import { recordCommonHeaders } from './common-handlers.js';

export interface HitOptions {
  readonly cache: Pick<AnswerCache, 'find' | 'use'>;
  /** The limits of `/v1` and `/q`. */
  readonly limits: readonly RequestLimit[];
  readonly logger: Logger;
  readonly settings: Pick<Settings, 'corsOrigin' | 'trustedProxies'>;
}

/** Creates the function that answers all requests: hits of the cache directly, and all others with the application. */
export function composeHits(app: Express, { cache, limits, logger, settings }: HitOptions): RequestListener {
  return answerHits({
    app,
    cache,
    limits,
    commonHeaders: recordCommonHeaders(settings),
    addressOf: addressReader(app, settings),
    log: createHitLog(logger),
    report: (error) => logger.error({ err: error }, 'an answer of the cache could not be sent'),
  });
}
