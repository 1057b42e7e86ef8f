import { UserKeys } from '../accounts/keys/user-keys.js';
import { UserRoles } from '../accounts/user-roles.js';
import { Users } from '../accounts/users.js';
import { NO_PAGES } from '../console/pages/next-pages.js';
import { NO_AUTHENTICATION } from '../engine/http/access/authentication.js';
import { type Documents, writeDocuments } from '../engine/http/description/formats/documents.js';
import type { Operation } from '../engine/http/operations/operation.js';
import { createEngine, type Database, type Endpoint, type Engine } from '../engine/index.js';
import { Explorer, type ExplorerParts } from '../explorer/explorer.js';
import { Playground } from '../explorer/playground/playground.js';
import { SqlAccess } from '../explorer/playground/sql-access.js';
import { InProcessQueue } from '../explorer/work/in-process-queue.js';
import { createLookups } from '../github/lookups/lookups.js';
import { createStoredRecords } from '../github/lookups/stored-records.js';
import { createNameSearch } from '../warehouse/search.js';
import { TABLE_REFERENCE } from '../warehouse/table-reference.js';
import { engineOperations } from './engine-operations.js';
import type { ExplorerOperationParts } from './explorer/explorer-operations.js';
import { githubOperations, HOME, READ_ONLY_STATE, TAGS } from './github-operations.js';
import { ownApiParts } from './own-api.js';
import type { ServiceParts } from './service-parts.js';
import type { ApiFolder } from './settings/api-folder.js';
import { sqlOperations } from './sql-operations.js';

/**
 * Creates the OpenAPI descriptions of a service with these definitions, without a database and without an identity provider.
 * `sessionCookie` is the name of the cookie of users who sign in with a browser, and `api` the API in a folder that the service offers.
 */
export function describeOperations(
  endpoints: readonly Endpoint[],
  { sessionCookie, api }: { readonly sessionCookie?: string | undefined; readonly api?: ApiFolder | undefined } = {},
): Documents {
  const engine = createEngine({ endpoints, database: NO_DATABASE, stopwatch: () => 0 });
  const service = api === undefined ? githubParts(engine, sessionCookie) : ownParts(api);
  const handWritten = [...everyOperation(engine, service), ...service.operations];
  return writeDocuments({ endpoints, generation: 0 }, handWritten, service.facts);
}

type DescribedParts = Pick<ServiceParts, 'home' | 'identify' | 'features' | 'facts' | 'operations'>;

/** Returns the operations of every service, for their descriptions only: their handlers fail when called. */
function everyOperation(engine: Engine, service: DescribedParts): Operation[] {
  return engineOperations({
    ...service,
    health: { database: NO_DATABASE, redis: undefined, shadow: undefined },
    definitions: missing,
    pages: () => NO_PAGES,
    drain: { isReady: true },
    database: NO_DATABASE,
    engine,
    cache: { serve: absent },
    clock,
    images: { get: absent },
    authentication: NO_AUTHENTICATION,
  });
}

/** Returns the parts of an API in a folder, for their descriptions only. The columns of its tables are not part of them. */
function ownParts(api: ApiFolder): DescribedParts {
  const tables = new Map(Object.keys(api.published).map((name) => [name.toLowerCase(), NO_COLUMNS]));
  if (tables.size === 0) return ownApiParts(api);
  const { access } = api;
  const playground = new Playground(NO_DATABASE, tables, NO_TIME, { access: new SqlAccess({ access }) });
  const operations = sqlOperations(playground, clock);
  return { ...ownApiParts(api, playground), operations };
}

/** The time limit of queries that never run. */
const NO_TIME = 0;
const NO_COLUMNS = { description: '', columns: new Map() };

/** Returns the parts of the service with the data of GitHub, for their descriptions only. */
function githubParts(engine: Engine, sessionCookie: string | undefined): DescribedParts {
  const [database, state] = [NO_DATABASE, READ_ONLY_STATE];
  const playground = new Playground(database, TABLE_REFERENCE, NO_TIME);
  const operations = githubOperations({
    health: { database, redis: undefined, shadow: undefined },
    definitions: missing,
    database,
    engine,
    playground,
    clock,
    state,
    users: new Users(database, state, absent),
    unsubscribeTokens: absent,
    sendsDigests: false,
    userKeys: new UserKeys(database, state),
    userRoles: new UserRoles(database, state),
    operator: {
      process: missing,
      cache: { counts: missing },
      queries: { isBreakerOpen: false, slowest: missing },
      keys: absent,
      reloads: missing,
      tracking: missing,
      report: missing,
    },
    lookups: createLookups({
      github: undefined,
      records: createStoredRecords(database),
      search: createNameSearch(database),
    }),
    explorer: explorerToDescribe({ database, state, engine, playground }),
  });
  const features = { signIn: false, model: false, digests: false };
  return { home: HOME, identify: absent, features, operations, facts: { sessionCookie, tags: TAGS } };
}

type ExplorerBase = Pick<ExplorerParts, 'database' | 'state' | 'engine' | 'playground'>;

function explorerToDescribe(base: ExplorerBase): ExplorerOperationParts {
  const answerer = { propose: absent };
  const explorer = new Explorer({
    ...{ ...base, answerer, clock, systemClock: clock, newestData: absent },
    queue: new InProcessQueue(),
    isOnlyProcess: true,
    prepareMs: 0,
    onRejected: absent,
    onFailure: absent,
  });
  return { ...base, explorer, answerer, generateQuestions: absent, staleAfterMs: 0, answerWaitMs: 0 };
}

const clock = () => new Date();

const absent = async () => {
  throw new Error('These operations have no database: they are only described.');
};

const NO_DATABASE: Database = {
  name: 'none',
  concurrency: 1,
  prepare: (sql) => ({ sql }),
  query: absent,
  explain: absent,
  ping: absent,
  close: absent,
};

const missing = () => {
  throw new Error('These operations have no service: they are only described.');
};
