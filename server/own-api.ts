import type { ReadClaims } from '../accounts/identity/bearer-tokens.js';
import { invalidCredentialProblem } from '../app-routes/sign-in/bearer.js';
import type { AllRateLimits } from '../engine/http/limits/request-limits.js';
import { SERVICE } from '../engine/http/package-root.js';
import { HttpProblem } from '../engine/http/problems/http-problem.js';
import type { Playground } from '../explorer/playground/playground.js';
import type { SqlAccess } from '../explorer/playground/sql-access.js';
import { createAuthentication, createTokenPrincipals } from './identity/authentication.js';
import { createTokenRules } from './identity/token-rules.js';
import type { ApplicationParts, CommonParts, ServiceParts } from './service-parts.js';
import type { ApiFolder } from './settings/api-folder.js';

/** Opens what an API in a folder offers in addition to its definitions. The caller closes the database. */
export async function openOwnApi(
  parts: ApplicationParts,
  api: ApiFolder,
): Promise<(common: CommonParts) => Promise<ServiceParts>> {
  const { settings, systemClock } = parts;
  const readPrincipal = createTokenPrincipals(createLazyReader(settings), systemClock);
  const openSql = await openSqlOfCallers(parts, api);
  return async ({ rateLimits }) => {
    const authentication = createAuthentication({ ...parts, rateLimits, readPrincipal });
    return { ...openSql(rateLimits), authentication };
  };
}

/** Creates a reader of tokens that loads its package for the first token. Without the settings of an issuer, no token is valid. */
function createLazyReader(settings: ApplicationParts['settings']): ReadClaims {
  const { jwtJwksUrl, jwtSecret } = settings;
  if (jwtJwksUrl === undefined && jwtSecret === undefined) {
    return async () => {
      throw invalidCredentialProblem('This service accepts API keys only: no issuer of tokens is configured.');
    };
  }
  const load = async () => {
    const { createClaimsReader } = await import('../accounts/identity/bearer-tokens.js');
    return createClaimsReader(await createTokenRules(settings));
  };
  let loading: ReturnType<typeof load> | undefined;
  return async (token, now) => {
    loading ??= load();
    return (await loading)(token, now);
  };
}

type OwnParts = Omit<ServiceParts, 'authentication'>;

/** Opens the database for SQL of callers, if the API publishes tables. */
async function openSqlOfCallers(
  { settings, warehouse, clock }: ApplicationParts,
  api: ApiFolder,
): Promise<(rateLimits: AllRateLimits) => OwnParts> {
  const { openPlayground, readPublicTables } = warehouse;
  if (openPlayground === undefined) return () => ownApiParts(api);
  const publicTables = await readPublicTables();
  // The files of all published tables can be unreadable.
  if (publicTables.size === 0) return () => ownApiParts(api);
  const playgroundDatabase = await openPlayground();
  const [{ createPlaygrounds }, { ANY_SQL, sqlOperations }, access] = await Promise.all([
    import('./databases/open-playground.js'),
    import('./sql-operations.js'),
    openSqlAccess(api),
  ]);
  return (rateLimits) => {
    const onEnd = rateLimits.countPlaygroundTime;
    const { playground, playgroundPool } = createPlaygrounds(playgroundDatabase, publicTables, settings, onEnd, access);
    const operations = sqlOperations(playground, clock);
    const parts = ownApiParts(api, playground);
    const ofMcp = mcpPlaygroundOf(playground);
    // The page is public, so it contains no name of a table that only some callers can read.
    const firstSql = access.definition.access === undefined ? ofMcp.example : ANY_SQL;
    return { ...parts, operations, mcp: { ...parts.mcp, playground: ofMcp }, firstSql, playgroundPool };
  };
}

/** Returns who can write SQL over the published tables of an API, and which rows each caller can read. */
export async function openSqlAccess(api: ApiFolder): Promise<SqlAccess> {
  const { SqlAccess } = await import('../explorer/playground/sql-access.js');
  return new SqlAccess(api);
}

/** Returns the texts of an API, and its published tables as resources. `openOwnApi` adds the operations for SQL of callers. */
export function ownApiParts(api: ApiFolder, playground?: Pick<Playground, 'tables' | 'access'>): OwnParts {
  const { title, description, prefixes } = api;
  return {
    home: { name: title, version: SERVICE.version, description, links: LINKS },
    identify: async () => {
      throw new HttpProblem('credential_missing', 'This service has no users.');
    },
    features: { signIn: false, model: false, digests: false },
    operations: [],
    facts: { title, summary: description, prefixes, examples: {} },
    links: { e: 'Endpoints', ...(playground && { playground: 'Playground' }) },
    mcp: {
      about: { name: title, description },
      playground: undefined,
      questions: undefined,
      resources: async () => {
        const { tableResources } = await import('../app-routes/mcp/table-resources.js');
        const template = { title: 'A published table' };
        if (playground === undefined) return tableResources({ tables: new Map(), template });
        const { tables, access } = playground;
        return { ...tableResources({ tables, template }), definition: access.definition };
      },
    },
    explorer: undefined,
    playgroundPool: undefined,
    github: undefined,
  };
}

const LINKS = { reference: '/docs', openapi: '/openapi.json', health: '/healthy/' };

/** Returns the playground for language models, with the example of its first table. */
export function mcpPlaygroundOf(playground: Playground): NonNullable<ServiceParts['mcp']['playground']> {
  const [{ example = '' } = {}] = playground.tables.values();
  return { playground, example };
}
