import compression from 'compression';
import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { type HealthParts, healthRoutes } from '../app-routes/healthy.js';
import { homeRoutes, type ServiceDescription } from '../app-routes/home.js';
import { HttpProblem } from '../app-routes/http-problem.js';
import { type Engine, EngineError } from '../engine/index.js';
import { namedRoutes, publicRoutes } from './endpoint-routes.js';
import { errorAnswers } from './error-answers.js';
import { LIMIT_HEADERS } from './limits/public-limits.js';
import { requestLog } from './request-log.js';
import type { Settings } from './settings.js';

export interface AppParts {
  readonly engine: Engine;
  readonly health: HealthParts;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly service: ServiceDescription;
  /** Lets requests to `/v1` through, or refuses them. */
  readonly limits: RequestHandler;
  readonly settings: Pick<Settings, 'corsOrigin' | 'bodyLimit' | 'trustedProxies'>;
}

/** The whole HTTP application. Never listens and reads no environment. */
export function createApp({ engine, health, clock, logger, service, limits, settings }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('trust proxy', settings.trustedProxies?.split(',') ?? false);

  app.use(requestLog(logger));
  app.use(helmet());
  const exposedHeaders = ['Link', 'Retry-After', 'X-Request-Id', ...LIMIT_HEADERS];
  // Answers what a browser asks before a request of another origin, so that it counts as none.
  app.use(cors({ origin: settings.corsOrigin, exposedHeaders }));
  app.use('/v1', limits);
  app.use(compression());
  app.use(express.json({ limit: settings.bodyLimit }));

  app.use(homeRoutes(service), healthRoutes(health), publicRoutes(engine), namedRoutes(engine));
  app.use(notFound);
  app.use(errorAnswers(clock));
  return app;
}

const notFound: RequestHandler = ({ path }) => {
  const message = `Nothing is served at ${path}.`;
  if (path.startsWith('/v1/')) throw new EngineError('endpoint_not_found', message);
  throw new HttpProblem(404, 'route_not_found', message);
};
