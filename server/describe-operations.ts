import { Users } from '../accounts/users.js';
import { NO_PAGES } from '../console/pages/next-pages.js';
import { type Documents, writeDocuments } from '../engine/http/description/formats/documents.js';
import type { Operation } from '../engine/http/operations/operation.js';
import { createEngine, type Database, type Endpoint } from '../engine/index.js';
import { Explorer, type ExplorerParts } from '../explorer/explorer.js';
import { Playground } from '../explorer/playground/playground.js';
import { InProcessQueue } from '../explorer/work/in-process-queue.js';
import { createLookups } from '../github/lookups/lookups.js';
import { createStoredRecords } from '../github/lookups/stored-records.js';
import { createNameSearch } from '../warehouse/search.js';
import type { ExplorerOperationParts } from './explorer-operations.js';
import { READ_ONLY_STATE, serviceOperations, TAGS } from './operations.js';
import { TIMEOUTS } from './settings/timeouts.js';

/**
 * Creates the OpenAPI descriptions of a service with these definitions, without a database and without an identity provider.
 * `sessionCookie` is the name of the cookie of users who sign in with a browser.
 */
export function describeOperations(endpoints: readonly Endpoint[], sessionCookie?: string): Documents {
  return writeDocuments({ endpoints, generation: 0 }, operationsOf(endpoints), { sessionCookie, tags: TAGS });
}

/** Returns the hand-written operations, for their descriptions only: their handlers fail when called. */
function operationsOf(endpoints: readonly Endpoint[]): Operation[] {
  const [database, state] = [NO_DATABASE, READ_ONLY_STATE];
  const engine = createEngine({ endpoints, database, stopwatch: () => 0 });
  const playground = new Playground(database, TIMEOUTS.playgroundMs);
  return serviceOperations({
    health: { database, redis: undefined, shadow: undefined },
    definitions: () => ({ endpoints, broken: [], outdated: [], canaries: [], paused: new Map() }),
    pages: () => NO_PAGES,
    drain: { isReady: true },
    database,
    engine,
    cache: { serve: absent },
    playground,
    clock,
    state,
    users: new Users(database, state, absent),
    identify: absent,
    features: { signIn: false, model: false },
    images: { get: absent },
    operator: {
      process: missing,
      cache: { counts: missing },
      queries: { isBreakerOpen: false, slowest: missing },
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
