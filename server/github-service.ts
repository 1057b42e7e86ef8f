import { createTokenReader } from '../accounts/identity/bearer-tokens.js';
import { readKeys } from '../accounts/keys/stored-keys.js';
import { UserKeys } from '../accounts/keys/user-keys.js';
import { VerifiedKeys } from '../accounts/keys/verified-keys.js';
import type { StateStore } from '../accounts/state-store.js';
import { UnsubscribeTokens } from '../accounts/unsubscribe-tokens.js';
import { UserRoles } from '../accounts/user-roles.js';
import { Users } from '../accounts/users.js';
import type { BusyKey } from '../app-routes/console/operator-status.js';
import { createIdentify } from '../app-routes/sign-in/identify.js';
import { GitHubCache } from '../github/client/github-cache.js';
import { createLookups, type Lookups } from '../github/lookups/lookups.js';
import { createStoredRecords } from '../github/lookups/stored-records.js';
import { createNameSearch } from '../warehouse/search.js';
import { TABLE_REFERENCE } from '../warehouse/table-reference.js';
import { createPlaygrounds } from './databases/open-playground.js';
import type { OpenDatabase } from './databases/warehouse.js';
import { composeExplorer } from './explorer/compose-explorer.js';
import { createConfiguredGitHubClient } from './github-client.js';
import { EXAMPLE_SQL, githubMcp, githubOperations, HOME, READ_ONLY_STATE, TAGS } from './github-operations.js';
import { createAuthentication, createKeyUserFinder, createUserPrincipals } from './identity/authentication.js';
import type { SignIn } from './identity/sign-in.js';
import { createTokenRules, readRemovalSecret, readUnsubscribeSecret } from './identity/token-rules.js';
import type { KeyMetrics } from './metrics/key-metrics.js';
import { readProcess } from './metrics/service-metrics.js';
import type { ApplicationParts, CommonParts, ServiceParts } from './service-parts.js';
import { type KeySettings, keyLocation } from './settings/key-location.js';

/** Opens what the service with the data of GitHub needs in addition to the engine. The caller closes the warehouse. */
export async function openGitHubService(
  parts: ApplicationParts,
  { openPlayground }: Pick<OpenDatabase, 'openPlayground'>,
): Promise<(common: CommonParts) => Promise<ServiceParts>> {
  if (openPlayground === undefined) throw new Error('The database has no public tables for the playground.');
  const state = parts.warehouse.state ?? READ_ONLY_STATE;
  const identity = await composeIdentity(parts, state);
  const playgroundDatabase = await openPlayground();
  const { lookups, github } = await composeLookups(parts);

  return async (common: CommonParts): Promise<ServiceParts> => {
    const { settings, engine, clock, systemClock, logger, definitions } = parts;
    const { database } = parts.warehouse;
    const { cache, metrics, rateLimits, health } = common;
    const { users, userKeys, userRoles, verifiedKeys, signIn, readToken } = identity;
    const findKeyUser = createKeyUserFinder(verifiedKeys, rateLimits.ofUnknownKeys);
    const readSession = signIn?.sessions.userIdOf;
    const identify = createIdentify({ users, readToken, findKeyUser, ...(readSession && { readSession }) });
    const onEnd = rateLimits.countPlaygroundTime;
    const { playground, ofExplorer, playgroundPool } = createPlaygrounds(
      playgroundDatabase,
      TABLE_REFERENCE,
      settings,
      onEnd,
    );
    const shared = { settings, database, state, engine, clock, systemClock, logger };
    const explorer = await composeExplorer({ ...shared, ...metrics, playground: ofExplorer });
    const sendsDigests = settings.smtpUrl !== undefined && state !== READ_ONLY_STATE;
    const operator = { cache, ...operatorParts(parts, metrics.keys) };
    const browserSessions = signIn?.sessions;
    const served = {
      ...shared,
      unsubscribeTokens: async () => new UnsubscribeTokens(await readUnsubscribeSecret(settings)),
      sendsDigests,
      health,
      users,
      userKeys,
      userRoles,
      browserSessions,
      lookups,
      explorer,
      playground,
      operator,
    };
    return {
      home: HOME,
      identify,
      authentication: createAuthentication({
        ...{ settings, systemClock, logger, rateLimits },
        readPrincipal: createUserPrincipals(identify, userRoles, systemClock),
        findKeyUser,
      }),
      features: { signIn: signIn !== undefined, model: settings.modelUrl !== undefined, digests: sendsDigests },
      operations: [
        ...githubOperations({ ...served, definitions: () => definitions.state() }),
        ...(signIn?.operations ?? []),
      ],
      links: { e: 'Endpoints', 'p/collections': 'Collections', ask: 'Ask', playground: 'Playground' },
      facts: { sessionCookie: signIn?.sessions.cookie, tags: TAGS },
      mcp: {
        ...githubMcp(database),
        playground: { playground, example: EXAMPLE_SQL },
        questions: state === READ_ONLY_STATE ? undefined : { ...explorer, systemClock },
      },
      explorer: explorer.explorer,
      playgroundPool,
      github,
    };
  };
}

/** Returns the parts of this process that the operator page shows. */
function operatorParts(
  { settings, queries, definitions, sharedWork, workers, logger }: ApplicationParts,
  keys: KeyMetrics,
) {
  return {
    queries,
    keys: (limit: number) => readBusiestKeys(keys, settings, limit),
    reloads: () => definitions.reloads,
    tracking: () => sharedWork?.tracking ?? null,
    process: () => readProcess(workers),
    report: (error: unknown) => logger.error({ err: error }, 'the imports could not be read for an operator'),
  };
}

/** Returns the API keys with the most requests, with their names. */
async function readBusiestKeys(keys: KeyMetrics, settings: KeySettings, limit: number): Promise<BusyKey[]> {
  const busiest = keys.busiest().slice(0, limit);
  if (busiest.length === 0) return [];
  // Without their names, which a damaged file does not contain, the numbers are still useful.
  const stored = await readKeys(keyLocation(settings).file).catch(() => []);
  const names = new Map(stored.map(({ id, name }) => [id, name]));
  return busiest.map((key) => ({ ...key, name: names.get(key.id) ?? null }));
}

// These parts are only loaded by deployments that configure them, because loading their packages takes half a second in total.

async function composeIdentity(parts: ApplicationParts, state: StateStore) {
  const secret = await readRemovalSecret(parts.settings);
  const users = new Users(parts.warehouse.database, state, async () => secret);
  if (state !== READ_ONLY_STATE) await users.hashEarlierRemovals(parts.systemClock());
  const signIn = await composeSignIn(parts, state, users);
  const readToken = createTokenReader(await createTokenRules(parts.settings));
  return { users, ...composeKeys(parts, state, users), signIn, readToken };
}

function composeKeys({ warehouse, systemClock: clock, logger }: ApplicationParts, state: StateStore, users: Users) {
  const keys = new UserKeys(warehouse.database, state);
  const roles = new UserRoles(warehouse.database, state);
  const onUseError = (err: unknown) => logger.warn({ err }, 'the time of the last use of a key cannot be stored');
  const stopwatch = () => performance.now();
  // Without write access, no use can be stored.
  const options = { keys, users, roles, clock, stopwatch, onUseError };
  return { userKeys: keys, userRoles: roles, verifiedKeys: new VerifiedKeys(options) };
}

async function composeSignIn(parts: ApplicationParts, state: StateStore, users: Users): Promise<SignIn | undefined> {
  const { settings, warehouse, systemClock } = parts;
  if (settings.oidcClientId === undefined) return undefined;
  const { createSignIn } = await import('./identity/sign-in.js');
  return createSignIn({ settings, database: warehouse.database, state, users, systemClock });
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
