import type { Logger } from 'pino';
import type { EngineEvent } from '../engine/index.js';
import { refreshAsOf } from '../warehouse/derived/refresh-as-of.js';
import { createVisitCounter, type VisitCounter } from '../warehouse/visits.js';
import { createApp } from './app.js';
import { clockOf } from './clock.js';
import { listen } from './listen.js';
import { openEngine } from './open-engine.js';
import { SERVICE } from './package-root.js';
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
const LINKS = { collections: '/v1/collections/', trends: '/v1/trends/repos/', health: '/healthy/' };

/** Everything between an open database and a listening server. Throws `DefinitionsError` before it listens. */
export async function startService(
  settings: Settings,
  { database, store }: Pick<Warehouse, 'database' | 'store'>,
  logger: Logger,
): Promise<Service> {
  const clock = clockOf(settings);
  const visits = store && createVisitCounter(store, clock);
  const engine = await openEngine(settings, database, observer(logger, visits));
  if (store !== undefined) await refreshAsOf(store, clock());
  const service = { ...SERVICE, links: LINKS };
  const app = createApp({ engine, database, clock, logger, service, settings });
  const listening = await listen(app, settings);
  const work =
    store === undefined
      ? []
      : [
          repeat('storing visits', FLUSH_MS, async () => visits?.flush(), logger),
          repeat('renewing trends', settings.refreshMinutes * 60_000, () => refreshAsOf(store, clock()), logger),
        ];
  return {
    url: listening.url,
    endpoints: engine.endpoints.length,
    close: async () => {
      await listening.close();
      const stored = Promise.all(work.map((repeated) => repeated.stop())).then(() => visits?.flush());
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
