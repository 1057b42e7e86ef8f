import type { Logger } from 'pino';
import type { RunningAnswerCache } from '../engine/http/cache/serving/request-cache.js';
import { type BrokenEndpoint, type Engine, formatProblem } from '../engine/index.js';
import { createVisitCounter, type VisitCounter } from '../warehouse/visits.js';
import { type ArchiveFollower, followArchive } from './background/follow-archive.js';
import { createRepositoryFollower } from './background/follow-repositories.js';
import { FollowedArchive } from './background/followed-archive.js';
import { isLate } from './background/is-late.js';
import { keepChoicesCurrent } from './background/refresh-choices.js';
import { repeat } from './background/repeat.js';
import { SharedWork, type SharedWorkStatus } from './background/shared-work.js';
import { watchEndpoints } from './background/watch-endpoints.js';
import { clockOf, readSystemTime } from './clock.js';
import { type Application, type ApplicationParts, composeApplication } from './compose.js';
import { createDefinitionLoader, DefinitionsError } from './definitions.js';
import { createAnyGitHubClient } from './github-client.js';
import { Drain, type StopReason } from './listening/drain.js';
import { type Listening, listen } from './listening/listen.js';
import type { UnreadableRequest } from './listening/unreadable-requests.js';
import { Canaries } from './live/canaries.js';
import { receiveHistory, type SentHistory } from './live/definition-history.js';
import { LiveDefinitions } from './live/live-definitions.js';
import { LivePages } from './live/live-pages.js';
import { openTracing } from './logging/open-tracing.js';
import type { Tracing } from './logging/tracing.js';
import { listenForScrapes } from './metrics/listen-for-scrapes.js';
import type { Metrics } from './metrics/metrics.js';
import { QueryMetrics } from './metrics/query-metrics.js';
import { type CollectMetrics, readAllMetrics } from './metrics/scrape.js';
import { knowsDefinition } from './metrics/service-families.js';
import { createSlowQueryLog } from './metrics/slow-query-log.js';
import { importFamilies, trackingFamilies } from './metrics/source-families.js';
import { openEngine } from './open-engine.js';
import { observeEngine } from './requests/observe-engine.js';
import { definitionFolders, pageFolders } from './settings/definition-folders.js';
import type { Settings } from './settings/settings.js';
import { TIMEOUTS, type Timeouts } from './settings/timeouts.js';
import type { Shadow } from './shadow/shadow.js';
import { readCursorSecret } from './token-rules.js';
import { importFolders, type Warehouse } from './warehouse.js';

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
  /** What the cache of answers did since the start. */
  readonly cache: Pick<RunningAnswerCache, 'counts'>;
  readonly metrics: Metrics;
  /** What the queries of definitions did since the start. */
  readonly queries: Pick<QueryMetrics, 'slowest'>;
  /** The URL of the port for metrics, if there is one. */
  readonly metricsUrl: string | undefined;
  /** Begins the work that only one process of a service does, if this process does not do it yet. */
  startSharedWork(): Promise<void>;
  /** Takes what another process knows about the shared work; undefined if no process does it. */
  useSharedWorkStatus(status: SharedWorkStatus | undefined): void;
  /**
   * Waits for the requests in flight and stores the counted visits. Does not close the database. A service that other processes
   * continue at the same address stays ready until it has ended.
   */
  close(reason?: StopReason): Promise<void>;
}

const FLUSH_MS = 60_000;
/** The part of the shutdown timeout in which questions in progress can end. */
const DRAIN_SHARE = 0.8;

/**
 * Starts the service on an open database. Before it listens, it throws `DefinitionsError` if every definition is broken, and
 * `FollowStartError` if the archive cannot be followed.
 */
export async function startService(
  settings: Settings,
  warehouse: Omit<Warehouse, 'close'>,
  logger: Logger,
  timeouts: Timeouts = TIMEOUTS,
  role: ProcessRole = {},
): Promise<Service> {
  const { systemClock = readSystemTime } = role;
  const clock = clockOf(settings, systemClock);
  const visits = warehouse.store && createVisitCounter(warehouse.store, clock);
  const loaded = await openDefinitions({ settings, warehouse, logger, visits, systemClock, history: role.history });
  const { engine, definitions, queries, tracing } = loaded;
  const shared = await openSharedWork({ settings, warehouse, clock, systemClock, logger }, role);
  const { archive, sharedWork } = shared;
  const lookUps = await watchEndpoints(engine, definitions, logger, warehouse.versions);
  const choices = await keepChoicesCurrent(engine, warehouse.versions, logger);
  const clocks = { clock, systemClock };
  const drain = new Drain(role.drainPause);
  const parts = { settings, warehouse, ...loaded, ...role, ...clocks, ...shared, drain, logger, timeouts };
  const opened = await openListening(parts).catch(async (error: unknown) => {
    await Promise.all([sharedWork.stop(), lookUps.stop(), choices.stop()]);
    throw error;
  });
  const { application, listening, scraping } = opened;
  const flushes = visits && repeat('storing visits', FLUSH_MS, () => visits.flush(), logger);
  // Questions cannot be stored without write access.
  if (warehouse.state !== undefined) await application.explorer.start();
  archive.watch();
  const background = [sharedWork, lookUps, choices, flushes, archive];
  return {
    url: listening.url,
    endpoints: engine.endpoints.length,
    broken: () => engine.broken(),
    definitions,
    shadow: application.shadow,
    get follower() {
      return archive.follower;
    },
    cache: application.cache,
    metrics: application.metrics,
    queries,
    metricsUrl: scraping?.url,
    startSharedWork: () => sharedWork.start(),
    useSharedWorkStatus: (status) => sharedWork.useStatus(status),
    close: async (reason = 'stop') => {
      await beginStop(reason, listening, parts.drain, settings);
      void archive.follower?.stop();
      await definitions.close();
      await endRequests(reason, { ...opened, settings });
      const closed = application.close();
      const stored = Promise.all(background.map((work) => work?.stop())).then(() => visits?.flush());
      if (await isLate(stored, settings.shutdownTimeout)) logger.error('the database took too long to store visits');
      await Promise.all([closed, tracing?.close()]);
    },
  };
}

/** Begins the work that one process does for all, if it is this one. */
async function openSharedWork(
  parts: Pick<ApplicationParts, 'settings' | 'warehouse' | 'clock' | 'systemClock' | 'logger'>,
  { doesSharedWork = true, reportStatus }: ProcessRole,
) {
  const { settings, warehouse } = parts;
  const folders = importFolders(settings);
  const onChange = () => reportStatus?.(sharedWork.status());
  const common = { ...parts, store: warehouse.store, onChange };
  const follower = followArchive({ ...common, folders });
  const archive = new FollowedArchive({ ...parts, ...warehouse, follower });
  const createGitHub = (onNotice: (message: string) => void) => createAnyGitHubClient(settings, 0, onNotice);
  const repositories = createRepositoryFollower({ ...common, ...folders, createGitHub });
  const sharedWork: SharedWork = new SharedWork({ ...parts, archive, repositories });
  if (doesSharedWork) {
    await archive.prepare();
    await sharedWork.start();
  }
  return { archive, repositories, sharedWork };
}

/** Lets clients and load balancers use other processes from now on. */
async function beginStop(
  reason: StopReason,
  listening: Listening,
  drain: Drain,
  { drainDelay }: Settings,
): Promise<void> {
  listening.announceClose();
  if (reason === 'stop') await drain.begin(drainDelay);
}

/** Resolves when all requests have ended, or when their time limit is over. */
async function endRequests(
  reason: StopReason,
  { application, listening, scraping, settings }: Opened & Pick<ApplicationParts, 'settings'>,
): Promise<void> {
  // Requests that wait for answers, and streams of events, end with the explorer. It must end before the remaining
  // connections are closed.
  const explorerMs = settings.shutdownTimeout * DRAIN_SHARE;
  await Promise.all([listening.close(reason), application.explorer.close(explorerMs)]);
  await scraping?.close();
}

interface Loaded extends Pick<ApplicationParts, 'engine' | 'queries'> {
  readonly definitions: LiveDefinitions;
  readonly pages: LivePages;
  readonly tracing: Tracing | undefined;
}

/** Loads the definitions and the pages, so that they can be loaded again later. */
async function openDefinitions({
  settings,
  warehouse: { database, versions },
  logger,
  visits,
  systemClock,
  history,
}: Pick<ApplicationParts, 'settings' | 'warehouse' | 'logger' | 'systemClock'> & {
  readonly visits: VisitCounter | undefined;
  readonly history: SentHistory | undefined;
}): Promise<Loaded> {
  const folders = definitionFolders(settings);
  const loader = createDefinitionLoader(settings);
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
  const engine = await openEngine(settings, database, { observe, versions, loader, cursorSecret, systemClock });
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

/** The part of a process in a service of several processes. */
export interface ProcessRole {
  /** Replaces the clock of the system, so that tests choose when tokens, sessions and questions expire. */
  readonly systemClock?: () => Date;
  /** Replaces the timer of `DRAIN_DELAY_MS`, so that tests choose when the drain ends. */
  readonly drainPause?: (ms: number) => Promise<unknown>;
  /** Whether the process does the work that only one process of the service does. */
  readonly doesSharedWork?: boolean;
  readonly collectMetrics?: CollectMetrics | undefined;
  /** Reports to the other processes what this one knows about the shared work. */
  readonly reportStatus?: ((status: SharedWorkStatus) => void) | undefined;
  /** The number of workers of the service. */
  readonly workers?: number | undefined;
  /** What the other processes serve. By default the definitions in the files are served. */
  readonly history?: SentHistory | undefined;
}

interface Opened {
  readonly application: Application;
  readonly listening: Listening;
  /** The port for metrics, if there is one. */
  readonly scraping: Listening | undefined;
}

/** Creates the application and listens. If that fails, it closes the application. */
async function openListening(
  parts: ApplicationParts & Pick<Awaited<ReturnType<typeof openSharedWork>>, 'archive' | 'repositories'>,
): Promise<Opened> {
  const application = await composeApplication(parts);
  let scraping: Listening | undefined;
  try {
    const { settings, logger, timeouts } = parts;
    const report = (request: UnreadableRequest) => logger.warn({ req: request }, 'a request could not be read');
    application.metrics.add([...importFamilies(parts.archive), ...trackingFamilies(parts.repositories, parts.clock)]);
    const readMetrics = () => readAllMetrics(application.metrics, parts.collectMetrics);
    scraping = await listenForScrapes(settings, timeouts, readMetrics, logger);
    return { application, scraping, listening: await listen(application.listener, settings, report, timeouts) };
  } catch (error) {
    await Promise.all([application.close(), scraping?.close()]);
    throw error;
  }
}
