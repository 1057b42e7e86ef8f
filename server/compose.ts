import type { RequestListener } from 'node:http';
import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import proxyAddress from 'proxy-addr';
import { createTokenReader } from '../accounts/identity/bearer-tokens.js';
import type { StateStore } from '../accounts/state-store.js';
import { Users } from '../accounts/users.js';
import { createPageHeads } from '../app-routes/console/page-heads.js';
import { consoleShell } from '../app-routes/console/shell.js';
import type { HealthParts } from '../app-routes/healthy.js';
import { mcpRoute } from '../app-routes/mcp/mcp-route.js';
import { createIdentify } from '../app-routes/sign-in/identify.js';
import { StoredImages } from '../console/images/stored-images.js';
import type { RunningAnswerCache } from '../engine/http/cache/serving/request-cache.js';
import { answerDefinitions, type DefinitionParts } from '../engine/http/definitions/answer-definitions.js';
import { createDefinitionFinder } from '../engine/http/definitions/definition-routes.js';
import { writeDocuments } from '../engine/http/description/formats/documents.js';
import { type AllRateLimits, createRateLimits } from '../engine/http/limits/request-limits.js';
import { CONSOLE_FOLDER } from '../engine/http/package-root.js';
import type { RedisConnection, RedisOptions } from '../engine/http/redis/redis.js';
import type { RequestFollower } from '../engine/http/request-record.js';
import { BODY_LIMIT } from '../engine/http/requests/read-request.js';
import type { Engine } from '../engine/index.js';
import type { Explorer } from '../explorer/explorer.js';
import { GitHubCache } from '../github/client/github-cache.js';
import { createLookups, type Lookups } from '../github/lookups/lookups.js';
import { createStoredRecords } from '../github/lookups/stored-records.js';
import { createNameSearch } from '../warehouse/search.js';
import { type AppParts, createApp } from './app.js';
import type { SharedWork } from './background/shared-work.js';
import { recordCommonHeaders } from './common-handlers.js';
import { composeCache } from './compose-cache.js';
import { composeExplorer } from './compose-explorer.js';
import { createConfiguredGitHubClient } from './github-client.js';
import type { Drain } from './listening/drain.js';
import type { LiveDefinitions } from './live/live-definitions.js';
import type { LivePages } from './live/live-pages.js';
import type { Tracing } from './logging/tracing.js';
import type { Metrics } from './metrics/metrics.js';
import type { QueryMetrics } from './metrics/request-metrics.js';
import { type CollectMetrics, metricsRoute, readAllMetrics } from './metrics/scrape.js';
import { readProcess, ServiceMetrics } from './metrics/service-metrics.js';
import { createPlaygrounds } from './open-playground.js';
import { READ_ONLY_STATE, serviceOperations, TAGS } from './operations.js';
import { composeRequests } from './requests/compose-requests.js';
import { compressPlain } from './requests/compress-responses.js';
import type { Settings } from './settings/settings.js';
import type { Timeouts } from './settings/timeouts.js';
import { Shadow } from './shadow/shadow.js';
import type { SignIn } from './sign-in.js';
import { createTokenRules, readRemovalSecret } from './token-rules.js';
import { openForReading, type Warehouse } from './warehouse.js';

export interface ApplicationParts {
  readonly settings: Settings;
  readonly warehouse: Omit<Warehouse, 'close'>;
  readonly engine: Engine;
  readonly definitions: Pick<LiveDefinitions, 'state' | 'reloads'>;
  readonly pages: Pick<LivePages, 'state'>;
  readonly drain: Pick<Drain, 'isReady'>;
  readonly collectMetrics?: CollectMetrics | undefined;
  readonly archive?: HealthParts['archive'];
  readonly sharedWork?: Pick<SharedWork, 'tracking'> | undefined;
  /** The number of workers of the service; undefined if the service is a single process. */
  readonly workers?: number | undefined;
  readonly clock: () => Date;
  /** The system clock, which the setting `NOW` does not change. */
  readonly systemClock: () => Date;
  readonly logger: Logger;
  readonly timeouts: Timeouts;
  /** Counts the queries of `engine`. */
  readonly queries: QueryMetrics;
  /** Undefined without an exporter of traces. */
  readonly tracing?: Tracing | undefined;
  /** For benchmarks: replaces the function that counts and logs requests. Gets that function. */
  readonly replaceFollower?: (counting: RequestFollower) => RequestFollower;
}

/** The HTTP application, and the connections that it opened in addition to the database connections. */
export interface Application {
  /** Answers all requests except those for definitions. */
  readonly app: Express;
  /** Answers all requests: requests for definitions directly, and all others with `app`. */
  readonly listener: RequestListener;
  readonly shadow: Shadow | undefined;
  readonly explorer: Explorer;
  readonly metrics: Metrics;
  readonly cache: RunningAnswerCache;
  close(): Promise<void>;
}

/** Creates the whole application. On failure, closes everything that it opened. The caller closes the warehouse. */
export async function composeApplication(parts: ApplicationParts): Promise<Application> {
  const { settings, warehouse, engine, clock, systemClock, logger, queries, definitions: live } = parts;
  const { database, state = READ_ONLY_STATE } = warehouse;

  const { users, signIn, identify } = await composeIdentity(parts, state);
  const playgroundDatabase = await warehouse.openPlayground();
  const { lookups, github } = await composeLookups(parts);
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
  const onEnd = rateLimits.countPlaygroundTime;
  const { playground, ofExplorer, ...playgrounds } = createPlaygrounds(
    playgroundDatabase,
    parts.timeouts.playgroundMs,
    onEnd,
  );

  const close = async () => {
    await Promise.all([cache.close(), images.close()]);
    redis?.close();
    await shadow?.close();
  };
  try {
    const health = { database, redis, shadow, archive: parts.archive };
    const shared = { settings, database, state, engine, clock, systemClock, logger };
    const explorer = await composeExplorer({ ...shared, ...metrics, playground: ofExplorer });
    const features = { signIn: signIn !== undefined, model: settings.modelUrl !== undefined };
    const service = { ...shared, health, ...statesOf(parts), cache, users, identify, features, lookups, explorer };
    const operator = { cache, ...operatorParts(parts) };
    const handWritten = [
      ...serviceOperations({ ...service, playground, images, operator }),
      ...(signIn?.operations ?? []),
    ];
    const { operations } = writeDocuments(engine, handWritten, { sessionCookie: signIn?.sessions.cookie, tags: TAGS });
    const http = { engine, cache, images, identify, rateLimits };
    const questions = state === READ_ONLY_STATE ? undefined : { ...explorer, systemClock };
    const served = { database, playground, clock, questions, logger };
    const mcp = mcpRoute({ ...http, ...served, systemClock, origins: settings, bodyLimit: BODY_LIMIT });
    const application = composeHttp(parts, { ...http, operations, mcp, metrics: metrics.all });
    const watched = { ...http, ...playgrounds, queries, explorer: explorer.explorer, database, redis, github };
    metrics.watch({ ...watched, definitions: live, logger });
    return { ...application, shadow, explorer: explorer.explorer, metrics: metrics.all, cache, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function composeRedis({ settings, timeouts, logger }: ApplicationParts) {
  const { redisUrl: url } = settings;
  const { redisMs: timeoutMs, redisConnectMs: connectMs } = timeouts;
  return url === undefined ? undefined : openRedis({ url, timeoutMs, connectMs, logger });
}

/** Returns the parts of this process that the operator page shows. */
function operatorParts({ queries, definitions, sharedWork, workers, logger }: ApplicationParts) {
  return {
    queries,
    reloads: () => definitions.reloads,
    tracking: () => sharedWork?.tracking ?? null,
    process: () => readProcess(workers),
    report: (error: unknown) => logger.error({ err: error }, 'the imports could not be read for an operator'),
  };
}

/** Returns the states that operations such as `/ready` report. */
function statesOf({ definitions, pages, drain }: ApplicationParts) {
  return { definitions: () => definitions.state(), pages: () => pages.state(), drain };
}

type HttpParts = Pick<AppParts, 'operations' | 'mcp' | 'identify' | 'images'> & {
  readonly engine: Engine;
  readonly cache: RunningAnswerCache;
  readonly rateLimits: AllRateLimits;
  readonly metrics: Metrics;
};

function composeHttp(
  parts: ApplicationParts,
  { engine, cache, images, operations, mcp, identify, rateLimits, metrics }: HttpParts,
): Pick<Application, 'app' | 'listener'> {
  const { settings, pages, clock, logger, tracing, replaceFollower: replace = (counting) => counting } = parts;
  const requests = replace(composeRequests({ engine, operations, metrics, logger, tracing }));
  const console = consoleShell({
    applyLimit: rateLimits.general,
    folder: CONSOLE_FOLDER,
    headOf: createPageHeads(engine, () => pages.state()),
    embedOrigins: settings.embedOrigins?.split(',') ?? ["'self'"],
    publicUrl: settings.publicUrl,
  });
  const app = createApp({
    ...{ operations, mcp, console, images, identify, rateLimits, clock, settings },
    metrics: metricsOf(parts, metrics),
    systemClock: parts.systemClock,
    begin: requests.begin,
  });
  const listener = answerDefinitions({
    findDefinition: createDefinitionFinder(engine, operations),
    ...{ cache, engine, requests, clock },
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

// These parts are only loaded by deployments that configure them, because loading their packages takes half a second in total.

async function composeIdentity(parts: ApplicationParts, state: StateStore) {
  const secret = await readRemovalSecret(parts.settings);
  const users = new Users(parts.warehouse.database, state, async () => secret);
  if (state !== READ_ONLY_STATE) await users.hashEarlierRemovals(parts.systemClock());
  const signIn = await composeSignIn(parts, state, users);
  const readToken = createTokenReader(await createTokenRules(parts.settings));
  const identify = createIdentify({ users, readToken, ...(signIn && { readSession: signIn.sessions.userIdOf }) });
  return { users, signIn, identify };
}

async function composeSignIn(parts: ApplicationParts, state: StateStore, users: Users): Promise<SignIn | undefined> {
  const { settings, warehouse, systemClock } = parts;
  if (settings.oidcClientId === undefined) return undefined;
  const { createSignIn } = await import('./sign-in.js');
  return createSignIn({ settings, database: warehouse.database, state, users, systemClock });
}

async function openRedis(options: RedisOptions): Promise<RedisConnection> {
  const redis = await import('../engine/http/redis/redis.js');
  return redis.openRedis(options);
}

/** Creates the lookups of accounts and repositories. The lookups ask GitHub if tokens are configured; otherwise they read the tables. */
async function composeLookups({
  settings,
  warehouse: { database },
  systemClock: clock,
  logger,
}: ApplicationParts): Promise<{
  readonly lookups: Lookups;
  readonly github: GitHubCache | undefined;
}> {
  const onNotice = (notice: string) => logger.warn(notice);
  const client = await createConfiguredGitHubClient(settings, 1, onNotice, () => clock().getTime());
  const github = client && new GitHubCache(client, { onNotice, clock });
  const [records, search] = [createStoredRecords(database), createNameSearch(database)];
  return { lookups: createLookups({ github, records, search }), github };
}

/** Opens the shadow database in the background. The answers of the shadow database are compared with those of the main database. */
function composeShadow({ settings, warehouse: { database }, logger }: ApplicationParts): Shadow | undefined {
  const { shadowDatabaseUrl: databaseUrl, shadowSamplePercent: samplePercent } = settings;
  if (databaseUrl === undefined) return undefined;
  const own = { ...settings, databaseUrl, databaseConnections: SHADOW_CONNECTIONS };
  const open = () => openForReading(own, (notice) => logger.warn(notice), 0);
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
