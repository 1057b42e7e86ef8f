import { TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';
import type { Logger } from 'pino';
import type { BrokenEndpoint, EngineEvent } from '../engine/index.js';
import { refreshAsOf } from '../warehouse/derived/refresh-as-of.js';
import { createVisitCounter, type VisitCounter } from '../warehouse/visits.js';
import { forgetOldChanges } from './background/forget-changes.js';
import { repeat } from './background/repeat.js';
import { watchEndpoints } from './background/watch-endpoints.js';
import { clockOf } from './clock.js';
import { type Application, type ApplicationParts, composeApplication } from './compose.js';
import { type Listening, listen } from './listening/listen.js';
import type { UnreadableRequest } from './listening/unreadable-requests.js';
import { openEngine } from './open-engine.js';
import type { Settings } from './settings/settings.js';
import { TIMEOUTS, type Timeouts } from './settings/timeouts.js';
import type { Shadow } from './shadow/shadow.js';
import type { Warehouse } from './warehouse.js';

export interface Service {
  readonly url: string;
  readonly endpoints: number;
  /** Those that cannot be served for now. */
  broken(): readonly BrokenEndpoint[];
  /** What became of the answers that were compared with those of the shadow database; undefined without one. */
  readonly shadow: Pick<Shadow, 'counts'> | undefined;
  /** Finishes the requests in flight and stores what was counted; the database stays open. */
  close(): Promise<void>;
}

const FLUSH_MS = 60_000;
/** Archives are hourly, so trends do not change more often. */
const TRENDS_MS = 3_600_000;
/** Trends of a large database take longer than anybody should wait for a start. */
const FIRST_TRENDS_MS = 5_000;

/** Everything between an open database and a listening server. Throws `DefinitionsError` before it listens, where no endpoint can be served. */
export async function startService(
  settings: Settings,
  warehouse: Omit<Warehouse, 'close'>,
  logger: Logger,
  timeouts: Timeouts = TIMEOUTS,
): Promise<Service> {
  const { database, store } = warehouse;
  const clock = clockOf(settings);
  const visits = store && createVisitCounter(store, clock);
  const engine = await openEngine(settings, database, observer(logger, visits));
  const trends = store && repeat('renewing trends', TRENDS_MS, () => refreshAsOf(store, clock()), logger);
  if (trends !== undefined && (await isLate(trends.now(), FIRST_TRENDS_MS))) {
    logger.info('trends are being renewed; until that is done they are as old as they say');
  }
  const looks = await watchEndpoints(engine, logger);
  const opening = openListening({ settings, warehouse, engine, clock, logger, timeouts });
  const { application, listening } = await opening.catch(async (error: unknown) => {
    await Promise.all([trends?.stop(), looks.stop()]);
    throw error;
  });
  const flushes = visits && repeat('storing visits', FLUSH_MS, () => visits.flush(), logger);
  const forgetting = forgetOldChanges(settings, warehouse.state, logger);
  return {
    url: listening.url,
    endpoints: engine.endpoints.length,
    broken: () => engine.broken(),
    shadow: application.shadow,
    close: async () => {
      await listening.close();
      const closed = application.close();
      const stored = Promise.all([trends?.stop(), looks.stop(), flushes?.stop(), forgetting?.stop()]).then(() =>
        visits?.flush(),
      );
      if (await isLate(stored, settings.shutdownTimeout)) logger.error('the database took too long to store visits');
      await closed;
    },
  };
}

/** The application, asked by whoever connects; nothing of it stays open where it cannot be. */
async function openListening(
  parts: ApplicationParts,
): Promise<{ readonly application: Application; readonly listening: Listening }> {
  const application = await composeApplication(parts);
  try {
    const { settings, logger, timeouts } = parts;
    const tell = (request: UnreadableRequest) => logger.warn({ req: request }, 'a request could not be read');
    return { application, listening: await listen(application.app, settings, tell, timeouts) };
  } catch (error) {
    await application.close();
    throw error;
  }
}

/** Whether the work is not done in time: a server that stalls must not keep the process. */
async function isLate(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  try {
    await timeout(timeoutMs, TimeoutStrategy.Aggressive).execute(() => work);
    return false;
  } catch (error) {
    if (error instanceof TaskCancelledError) return true;
    throw error;
  }
}

/** Failed requests are logged where they are answered; here is what no answer shows. */
function observer(logger: Logger, visits: VisitCounter | undefined): (event: EngineEvent) => void {
  return (event) => {
    if (event.kind === 'answered') {
      const { collection_id: collection } = event.parameters;
      if (typeof collection === 'number') visits?.count(collection);
    }
    if (event.kind === 'metadata_query_failed') {
      const { cause, ...facts } = event;
      logger.warn({ ...facts, err: cause }, 'metadata query failed');
    }
    if (event.kind === 'breaker_opened') logger.error({ err: event.cause }, 'the database is away');
    if (event.kind === 'breaker_closed') logger.info('the database is back');
  };
}
