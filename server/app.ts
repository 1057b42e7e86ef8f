import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { failedImages } from '../app-routes/console/failed-images.js';
import { readEntryStyles } from '../app-routes/console/page-chunks.js';
import { type ReferenceParts, referencePage } from '../app-routes/reference-page.js';
import type { StoredImages } from '../console/images/stored-images.js';
import type { Authentication } from '../engine/http/access/authentication.js';
import type { Identify } from '../engine/http/operations/caller.js';
import { mount } from '../engine/http/operations/mount.js';
import type { Operation, RateLimits } from '../engine/http/operations/operation.js';
import { CONSOLE_FOLDER } from '../engine/http/package-root.js';
import { errorAnswers } from '../engine/http/problems/error-answers.js';
import { HttpProblem } from '../engine/http/problems/http-problem.js';
import { type BeginRequest, recordOf } from '../engine/http/request-record.js';
import { BODY_LIMIT, normalizePath, rejectLargeBody } from '../engine/http/requests/read-request.js';
import { commonHandlers } from './common-handlers.js';
import { compressResponses } from './requests/compress-responses.js';
import type { Settings } from './settings/settings.js';

export interface AppParts {
  readonly operations: readonly Operation[];
  /** Serves the Model Context Protocol at `/mcp`. */
  readonly mcp: RequestHandler;
  /** Serves the pages of the console. */
  readonly console: RequestHandler;
  /** Serves `/metrics` on the port of the service. Undefined if it has a separate port or is disabled. */
  readonly metrics: RequestHandler | undefined;
  readonly images: Pick<StoredImages, 'get'>;
  readonly identify: Identify;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits;
  /** Returns the time that is used for answers with data. A fixed time replays old data. */
  readonly clock: () => Date;
  readonly systemClock: () => Date;
  /** Starts counting and logging a request. Does nothing for a request that it has already started. */
  readonly begin: BeginRequest;
  /** The beginnings of the paths of definitions. */
  readonly prefixes: readonly string[];
  /** The name of the service, and the links of its reference page. */
  readonly reference: Pick<ReferenceParts, 'title' | 'links'>;
  readonly settings: Pick<Settings, 'corsOrigin' | 'trustedProxies'>;
}

/**
 * Creates the express application, which answers all requests except those for definitions. It does not listen yet and reads no environment
 * variables.
 */
export function createApp(parts: AppParts): Express {
  const { operations, images, identify, authentication, rateLimits, clock, systemClock, begin, settings } = parts;
  const authenticate = async (request: Request, response: Response) =>
    (await authentication.authenticate(request, response, request))?.principal;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('trust proxy', settings.trustedProxies?.split(',') ?? false);

  app.use(followRequest(begin));
  app.use(normalizeRequest);
  app.use(ignoreAnyVersion);
  app.use(commonHandlers(settings));
  app.use(rejectLargeBodies);
  app.use(compressResponses);

  app.use(
    parts.mcp,
    named('console', parts.console),
    ...(parts.metrics === undefined ? [] : [parts.metrics]),
    mount(operations, { identify, authenticate, clock: systemClock, rateLimits, bodyLimit: BODY_LIMIT }),
  );
  const reference = { ...parts.reference, styles: readEntryStyles(CONSOLE_FOLDER), applyLimit: rateLimits.general };
  app.use(named('reference', referencePage(reference)));
  app.use(notFound);
  app.use(failedImages(images), errorAnswers(clock, parts.prefixes));
  return app;
}

/** Starts counting and logging each request, and sends its id in a header. */
function followRequest(begin: BeginRequest): RequestHandler {
  return (request, response, next) => {
    const { id } = begin(request, response, { startedAt: performance.now(), remoteAddress: request.ip });
    response.setHeader('X-Request-Id', id);
    next();
  };
}

/** Normalizes the path, so that all routes and limits see the same spelling. The path as sent stays in `originalUrl` and in the log. */
const normalizeRequest: RequestHandler = (request, _response, next) => {
  request.url = normalizePath(request.url);
  next();
};

const rejectLargeBodies: RequestHandler = (request, _response, next) => {
  rejectLargeBody(request);
  next();
};

/** Records the name of a handler for the requests that it answers. */
function named(name: string, handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const record = recordOf(response);
    record.operation = name;
    return handler(request, response, (error) => {
      // `next` with an error means that the handler has handled the request, and failed.
      if (error === undefined || error === 'router') record.operation = undefined;
      next(error);
    });
  };
}

/** Removes `If-None-Match: *`. Most answers have no ETag, but express would answer 304 to every request with this header. */
const ignoreAnyVersion: RequestHandler = ({ headers }, _response, next) => {
  if (headers['if-none-match']?.trim() === '*') delete headers['if-none-match'];
  next();
};

const notFound: RequestHandler = ({ path }) => {
  throw new HttpProblem('route_not_found', `There is no operation at ${path}; /docs lists all operations.`);
};
