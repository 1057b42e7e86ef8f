import compression from 'compression';
import cors from 'cors';
import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { healthRoutes } from '../app-routes/healthy.js';
import { homeRoutes, type ServiceDescription } from '../app-routes/home.js';
import type { Database, Engine } from '../engine/index.js';
import { namedRoutes, publicRoutes } from './endpoint-routes.js';
import { errorAnswers } from './error-answers.js';
import { methodNotAllowed, notFound } from './no-route.js';
import { requestLog } from './request-log.js';
import type { Settings } from './settings.js';

export interface AppParts {
  readonly engine: Engine;
  readonly database: Database;
  readonly logger: Logger;
  readonly service: ServiceDescription;
  readonly settings: Pick<Settings, 'corsOrigin' | 'bodyLimit'>;
}

/** The whole HTTP application. Never listens and reads no environment. */
export function createApp({ engine, database, logger, service, settings }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('case sensitive routing', true);

  app.use(requestLog(logger));
  app.use(helmet());
  app.use(cors({ origin: settings.corsOrigin, exposedHeaders: ['Link', 'Retry-After', 'X-Request-Id'] }));
  app.use(compression());
  app.use(express.json({ limit: settings.bodyLimit }));

  const routers = [homeRoutes(service), healthRoutes(database), publicRoutes(engine), namedRoutes(engine)];
  for (const router of routers) app.use(router);
  app.use(methodNotAllowed(routers), notFound());
  app.use(errorAnswers());
  return app;
}
