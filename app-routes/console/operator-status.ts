import { exactObject, exactObjectOrNull, type JsonSchema } from '../../engine/http/json-schema.js';
import type { TrackingReport } from '../../github/tracking/tracking-progress.js';
import type { FollowProgress } from '../../warehouse/import/follow/follow-progress.js';
import type { ImportStatus } from '../../warehouse/import-status.js';
import { FOLLOW } from '../healthy.js';

// The response body of the operator status. The console (web/) imports these types.

/** The state of the process that answered, and of the data. Lists contain at most ten entries. Times are ISO 8601 in UTC. */
export interface OperatorStatus {
  readonly at: string;
  readonly process: ProcessStatus;
  readonly health: {
    readonly database: boolean;
    /** Null if Redis or the shadow database is not configured. */
    readonly redis: boolean | null;
    readonly shadow: boolean | null;
  };
  /** Null if the imports could not be read; `importsFailure` then contains the reason. */
  readonly imports: (ImportStatus & { readonly lagMs: number | null }) | null;
  readonly importsFailure: string | null;
  /** The followed archive; null if it was never followed into the database. */
  readonly follow: FollowProgress | null;
  /** The tracked repositories after the last run of this process; null if it does not follow them. */
  readonly tracking: TrackingReport | null;
  readonly cache: CacheStatus;
  readonly queries: QueryStatus;
  /** The API keys with the most requests since the start. */
  readonly keys: readonly BusyKey[];
  readonly definitions: DefinitionsStatus;
}

export interface ProcessStatus {
  readonly pid: number;
  /** The number of this worker; null if the service is a single process. */
  readonly worker: number | null;
  /** The number of workers at the start of the service; null if the service is a single process. */
  readonly workers: number | null;
  readonly version: string;
  readonly node: string;
  readonly startedAt: string;
  readonly memoryBytes: number;
}

/** The answers of definitions since the start, by their source. */
export interface CacheStatus {
  readonly memory: number;
  readonly redis: number;
  readonly computed: number;
  readonly coalesced: number;
  readonly bypassed: number;
  readonly stale: number;
  readonly entries: number;
  readonly bytes: number;
  readonly evictions: number;
}

export interface QueryStatus {
  readonly isBreakerOpen: boolean;
  readonly running: number;
  readonly waiting: number;
  /** Null if the database has no pool. */
  readonly connections: { readonly size: number; readonly busy: number; readonly waiting: number } | null;
  /** The definitions with the slowest queries since the start, slowest first. */
  readonly slowest: readonly SlowDefinition[];
}

/** Statistics of the queries of one definition since the start. Times are in milliseconds. */
export interface SlowDefinition {
  readonly operation: string;
  readonly queries: number;
  readonly failed: number;
  /** The number of queries that took at least `SLOW_QUERY_MS`. */
  readonly slow: number;
  readonly slowestMs: number;
  /** An upper bound of the 95th percentile. */
  readonly p95Ms: number;
}

/** The number of requests with an API key since the start. */
export interface BusyKey {
  /** The id of the key; `other` for keys that are not counted separately, because there are too many. */
  readonly id: string;
  /** Null if the file of the keys does not contain the key. */
  readonly name: string | null;
  readonly requests: number;
  /** The number of requests that exceeded a limit. */
  readonly limited: number;
  /** The number of requests with another error. */
  readonly failed: number;
}

export interface DefinitionsStatus {
  readonly served: number;
  readonly broken: number;
  readonly outdated: number;
  readonly canaries: number;
  readonly reloads: { readonly succeeded: number; readonly problems: number; readonly failed: number };
  /** The first problems of broken and outdated definitions. */
  readonly problems: readonly DefinitionProblem[];
}

export interface DefinitionProblem {
  readonly name: string | null;
  readonly state: 'broken' | 'outdated';
  /** Since when the file of an outdated definition has had problems. */
  readonly since: string | null;
  /** The first problem: file, line, column and message. */
  readonly problem: string;
  readonly problems: number;
}

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const FLAG = { type: 'boolean' };
const TIME = { type: 'string', format: 'date-time' };
const orNull = (type: string, more: JsonSchema = {}): JsonSchema => ({ type: [type, 'null'], ...more });
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', maxItems: 10, items });

export const OPERATOR_STATUS = exactObject('OperatorStatus', {
  at: TIME,
  process: exactObject('OperatorProcess', {
    pid: COUNT,
    worker: orNull('integer', { description: 'The number of the worker; null if the service has one process.' }),
    workers: orNull('integer', { description: 'How many workers the service has; null if it has one process.' }),
    version: TEXT,
    node: TEXT,
    startedAt: TIME,
    memoryBytes: COUNT,
  }),
  health: exactObject('OperatorHealth', {
    database: FLAG,
    redis: orNull('boolean', { description: 'Null: not configured.' }),
    shadow: orNull('boolean', { description: 'Null: not configured.' }),
  }),
  imports: {
    description: 'Null if they could not be read.',
    ...exactObjectOrNull('OperatorImports', {
      files: COUNT,
      newestFiles: listOf(
        exactObject('OperatorFile', { name: TEXT, events: COUNT, brokenLines: COUNT, importedAt: TIME }),
      ),
      newestEventAt: orNull('string', { format: 'date-time' }),
      gaps: COUNT,
      newestGaps: listOf(exactObject('OperatorGap', { type: TEXT, period: TEXT, hours: COUNT })),
      newestPartialMonths: listOf(
        exactObject('OperatorPartialMonth', {
          ...{ type: TEXT, month: TEXT, events: COUNT, repositories: COUNT },
          share: orNull('number', {
            description: 'Estimated share of all events; null if no repository was compared.',
          }),
        }),
      ),
      lagMs: orNull('integer', { description: 'Milliseconds since the newest event.' }),
    }),
  },
  importsFailure: orNull('string', { description: 'Why the imports could not be read.' }),
  follow: {
    ...FOLLOW,
    title: `${FOLLOW.title}OrNull`,
    type: ['object', 'null'],
    description: 'Null if the archive was never followed into the database.',
  },
  tracking: {
    description: 'The tracked repositories after the last run of this process; null if it does not follow them.',
    ...exactObjectOrNull('OperatorTracking', {
      repositories: COUNT,
      sources: listOf(
        exactObject('OperatorSource', {
          ...{ source: TEXT, complete: COUNT, due: COUNT, failing: COUNT },
          oldest: orNull('string', { description: 'Time of the last success that is longest ago (UTC).' }),
        }),
      ),
      requestsLeft: {
        type: 'array',
        items: orNull('integer', { description: 'Requests that each token has left; null if it was not used.' }),
      },
      shares: listOf(
        exactObject('OperatorShare', {
          ...{ type: TEXT, month: TEXT, repositories: COUNT },
          share: {
            type: 'number',
            description: 'Share that the events of the archive have, in the newest month that was compared.',
          },
        }),
      ),
    }),
  },
  cache: exactObject('OperatorCache', {
    ...{ memory: COUNT, redis: COUNT, computed: COUNT, coalesced: COUNT, bypassed: COUNT, stale: COUNT },
    ...{ entries: COUNT, bytes: COUNT, evictions: COUNT },
  }),
  queries: exactObject('OperatorQueries', {
    ...{ isBreakerOpen: FLAG, running: COUNT, waiting: COUNT },
    connections: exactObjectOrNull('OperatorConnections', { size: COUNT, busy: COUNT, waiting: COUNT }),
    slowest: listOf(
      exactObject('OperatorSlowDefinition', {
        ...{ operation: TEXT, queries: COUNT, failed: COUNT, slow: COUNT, slowestMs: COUNT, p95Ms: COUNT },
      }),
    ),
  }),
  keys: listOf(
    exactObject('OperatorKey', {
      id: { ...TEXT, description: '`other`: keys that are not counted separately, because there are too many.' },
      name: orNull('string', { description: 'Null: the file of the keys does not contain the key.' }),
      ...{ requests: COUNT, limited: COUNT, failed: COUNT },
    }),
  ),
  definitions: exactObject('OperatorDefinitions', {
    ...{ served: COUNT, broken: COUNT, outdated: COUNT, canaries: COUNT },
    reloads: exactObject('OperatorReloads', { succeeded: COUNT, problems: COUNT, failed: COUNT }),
    problems: listOf(
      exactObject('OperatorProblem', {
        name: orNull('string'),
        state: { type: 'string', enum: ['broken', 'outdated'] },
        since: orNull('string', { format: 'date-time' }),
        problem: TEXT,
        problems: COUNT,
      }),
    ),
  }),
});
