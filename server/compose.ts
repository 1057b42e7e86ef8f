import type { RequestListener } from 'node:http';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { createTokenReader } from '../accounts/identity/bearer-tokens.js';
import { Sessions } from '../accounts/sessions.js';
import type { StateStore } from '../accounts/state-store.js';
import { UsedSignIns } from '../accounts/used-sign-ins.js';
import { Users } from '../accounts/users.js';
import { type BrowserSessions, createBrowserSessions } from '../app-routes/sign-in/browser-sessions.js';
import { createIdentify } from '../app-routes/sign-in/identify.js';
import { createPendingSignIns } from '../app-routes/sign-in/pending-sign-in.js';
import { signInOperations } from '../app-routes/sign-in/sign-in.js';
import type { Engine } from '../engine/index.js';
import type { Explorer } from '../explorer/explorer.js';
import { Playground } from '../explorer/playground/playground.js';
import { GitHubCache } from '../github/client/github-cache.js';
import { createLookups, type Lookups } from '../github/lookups/lookups.js';
import { createStoredRecords } from '../github/lookups/stored-records.js';
import type { RunningAnswerCache } from '../http/cache/serving/request-cache.js';
import { writeDocuments } from '../http/description/formats/documents.js';
import { openRedis } from '../http/limits/redis.js';
import { createRateLimits } from '../http/limits/request-limits.js';
import type { Operation } from '../http/operations/operation.js';
import { createNameSearch } from '../warehouse/search.js';
import { createApp } from './app.js';
import { composeCache } from './cache/compose-cache.js';
import { composeExplorer } from './explorer/compose-explorer.js';
import { createConfiguredGitHubClient } from './github-client.js';
import { composeHits } from './hits/compose-hits.js';
import { READ_ONLY_STATE, serviceOperations } from './operations.js';
import type { Settings } from './settings/settings.js';
import type { Timeouts } from './settings/timeouts.js';
import { Shadow, withShadow } from './shadow/shadow.js';
import { createSignInProvider } from './sign-in-provider.js';
import { createTokenRules, readOrCreateSecret } from './token-rules.js';
import { openForReading, type Warehouse } from './warehouse.js';

export interface ApplicationParts {
  readonly settings: Settings;
  readonly warehouse: Omit<Warehouse, 'close'>;
  readonly engine: Engine;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly timeouts: Timeouts;
}

/** The HTTP application, and the connections that it opened in addition to the database connections. */
export interface Application {
  readonly app: Express;
  /** Answers all requests: hits of the cache directly, and all others with `app`. */
  readonly listener: RequestListener;
  readonly shadow: Shadow | undefined;
  readonly explorer: Explorer;
  readonly cache: RunningAnswerCache;
  close(): Promise<void>;
}

/**
 * Creates the whole application. If the creation fails, it closes everything that it opened, but never the warehouse.
 */
export async function composeApplication(parts: ApplicationParts): Promise<Application> {
  const { settings, warehouse, clock, logger } = parts;
  const { database, state = READ_ONLY_STATE } = warehouse;

  const users = new Users(database, state);
  const signIn = await composeSignIn(parts, state, users);
  const readToken = createTokenReader(await createTokenRules(settings));
  const identify = createIdentify({ users, readToken, ...(signIn && { readSession: signIn.sessions.userIdOf }) });

  const playground = new Playground(await warehouse.openPlayground(), parts.timeouts.playgroundMs);
  const lookups = composeLookups(parts);
  const { redisUrl: url } = settings;
  const redis = url === undefined ? undefined : await openRedis({ url, timeoutMs: parts.timeouts.redisMs, logger });
  const shadow = composeShadow(parts);
  const engine = withShadow(parts.engine, shadow);
  const cache = composeCache({ settings, engine, versions: warehouse.versions, redis, clock });

  const close = async () => {
    await cache.close();
    redis?.close();
    await shadow?.close();
  };
  try {
    const health = { database, redis, shadow };
    const explorer = composeExplorer({ settings, database, state, engine, playground, clock, systemClock, logger });
    const service = { health, database, engine, cache, playground, clock, state, users, lookups, explorer };
    const handWritten = [...serviceOperations(service), ...(signIn?.operations ?? [])];
    const { operations } = writeDocuments(engine.endpoints, handWritten, signIn?.sessions.cookie);
    const rateLimits = createRateLimits(settings, redis);
    const app = createApp({ engine, cache, operations, identify, rateLimits, clock, systemClock, logger, settings });
    return {
      app,
      listener: composeHits(app, { cache, limits: rateLimits.ofHits, logger, settings }),
      shadow,
      explorer: explorer.explorer,
      cache,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Sessions, credentials and changes of users use the real time, even if `NOW` fixes the time of the data. */
const systemClock = () => new Date();

interface SignIn {
  readonly operations: readonly Operation[];
  readonly sessions: BrowserSessions;
}

/** Creates the operations for sign-in with a browser; undefined if no identity provider is configured. */
async function composeSignIn(
  { settings, warehouse: { database } }: ApplicationParts,
  state: StateStore,
  users: Users,
): Promise<SignIn | undefined> {
  const provider = createSignInProvider(settings);
  if (provider === undefined || settings.publicUrl === undefined) return undefined;
  const secret = settings.sessionSecret ?? (await readOrCreateSecret(settings, 'session-secret', 'SESSION_SECRET'));
  const publicUrl = new URL(settings.publicUrl);
  const sessions = createBrowserSessions({
    sessions: new Sessions(database, state),
    secret,
    publicUrl,
    lifetimeMs: settings.sessionDays * 86_400_000,
    idleMs: SESSION_IDLE_MS,
    clock: systemClock,
  });
  const pending = createPendingSignIns(secret, publicUrl);
  const used = new UsedSignIns(state);
  return { operations: signInOperations({ provider, pending, used, sessions, users }), sessions };
}

/** A session ends after this time without a request. */
const SESSION_IDLE_MS = 24 * 3_600_000;

/** Creates the lookups of accounts and repositories. They use GitHub if tokens are configured, otherwise the tables. */
function composeLookups({ settings, warehouse: { database }, logger }: ApplicationParts): Lookups {
  const onNotice = (notice: string) => logger.warn(notice);
  const client = createConfiguredGitHubClient(settings, 1, onNotice);
  return createLookups({
    github: client && new GitHubCache(client, { onNotice }),
    records: createStoredRecords(database),
    search: createNameSearch(database),
  });
}

/** Opens the shadow database in the background. Its answers are compared with the answers of the first database. */
function composeShadow({ settings, warehouse: { database }, logger }: ApplicationParts): Shadow | undefined {
  const { shadowDatabaseUrl: databaseUrl, shadowSamplePercent: samplePercent } = settings;
  if (databaseUrl === undefined) return undefined;
  const own = { ...settings, databaseUrl, databaseConnections: SHADOW_CONNECTIONS };
  const open = () => openForReading(own, (notice) => logger.warn(notice), 0);
  return new Shadow({ samplePercent, database, open, logger });
}

/** The number of connections to the shadow database. It is small, because only a sample of the queries runs there. */
const SHADOW_CONNECTIONS = 2;
