import type { Logger } from 'pino';
import { createIdentify } from '../app-routes/identity/identify.js';
import { createTokenReader } from '../app-routes/identity/tokens.js';
import type { EngineEvent } from '../engine/index.js';
import { refreshAsOf } from '../warehouse/derived/refresh-as-of.js';
import { Users } from '../warehouse/state/users.js';
import { createVisitCounter, type VisitCounter } from '../warehouse/visits.js';
import { createApp } from './app.js';
import { clockOf } from './clock.js';
import { writeDocuments } from './description/documents.js';
import { tokenRules } from './identity.js';
import { listen } from './listen.js';
import { openEngine } from './open-engine.js';
import { READ_ONLY_STATE, serviceOperations } from './operations.js';
import { repeat } from './repeat.js';
import type { Settings } from './settings.js';
import type { Warehouse } from './warehouse.js';

export interface Service {
  readonly url: string;
  readonly endpoints: number;
  /** Finishes the requests in flight and stores what was counted; the database stays open. */
  close(): Promise<void>;
}

const FLUSH_MS = 60_000;
/** Trends of a large database take longer than anybody should wait for a start. */
const FIRST_TRENDS_MS = 5_000;

/** Everything between an open database and a listening server. Throws `DefinitionsError` before it listens. */
export async function startService(
  settings: Settings,
  { database, store, state = READ_ONLY_STATE }: Pick<Warehouse, 'database' | 'store' | 'state'>,
  logger: Logger,
): Promise<Service> {
  const clock = clockOf(settings);
  const visits = store && createVisitCounter(store, clock);
  const engine = await openEngine(settings, database, observer(logger, visits));
  const every = settings.refreshMinutes * 60_000;
  const trends = store && repeat('renewing trends', every, () => refreshAsOf(store, clock()), logger);
  if (trends !== undefined && (await isLate(trends.now(), FIRST_TRENDS_MS))) {
    logger.info('trends are being renewed; until that is done they are as old as they say');
  }
  const users = new Users(database, state);
  const identify = createIdentify({ users, readToken: createTokenReader(await tokenRules(settings)) });
  const { operations } = writeDocuments(engine.endpoints, serviceOperations({ database, state, users }));
  const app = createApp({ engine, operations, identify, clock, logger, settings });
  const listening = await listen(app, settings).catch(async (error: unknown) => {
    await trends?.stop();
    throw error;
  });
  const flushes = visits && repeat('storing visits', FLUSH_MS, () => visits.flush(), logger);
  return {
    url: listening.url,
    endpoints: engine.endpoints.length,
    close: async () => {
      await listening.close();
      const stored = Promise.all([trends?.stop(), flushes?.stop()]).then(() => visits?.flush());
      if (await isLate(stored, settings.shutdownTimeout)) logger.error('the database took too long to store visits');
    },
  };
}

/** Whether the work is not done in time: a server that stalls must not keep the process. */
async function isLate(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), timeoutMs);
  });
  try {
    return await Promise.race([work.then(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Failed requests are logged where they are answered; here is what no answer shows. */
function observer(logger: Logger, visits: VisitCounter | undefined): (event: EngineEvent) => void {
  return (event) => {
    if (event.kind === 'answered') {
      const { collection_id: collection } = event.parameters;
      if (typeof collection === 'number') visits?.count(collection);
    }
    if (event.kind === 'side_query_failed') {
      const { cause, ...facts } = event;
      logger.warn({ ...facts, err: cause }, 'side query failed');
    }
    if (event.kind === 'breaker_opened') logger.error({ err: event.cause }, 'the database is away');
    if (event.kind === 'breaker_closed') logger.info('the database is back');
  };
}
