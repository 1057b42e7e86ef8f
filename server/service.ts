import type { Logger } from 'pino';
import type { RunningAnswerCache } from '../engine/http/cache/serving/request-cache.js';
import { type BrokenEndpoint, DefinitionsError, type Engine, formatProblem } from '../engine/index.js';
import { createVisitCounter, type VisitCounter } from '../warehouse/visits.js';
import type { ArchiveFollower } from './background/follow-archive.js';
import type { RollupWork, RollupWorkParts } from './background/keep-rollups-current.js';
import { keepChoicesCurrent } from './background/refresh-choices.js';
import { isLate, repeat } from './background/repeat.js';
import type { SharedWorkStatus } from './background/shared-work.js';
import { watchEndpoints } from './background/watch-endpoints.js';
import { clockOf, readSystemTime } from './clock.js';
import { type Application, composeApplication } from './compose.js';
import type { OpenDatabase } from './databases/warehouse.js';
import { readCursorSecret } from './identity/token-rules.js';
import { Drain, type StopReason } from './listening/drain.js';
import { type Handover, type Listening, listen } from './listening/listen.js';
import type { UnreadableRequest } from './listening/unreadable-requests.js';
import { Canaries } from './live/canaries.js';
import { receiveHistory, type SentHistory } from './live/definition-history.js';
import { LiveDefinitions } from './live/live-definitions.js';
import { LivePages } from './live/live-pages.js';
import { openTracing } from './logging/open-tracing.js';
import type { Tracing } from './logging/tracing.js';
import type { KeyMetrics } from './metrics/key-metrics.js';
import type { Metrics } from './metrics/metrics.js';
import { QueryMetrics } from './metrics/request-metrics.js';
import { rollupFamilies } from './metrics/rollup-families.js';
import { type CollectMetrics, listenForScrapes, readAllMetrics } from './metrics/scrape.js';
import { knowsDefinition } from './metrics/service-families.js';
import { createSlowQueryLog } from './metrics/slow-query-log.js';
import { importFamilies, trackingFamilies } from './metrics/source-families.js';
import { openEngine } from './open-engine.js';
import type { openSharedWork } from './open-shared-work.js';
import { observeEngine } from './requests/observe-engine.js';
import type { ApplicationParts } from './service-parts.js';
import { definitionFolders, pageFolders } from './settings/definition-folders.js';
import { createServiceLoader } from './settings/definitions.js';
import type { Settings } from './settings/settings.js';
import { TIMEOUTS, type Timeouts } from './settings/timeouts.js';
import type { Shadow } from './shadow/shadow.js';

export interface Service {
  readonly url: string;
  readonly endpoints: number;
  /** Returns the endpoints that currently answer 503. */
  broken(): readonly BrokenEndpoint[];
  readonly definitions: Pick<
    LiveDefinitions,
    'folders' | 'state' | 'reload' | 'reloadInBackground' | 'watch' | 'canaries' | 'discard' | 'followHistory'
  >;
  /** The results of the comparison with the shadow database; undefined if there is no shadow database. */
  readonly shadow: Pick<Shadow, 'counts'> | undefined;
  /** The state of the follower of the archive; undefined if this process does not follow it. */
  readonly follower: Pick<ArchiveFollower, 'progress'> | undefined;
  /** Counts of the cache of answers since the start. */
  readonly cache: Pick<RunningAnswerCache, 'counts'>;
  readonly metrics: Metrics;
  /** Statistics of the queries of definitions since the start. */
  readonly queries: Pick<QueryMetrics, 'slowest'>;
  /** The requests with API keys since the start of this process. */
  readonly keys: Pick<KeyMetrics, 'busiest'>;
  /** The URL of the port for metrics. Undefined if it is not set. */
  readonly metricsUrl: string | undefined;
  /** If this process does not do the shared work (the work that only one process of a service does), starts it. */
  startSharedWork(): Promise<void>;
  /** Stores the status of the shared work that another process sent. Undefined if no process does this work. */
  useSharedWorkStatus(status: SharedWorkStatus | undefined): void;
  /**
   * Waits for the requests in flight and stores the counted visits. Does not close the database. If other processes continue to serve at
   * the same address (`replaced`), the service reports that it is ready until the end.
   */
  close(reason?: StopReason, handover?: Handover): Promise<void>;
}

const FLUSH_MS = 60_000;
/** The share of the shutdown timeout in which questions in progress may end. */
const DRAIN_SHARE = 0.8;

/**
 * Starts the service on an open database. Before it listens, it throws `DefinitionsError` if every definition is broken, and
 * `FollowStartError` if the archive cannot be followed.
 */
export async function startService(
  settings: Settings,
  warehouse: Omit<OpenDatabase, 'close'>,
  logger: Logger,
  timeouts: Timeouts = TIMEOUTS,
  role: ProcessRole = {},
): Promise<Service> {
  const { systemClock = readSystemTime } = role;
  const clock = clockOf(settings, systemClock);
  const visits = warehouse.store && createVisitCounter(warehouse.store, clock);
  const loaded = await openDefinitions({
    settings,
    warehouse,
    logger,
    visits,
    systemClock,
    timeouts,
    history: role.history,
  });
  const { engine, definitions, queries, tracing } = loaded;
  // Only the data of GitHub are imported, refreshed and deleted by the service. The code for this is loaded only when needed, so that an API
  // in a folder starts faster.
  const shared =
    settings.api === undefined
      ? await (await import('./open-shared-work.js')).openSharedWork(
          { settings, warehouse, engine, timeouts, clock, systemClock, logger },
          role,
        )
      : NO_SHARED_WORK;
  const { archive, sharedWork } = shared;
  const lookUps = await watchEndpoints(engine, definitions, logger, warehouse.versions);
  const rollups = await keepRollupsCurrent(loaded, { warehouse, clock, logger, onCreated: lookUps.now });
  const choices = await keepChoicesCurrent(engine, warehouse.versions, logger);
  const clocks = { clock, systemClock };
  const drain = new Drain(role.drainPause);
  const parts = { settings, warehouse, ...loaded, ...role, ...clocks, ...shared, rollups, drain, logger, timeouts };
  const opened = await openListening(parts).catch(async (error: unknown) => {
    await Promise.all([sharedWork?.stop(), rollups?.stop(), lookUps.stop(), choices.stop()]);
    throw error;
  });
  const { application, listening, scraping } = opened;
  const flushes = visits && repeat('storing visits', FLUSH_MS, () => visits.flush(), logger);
  // Questions need write access, because they are stored.
  if (warehouse.state !== undefined) await application.explorer?.start();
  archive?.watch();
  const background = [sharedWork, rollups, lookUps, choices, flushes, archive];
  return {
    url: listening.url,
    endpoints: engine.endpoints.length,
    broken: () => engine.broken(),
    definitions,
    shadow: application.shadow,
    get follower() {
      return archive?.follower;
    },
    cache: application.cache,
    metrics: application.metrics,
    queries,
    keys: application.keys,
    metricsUrl: scraping?.url,
    startSharedWork: async () => sharedWork?.start(),
    useSharedWorkStatus: (status) => sharedWork?.useStatus(status),
    close: async (reason = 'stop', handover) => {
      await beginStop(reason, listening, parts.drain, settings);
      void archive?.follower?.stop();
      await definitions.close();
      await endRequests(reason, { ...opened, settings, handover });
      const closed = application.close();
      const stored = Promise.all(background.map((work) => work?.stop())).then(() => visits?.flush());
      if (await isLate(stored, settings.shutdownTimeout)) logger.error('the database took too long to store visits');
      await Promise.all([closed, tracing?.close()]);
    },
  };
}

/** Starts the refreshes of materialized definitions. Undefined if this process cannot store them. */
async function keepRollupsCurrent(
  { definitions, engine }: Pick<Loaded, 'definitions' | 'engine'>,
  {
    warehouse,
    ...parts
  }: Pick<RollupWorkParts, 'clock' | 'logger' | 'onCreated'> & Pick<ApplicationParts, 'warehouse'>,
): Promise<RollupWork | undefined> {
  const { rollups: store, database, versions } = warehouse;
  if (store === undefined) {
    if (engine.endpoints.some(({ rollup }) => rollup !== undefined)) parts.logger.warn(NO_WRITING_ACCOUNT);
    return undefined;
  }
  const { RollupWork } = await import('./background/keep-rollups-current.js');
  const work = new RollupWork({ ...parts, store, database, versions, endpoints: () => definitions.newest() });
  await work.start();
  return work;
}

const NO_WRITING_ACCOUNT =
  'this process does not refresh materialized tables, because no account can create tables: set DATABASE_WRITE_URL';

type OpenedSharedWork = Awaited<ReturnType<typeof openSharedWork>> | typeof NO_SHARED_WORK;

const NO_SHARED_WORK = { archive: undefined, repositories: undefined, sharedWork: undefined };

/** From now on, makes clients and load balancers use other processes. */
async function beginStop(
  reason: StopReason,
  listening: Listening,
  drain: Drain,
  { drainDelay }: Settings,
): Promise<void> {
  listening.announceClose();
  if (reason === 'stop') await drain.begin(drainDelay);
}

interface Ending extends Opened, Pick<ApplicationParts, 'settings'> {
  readonly handover: Handover | undefined;
}

/** Resolves when all requests have ended, or when the shutdown timeout is over. */
async function endRequests(
  reason: StopReason,
  { application, listening, scraping, settings, handover }: Ending,
): Promise<void> {
  // Requests that wait for answers to questions, and event streams, end when the explorer is closed. So the explorer must be closed before
  // the remaining connections.
  const explorerMs = settings.shutdownTimeout * DRAIN_SHARE;
  await Promise.all([listening.close(reason, handover), application.explorer?.close(explorerMs)]);
  await scraping?.close();
}

interface Loaded extends Pick<ApplicationParts, 'engine' | 'queries'> {
  readonly definitions: LiveDefinitions;
  readonly pages: LivePages;
  readonly tracing: Tracing | undefined;
}

/** Loads the definitions and the pages, in a form that can be reloaded later. */
async function openDefinitions({
  settings,
  warehouse: { database, versions },
  logger,
  visits,
  systemClock,
  timeouts,
  history,
}: Pick<ApplicationParts, 'settings' | 'warehouse' | 'logger' | 'systemClock' | 'timeouts'> & {
  readonly visits: VisitCounter | undefined;
  readonly history: SentHistory | undefined;
}): Promise<Loaded> {
  const folders = definitionFolders(settings);
  const loader = createServiceLoader(settings);
  const loads = history && receiveHistory(history);
  loader.useFiles(loads?.[0]?.files);
  const canaries = new Canaries(logger);
  let opened: Engine | undefined;
  const isKnown = (name: string) => opened === undefined || knowsDefinition(opened)(name);
  const queries = new QueryMetrics(isKnown, settings.slowQueryMs);
  const logSlow = createSlowQueryLog(logger, isKnown);
  const tracing = await openTracing(settings, database);
  const observe = observeEngine(logger, { visits, canaries, queries, logSlow, tracing });
  const cursorSecret = await readCursorSecret(settings);
  const metadataTimeoutMs = timeouts.metadataMs;
  const parts = { observe, versions, loader, cursorSecret, systemClock, metadataTimeoutMs };
  const engine = await openEngine(settings, database, parts);
  canaries.watch(engine);
  opened = engine;
  const pages = new LivePages(pageFolders(settings), systemClock);
  const definitions = new LiveDefinitions({ folders, engine, loader, canaries, pages, logger, clock: systemClock });
  const { problems, folders: unreadable } = await pages.start(definitions.state());
  if (unreadable.length > 0) throw new DefinitionsError(unreadable);
  if (problems.length > 0)
    logger.error({ problems: problems.map(formatProblem) }, 'pages of the console have problems');
  await definitions.start(loads);
  return { engine, definitions, pages, queries, tracing };
}

/** The role of a process in a service of several processes. */
export interface ProcessRole {
  /** For tests: replaces the system clock, so that a test determines when tokens, sessions and questions expire. */
  readonly systemClock?: () => Date;
  /** For tests: replaces the timer of `DRAIN_DELAY_MS`, so that a test determines when the drain ends. */
  readonly drainPause?: (ms: number) => Promise<unknown>;
  /** Whether the process does the shared work, which only one process of the service does. */
  readonly doesSharedWork?: boolean;
  readonly collectMetrics?: CollectMetrics | undefined;
  /** Sends the status of the shared work to the other processes. */
  readonly reportStatus?: ((status: SharedWorkStatus) => void) | undefined;
  /** The number of workers of the service. */
  readonly workers?: number | undefined;
  /** The definitions that the other processes serve. If undefined, the definitions in the files are served. */
  readonly history?: SentHistory | undefined;
}

interface Opened {
  readonly application: Application;
  readonly listening: Listening;
  /** The server for metrics. Undefined if `METRICS_PORT` is not set. */
  readonly scraping: Listening | undefined;
}

/** Creates the application and listens. If listening fails, closes the application. */
async function openListening(
  parts: ApplicationParts &
    Pick<OpenedSharedWork, 'archive' | 'repositories'> & { readonly rollups: RollupWork | undefined },
): Promise<Opened> {
  const application = await composeApplication(parts);
  let scraping: Listening | undefined;
  try {
    const { settings, logger, timeouts } = parts;
    const report = (request: UnreadableRequest) => logger.warn({ req: request }, 'a request could not be read');
    const { archive, repositories, clock, rollups } = parts;
    if (archive !== undefined)
      application.metrics.add([...importFamilies(archive), ...trackingFamilies(repositories, clock)]);
    application.metrics.add(rollupFamilies(rollups));
    const readMetrics = () => readAllMetrics(application.metrics, parts.collectMetrics);
    scraping = await listenForScrapes(settings, timeouts, readMetrics, logger);
    return { application, scraping, listening: await listen(application.listener, settings, report, timeouts) };
  } catch (error) {
    await Promise.all([application.close(), scraping?.close()]);
    throw error;
  }
}
