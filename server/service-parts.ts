import type { Logger } from 'pino';
import type { ConsoleFeatures } from '../app-routes/console/answers.js';
import type { HealthParts } from '../app-routes/healthy.js';
import type { ServiceDescription } from '../app-routes/home.js';
import type { McpParts } from '../app-routes/mcp/mcp-parts.js';
import type { StoredImages } from '../console/images/stored-images.js';
import type { Authentication } from '../engine/http/access/authentication.js';
import type { RunningAnswerCache } from '../engine/http/cache/serving/request-cache.js';
import type { ServiceFacts } from '../engine/http/description/describe-service.js';
import type { AllRateLimits } from '../engine/http/limits/request-limits.js';
import type { Identify } from '../engine/http/operations/caller.js';
import type { Operation } from '../engine/http/operations/operation.js';
import type { RequestFollower } from '../engine/http/request-record.js';
import type { Database, Engine } from '../engine/index.js';
import type { Explorer } from '../explorer/explorer.js';
import type { SharedWork } from './background/shared-work.js';
import type { OpenDatabase } from './databases/warehouse.js';
import type { Drain } from './listening/drain.js';
import type { LiveDefinitions } from './live/live-definitions.js';
import type { LivePages } from './live/live-pages.js';
import type { Tracing } from './logging/tracing.js';
import type { QueryMetrics } from './metrics/request-metrics.js';
import type { CollectMetrics } from './metrics/scrape.js';
import type { ServiceMetrics } from './metrics/service-metrics.js';
import type { Settings } from './settings/settings.js';
import type { Timeouts } from './settings/timeouts.js';

export interface ApplicationParts {
  readonly settings: Settings;
  readonly warehouse: Omit<OpenDatabase, 'close'>;
  readonly engine: Engine;
  readonly definitions: Pick<LiveDefinitions, 'state' | 'reloads'>;
  readonly pages: Pick<LivePages, 'state'>;
  readonly drain: Pick<Drain, 'isReady'>;
  readonly collectMetrics?: CollectMetrics | undefined;
  readonly archive?: HealthParts['archive'];
  readonly sharedWork?: Pick<SharedWork, 'tracking'> | undefined;
  /** The number of workers of the service; undefined if the service is a single process. */
  readonly workers?: number | undefined;
  readonly clock: () => Date;
  /** The system clock, which the setting `NOW` does not change. */
  readonly systemClock: () => Date;
  readonly logger: Logger;
  readonly timeouts: Timeouts;
  /** Counts the queries of `engine`. */
  readonly queries: QueryMetrics;
  /** Undefined without an exporter of traces. */
  readonly tracing?: Tracing | undefined;
  /** For benchmarks: replaces the function that counts and logs requests. Gets that function. */
  readonly replaceFollower?: (counting: RequestFollower) => RequestFollower;
}

/** What every service has, independent of its data. */
export interface CommonParts {
  readonly health: HealthParts;
  readonly cache: RunningAnswerCache;
  readonly images: StoredImages;
  readonly metrics: ServiceMetrics;
  readonly rateLimits: AllRateLimits;
}

/** What a service offers in addition to its definitions: the service with the data of GitHub, or an API in a folder. */
export interface ServiceParts {
  readonly home: ServiceDescription;
  readonly identify: Identify;
  /** Finds out who sends requests for definitions. */
  readonly authentication: Authentication;
  readonly features: ConsoleFeatures;
  /** The hand-written operations, except those of every service. */
  readonly operations: readonly Operation[];
  readonly facts: ServiceFacts;
  /** The links of the reference page to pages of the console: texts by path. */
  readonly links: Readonly<Record<string, string>>;
  readonly mcp: Pick<McpParts, 'about' | 'playground' | 'questions' | 'resources'>;
  /** Undefined if questions are not available. */
  readonly explorer: Explorer | undefined;
  /** The first SQL on the page of the playground; undefined for its default, or without a playground. */
  readonly firstSql?: string | undefined;
  readonly playgroundPool: (() => Database['pool']) | undefined;
  readonly github: { readonly isBreakerOpen: boolean } | undefined;
}
