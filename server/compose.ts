import type { RequestListener } from 'node:http';
import type { Express, RequestHandler } from 'express';
import proxyAddress from 'proxy-addr';
import { createPageHeads } from '../app-routes/console/page-heads.js';
import { consoleShell } from '../app-routes/console/shell.js';
import { mcpRoute } from '../app-routes/mcp/mcp-route.js';
import { type ProtectedResource, protectedResourceOperations } from '../app-routes/mcp/protected-resource.js';
import { StoredImages } from '../console/images/stored-images.js';
import { limitByCaller } from '../engine/http/access/authentication.js';
import type { RunningAnswerCache } from '../engine/http/cache/serving/request-cache.js';
import { answerDefinitions, type DefinitionParts } from '../engine/http/definitions/answer-definitions.js';
import { createDefinitionFinder } from '../engine/http/definitions/definition-routes.js';
import { writeDocuments } from '../engine/http/description/formats/documents.js';
import { type AllRateLimits, createRateLimits } from '../engine/http/limits/request-limits.js';
import { CONSOLE_FOLDER } from '../engine/http/package-root.js';
import type { RedisConnection, RedisOptions } from '../engine/http/redis/redis.js';
import { BODY_LIMIT } from '../engine/http/requests/read-request.js';
import { DEFAULT_PREFIXES, type Engine } from '../engine/index.js';
import type { Explorer } from '../explorer/explorer.js';
import { type AppParts, createApp } from './app.js';
import { recordCommonHeaders } from './common-handlers.js';
import { composeCache } from './compose-cache.js';
import { openForReading } from './databases/open-database.js';
import { engineOperations } from './engine-operations.js';
import type { KeyMetrics } from './metrics/key-metrics.js';
import type { Metrics } from './metrics/metrics.js';
import { metricsRoute, readAllMetrics } from './metrics/scrape.js';
import { ServiceMetrics } from './metrics/service-metrics.js';
import { composeRequests } from './requests/compose-requests.js';
import { compressPlain } from './requests/compress-responses.js';
import type { ApplicationParts, CommonParts, ServiceParts } from './service-parts.js';
import type { Settings } from './settings/settings.js';
import { Shadow } from './shadow/shadow.js';

/** The HTTP application, and the connections that it opened in addition to the database connections. */
export interface Application {
  /** Answers all requests except those for definitions. */
  readonly app: Express;
  /** Answers all requests: requests for definitions directly, and all others with `app`. */
  readonly listener: RequestListener;
  readonly shadow: Shadow | undefined;
  /** Undefined if the service has no questions. */
  readonly explorer: Explorer | undefined;
  readonly metrics: Metrics;
  readonly keys: KeyMetrics;
  readonly cache: RunningAnswerCache;
  close(): Promise<void>;
}

/** Creates the whole application. On failure, closes everything that it opened. The caller closes the warehouse. */
export async function composeApplication(parts: ApplicationParts): Promise<Application> {
  const { settings, warehouse, engine, clock, systemClock, logger, queries, definitions: live } = parts;
  const { database } = warehouse;

  const createService = await openService(parts);
  const redis = await composeRedis(parts);
  const shadow = composeShadow(parts);
  if (shadow !== undefined) engine.onAnswer(({ answer }) => shadow.offer(answer));
  const cache = await composeCache({
    settings,
    database,
    engine,
    versions: warehouse.versions,
    redis,
    clock,
    systemClock,
  });

  const images = new StoredImages(parts.timeouts.imageMs);
  const metrics = new ServiceMetrics();
  const rateLimits = createRateLimits(settings, redis, metrics.onLimited);

  const close = async () => {
    await Promise.all([cache.close(), images.close()]);
    redis?.close();
    await shadow?.close();
  };
  try {
    const health = { database, redis, shadow, archive: parts.archive };
    const service = await createService({ health, cache, images, metrics, rateLimits });
    const { identify, authentication, explorer, playgroundPool, github } = service;
    const { publicUrl } = settings;
    const shared = { ...service, health, database, engine, cache, images, clock, publicUrl, ...statesOf(parts) };
    const protectedResource = protectedResourceOf(settings, service.mcp.about.name);
    const ofTokens = protectedResource === undefined ? [] : protectedResourceOperations(protectedResource);
    const handWritten = [...engineOperations(shared), ...ofTokens, ...service.operations];
    const { operations } = writeDocuments(engine, handWritten, service.facts);
    const limits = { ...rateLimits, public: limitByCaller(rateLimits.public, authentication) };
    const http = { engine, cache, images, identify, authentication, rateLimits: limits };
    const mcp = mcpRoute({
      ...http,
      ...service.mcp,
      clock,
      logger,
      systemClock,
      origins: settings,
      protectedResource,
      bodyLimit: BODY_LIMIT,
    });
    const application = composeHttp(parts, { ...http, operations, mcp, metrics, service });
    const watched = { ...http, queries, explorer, playgroundPool, database, redis, github };
    metrics.watch({ ...watched, definitions: live, logger });
    return { ...application, shadow, explorer, metrics: metrics.all, keys: metrics.keys, cache, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens what the service offers in addition to its definitions. */
async function openService(parts: ApplicationParts): Promise<(common: CommonParts) => Promise<ServiceParts>> {
  const { settings, warehouse } = parts;
  if (settings.api !== undefined) {
    const { openOwnApi } = await import('./own-api.js');
    return openOwnApi(parts, settings.api);
  }
  const { openGitHubService } = await import('./github-service.js');
  return openGitHubService(parts, warehouse);
}

/** Returns the service as a protected resource of OAuth, if the issuer of its tokens is a URL, and the public URL of the service is known. */
function protectedResourceOf(settings: Settings, name: string): ProtectedResource | undefined {
  const { publicUrl, jwtIssuer: issuer, jwtJwksUrl, jwtSecret, api } = settings;
  if (publicUrl === undefined || !/^https?:\/\//.test(issuer) || !URL.canParse(issuer)) return undefined;
  // An API in a folder accepts tokens only with a configured key.
  const acceptsTokens = api === undefined || jwtJwksUrl !== undefined || jwtSecret !== undefined;
  return acceptsTokens ? { publicUrl, issuer, name } : undefined;
}

async function composeRedis({ settings, timeouts, logger }: ApplicationParts) {
  const { redisUrl: url } = settings;
  const { redisMs: timeoutMs, redisConnectMs: connectMs } = timeouts;
  return url === undefined ? undefined : openRedis({ url, timeoutMs, connectMs, logger });
}

/** Returns the states that operations such as `/ready` report. */
function statesOf({ definitions, pages, drain }: ApplicationParts) {
  return { definitions: () => definitions.state(), pages: () => pages.state(), drain };
}

type HttpParts = Pick<AppParts, 'operations' | 'mcp' | 'identify' | 'images'> & {
  readonly engine: Engine;
  readonly cache: RunningAnswerCache;
  readonly rateLimits: AllRateLimits;
  readonly metrics: ServiceMetrics;
  readonly service: ServiceParts;
};

function composeHttp(
  parts: ApplicationParts,
  { engine, cache, images, operations, mcp, identify, rateLimits, metrics, service }: HttpParts,
): Pick<Application, 'app' | 'listener'> {
  const { about } = service.mcp;
  const { prefixes = DEFAULT_PREFIXES } = parts.settings.api ?? {};
  const { settings, pages, clock, logger, tracing, replaceFollower: replace = (counting) => counting } = parts;
  const requests = replace(composeRequests({ engine, operations, metrics, logger, tracing }));
  const console = consoleShell({
    applyLimit: rateLimits.general,
    folder: CONSOLE_FOLDER,
    headOf: createPageHeads(engine, () => pages.state()),
    embedOrigins: settings.embedOrigins?.split(',') ?? ["'self'"],
    publicUrl: settings.publicUrl,
    about,
    ownApi: settings.api && { firstSql: service.firstSql },
  });
  const app = createApp({
    ...{ operations, mcp, console, images, identify, rateLimits, clock, settings },
    authentication: service.authentication,
    metrics: metricsOf(parts, metrics.all),
    systemClock: parts.systemClock,
    reference: { title: about.name, links: service.links },
    prefixes,
    begin: requests.begin,
  });
  const listener = answerDefinitions({
    findDefinition: createDefinitionFinder(engine, operations, prefixes),
    prefixes,
    ...{ cache, engine, requests, clock },
    authentication: service.authentication,
    limits: rateLimits.ofDefinitions,
    commonHeaders: recordCommonHeaders(settings),
    addressOf: createAddressReader(settings),
    compress: compressPlain,
    report: (error) => logger.error({ err: error }, 'an answer could not be sent'),
    others: app,
  });
  return { app, listener: tracing?.wrap(listener) ?? listener };
}

/**
 * Returns the handler of `/metrics` on the port of the service, which needs a token. Undefined if metrics have a separate port or no token
 * is set.
 */
function metricsOf({ settings, collectMetrics }: ApplicationParts, metrics: Metrics): RequestHandler | undefined {
  const { metricsPort, metricsToken } = settings;
  if (metricsPort !== undefined || metricsToken === undefined) return undefined;
  return metricsRoute(() => readAllMetrics(metrics, collectMetrics), metricsToken);
}

// Loaded only by deployments that configure Redis.
async function openRedis(options: RedisOptions): Promise<RedisConnection> {
  const redis = await import('../engine/http/redis/redis.js');
  return redis.openRedis(options);
}

/** Opens the shadow database in the background. The answers of the shadow database are compared with those of the main database. */
function composeShadow({ settings, warehouse: { database }, logger }: ApplicationParts): Shadow | undefined {
  const { shadowDatabaseUrl: databaseUrl, shadowSamplePercent: samplePercent } = settings;
  if (databaseUrl === undefined) return undefined;
  const own = { ...settings, databaseUrl, databaseConnections: SHADOW_CONNECTIONS };
  const open = () => openForReading(own, (notice) => logger.warn(notice), { closeGraceMs: 0 });
  return new Shadow({ samplePercent, database, open, logger });
}

/** The number of connections to the shadow database. The number is small, because only a sample of the queries runs there. */
const SHADOW_CONNECTIONS = 2;

/**
 * Creates the function that reads the address of the client. The function uses the same package as express, so both trust the same proxies.
 */
function createAddressReader({ trustedProxies }: Pick<Settings, 'trustedProxies'>): DefinitionParts['addressOf'] {
  if (trustedProxies === undefined) return ({ socket }) => socket.remoteAddress;
  const isTrusted = proxyAddress.compile(trustedProxies.split(','));
  return (request) =>
    request.headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : proxyAddress(request, isTrusted);
}
