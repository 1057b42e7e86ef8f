import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { ProcessStatus } from '../../app-routes/console/operator-status.js';
import type { RunningAnswerCache } from '../../engine/http/cache/serving/request-cache.js';
import { SERVICE } from '../../engine/http/package-root.js';
import type { Database, Engine, LiveState } from '../../engine/index.js';
import type { Explorer } from '../../explorer/explorer.js';
import { isFinal, type Question } from '../../explorer/questions/question.js';
import type { ReloadCounts } from '../live/reload-report.js';
import { maskedOutputOf } from '../logging/log.js';
import { type Family, labelled, single } from './family.js';
import { KeyMetrics } from './key-metrics.js';
import { Metrics } from './metrics.js';
import type { QueryMetrics } from './request-metrics.js';
import {
  breakerFamily,
  cacheFamilies,
  connectionFamilies,
  definitionFamilies,
  LimitCounts,
  logFamily,
} from './service-families.js';

export interface WatchedParts {
  readonly engine: Engine;
  readonly queries: QueryMetrics;
  readonly cache: Pick<RunningAnswerCache, 'counts'>;
  /** Undefined if the service has no questions. */
  readonly explorer: Pick<Explorer, 'load'> | undefined;
  readonly database: Database;
  /** Undefined if the service has no playground. */
  readonly playgroundPool: (() => Database['pool']) | undefined;
  /** Undefined if Redis or GitHub is not configured. */
  readonly redis: { readonly isAway: boolean } | undefined;
  readonly github: { readonly isBreakerOpen: boolean } | undefined;
  readonly definitions: { state(): LiveState; readonly reloads: Readonly<ReloadCounts> };
  readonly logger: Logger;
}

/** The metrics of a service, and the functions with which its parts report events. */
export class ServiceMetrics {
  readonly all = new Metrics();
  readonly keys = new KeyMetrics();
  readonly #limits = new LimitCounts();
  readonly #explorer = new ExplorerMetrics();
  readonly onLimited = (limit: string): void => this.#limits.count(limit);
  readonly onChange = (question: Question): void => this.#explorer.countChange(question);
  readonly onTokens = (tokens: number): void => this.#explorer.countTokens(tokens);

  /** Adds the families of all parts of a service. */
  watch({ engine, queries, cache, explorer, redis, github, definitions, logger, ...databases }: WatchedParts): void {
    const { database, playgroundPool } = databases;
    const output = maskedOutputOf(logger);
    this.all.add([
      ...queries.families(() => engine.load),
      ...cacheFamilies(() => cache.counts()),
      ...connectionFamilies(() => ({ main: database.pool, playground: playgroundPool?.() })),
      ...definitionFamilies(
        () => definitions.state(),
        () => definitions.reloads,
      ),
      ...(explorer === undefined ? [] : this.#explorer.families(explorer)),
      this.#limits.family(),
      breakerFamily({
        database: () => queries.isBreakerOpen,
        redis: redis && (() => redis.isAway),
        github: github && (() => github.isBreakerOpen),
      }),
      logFamily(() => output?.lostLines() ?? 0),
    ]);
  }
}

/** Counts the questions of the explorer, and the tokens of its language model. */
class ExplorerMetrics {
  readonly #ended: Record<string, number> = {};
  #tokens = 0;

  /** Counts a question that has ended. Must be called once for each change of a question. */
  countChange({ status, hitCache }: Question): void {
    if (!isFinal(status)) return;
    const result = hitCache ? 'reused' : status;
    this.#ended[result] = (this.#ended[result] ?? 0) + 1;
  }

  countTokens(tokens: number): void {
    this.#tokens += tokens;
  }

  families(explorer: Pick<Explorer, 'load'>): Family[] {
    return [
      labelled(
        {
          ...{ name: 'repo_insight_explorer_questions_total', type: 'counter' },
          help: 'Questions that ended, by status; `reused` means that the answer of an equal question was used.',
        },
        'status',
        () => this.#ended,
      ),
      single(
        {
          ...{ name: 'repo_insight_explorer_questions_active', type: 'gauge' },
          help: 'Questions that are being worked on.',
        },
        () => explorer.load.active,
      ),
      single(
        {
          // All workers read the same number from the database, so the values must not be added.
          ...{ name: 'repo_insight_explorer_questions_waiting', type: 'gauge', aggregation: 'max' },
          help: 'Questions that waited in the database at the last count.',
        },
        () => explorer.load.waiting,
      ),
      single(
        {
          ...{ name: 'repo_insight_model_tokens_total', type: 'counter' },
          help: 'Tokens of requests to the language model and of its answers.',
        },
        () => this.#tokens,
      ),
    ];
  }
}

/** Describes this process. `workers` is the number of workers of the service; undefined if the service is a single process. */
export function readProcess(workers?: number): ProcessStatus {
  return {
    pid: process.pid,
    worker: cluster.worker?.id ?? null,
    workers: workers ?? null,
    version: SERVICE.version,
    node: process.versions.node,
    startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    memoryBytes: process.memoryUsage.rss(),
  };
}
