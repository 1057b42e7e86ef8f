import { Users } from '../accounts/users.js';
import { NO_PAGES } from '../console/pages/next-pages.js';
import type { Database, Endpoint, Engine } from '../engine/index.js';
import { Explorer, type ExplorerParts } from '../explorer/explorer.js';
import { Playground } from '../explorer/playground/playground.js';
import { InProcessQueue } from '../explorer/work/in-process-queue.js';
import { createLookups } from '../github/lookups/lookups.js';
import { createStoredRecords } from '../github/lookups/stored-records.js';
import type { Operation } from '../http/operations/operation.js';
import { createNameSearch } from '../warehouse/search.js';
import type { ExplorerOperationParts } from './explorer/explorer-operations.js';
import { READ_ONLY_STATE, serviceOperations } from './operations.js';
import { TIMEOUTS } from './settings/timeouts.js';

/**
 * Returns the hand-written operations for API descriptions. No database is needed, and the handlers of these operations
 * fail.
 */
export function operationsToDescribe(endpoints: readonly Endpoint[]): Operation[] {
  const [database, state] = [NO_DATABASE, READ_ONLY_STATE];
  const engine = engineOf(endpoints);
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
  throw new Error('These operations have no engine: they are only described.');
};

function engineOf(endpoints: readonly Endpoint[]): Engine {
  const lookUps = {
    broken: () => [],
    lookUp: absent,
    tryOut: absent,
    refreshChoices: absent,
    replace: missing,
    serves: () => false,
  };
  const canaries = { select: missing, canaryOf: () => undefined };
  const requests = { ...canaries, endpoint: missing, run: absent, stream: absent, explain: absent };
  return {
    endpoints,
    generation: 0,
    load: { waiting: 0, running: 0 },
    ...lookUps,
    ...requests,
    identify: missing,
    cacheRule: missing,
    reportStored: missing,
  };
}
