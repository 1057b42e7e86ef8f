import type { ReadClaims } from '../accounts/identity/bearer-tokens.js';
import type { AllRateLimits } from '../engine/http/limits/request-limits.js';
import { SERVICE } from '../engine/http/package-root.js';
import { HttpProblem } from '../engine/http/problems/http-problem.js';
import type { Playground } from '../explorer/playground/playground.js';
import type { TableReferences } from '../warehouse/reference/find-table.js';
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

/** Creates a reader of tokens that loads its package for the first token. */
function createLazyReader(settings: ApplicationParts['settings']): ReadClaims {
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
  { warehouse, clock, timeouts }: ApplicationParts,
  api: ApiFolder,
): Promise<(rateLimits: AllRateLimits) => OwnParts> {
  const { openPlayground, readPublicTables } = warehouse;
  if (openPlayground === undefined) return () => ownApiParts(api);
  const publicTables = await readPublicTables();
  // The files of all published tables can be unreadable.
  if (publicTables.size === 0) return () => ownApiParts(api);
  const playgroundDatabase = await openPlayground();
  const [{ createPlaygrounds }, { sqlOperations }] = await Promise.all([
    import('./databases/open-playground.js'),
    import('./sql-operations.js'),
  ]);
  return (rateLimits) => {
    const onEnd = rateLimits.countPlaygroundTime;
    const { playground, playgroundPool } = createPlaygrounds(
      playgroundDatabase,
      publicTables,
      timeouts.playgroundMs,
      onEnd,
    );
    const operations = sqlOperations(playground, clock);
    const parts = ownApiParts(api, publicTables);
    const mcp = { ...parts.mcp, playground: mcpPlaygroundOf(playground) };
    return { ...parts, operations, mcp, playgroundPool };
  };
}

/** Returns the texts and resources of an API with these published tables. `openOwnApi` adds the operations for SQL of callers. */
export function ownApiParts(api: ApiFolder, tables: TableReferences = new Map()): OwnParts {
  const { title, description, prefixes } = api;
  return {
    home: { name: title, version: SERVICE.version, description, links: LINKS },
    identify: async () => {
      throw new HttpProblem('credential_missing', 'This service has no users.');
    },
    features: { signIn: false, model: false },
    operations: [],
    facts: { title, summary: description, prefixes, examples: {} },
    links: { e: 'Endpoints', ...(tables.size > 0 && { playground: 'Playground' }) },
    mcp: {
      about: { name: title, description },
      playground: undefined,
      questions: undefined,
      resources: async () => {
        const { tableResources } = await import('../app-routes/mcp/table-resources.js');
        return tableResources({ tables, template: { title: 'A published table' } });
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
