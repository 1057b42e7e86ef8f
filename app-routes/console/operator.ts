import { basename } from 'node:path';
import type { CacheCounts } from '../../engine/http/cache/serving/cache-parts.js';
import type { PersonalOperation } from '../../engine/http/operations/operation.js';
import {
  type Database,
  EngineError,
  type LiveState,
  type Problem,
  type QueryLoad,
  singleFlight,
} from '../../engine/index.js';
import { readImportStatus } from '../../warehouse/import-status.js';
import { type HealthParts, isAnswering } from '../healthy.js';
import {
  type BusyKey,
  type CacheStatus,
  type DefinitionProblem,
  type DefinitionsStatus,
  OPERATOR_STATUS,
  type OperatorStatus,
  type ProcessStatus,
  type SlowDefinition,
} from './operator-status.js';

export interface OperatorParts {
  readonly process: () => ProcessStatus;
  readonly database: Database;
  readonly health: HealthParts;
  readonly cache: { counts(): CacheCounts };
  readonly engine: { readonly load: QueryLoad };
  readonly queries: { readonly isBreakerOpen: boolean; slowest(limit: number): readonly SlowDefinition[] };
  /** Returns the API keys with the most requests, the most first. */
  readonly keys: (limit: number) => Promise<readonly BusyKey[]>;
  readonly definitions: () => LiveState;
  readonly reloads: () => DefinitionsStatus['reloads'];
  readonly tracking: () => OperatorStatus['tracking'];
  /** Called with each failure to read the imports. */
  readonly report: (error: unknown) => void;
  /** Returns the time for answers with data. */
  readonly clock: () => Date;
}

/**
 * `GET /console/operator/` returns the state of the process that answers, and of the imports. Concurrent requests share one check of
 * the database and one read of the imports.
 */
export function operatorOperation(parts: OperatorParts): PersonalOperation {
  const { database, health, cache, definitions, reloads } = parts;
  const check = singleFlight(() => readHealth(health));
  const readImports = singleFlight(() =>
    readImportStatus(database, { limit: MAX_LISTED, timeoutMs: TIMEOUT_MS }).then(
      (read) => ({ read, failure: null }),
      (error: unknown) => {
        parts.report(error);
        return { read: null, failure: describeFailure(error) };
      },
    ),
  );
  return {
    access: 'trusted',
    tag: 'Console',
    id: 'console-operator',
    method: 'get',
    path: '/console/operator/',
    summary: 'Returns the state of the service for operators: imports, cache, queries, API keys and definitions',
    description:
      'With several workers, the numbers are those of the worker that answered: `process` names it, and the number of workers. They ' +
      'begin with its start. The imports are those of the database. `/metrics` has the sums of all workers.',
    answer: OPERATOR_STATUS,
    handle: async ({ now }) => {
      const [healthy, { read: imports, failure }, keys] = await Promise.all([
        check(),
        readImports(),
        parts.keys(MAX_LISTED),
      ]);
      const newest = imports?.newestEventAt ?? null;
      const lagMs = newest === null ? null : Math.max(0, parts.clock().getTime() - Date.parse(newest));
      const status: OperatorStatus = {
        at: now.toISOString(),
        process: parts.process(),
        health: healthy,
        imports: imports && { ...imports, lagMs },
        importsFailure: failure,
        follow: health.archive?.progress() ?? null,
        tracking: parts.tracking(),
        cache: toCacheStatus(cache.counts()),
        queries: readQueries(parts),
        keys,
        definitions: toDefinitionsStatus(definitions(), reloads()),
      };
      return { body: status };
    },
  };
}

const MAX_LISTED = 10;
const TIMEOUT_MS = 3_000;

/** Returns why the imports are unknown. Messages of the database are only logged. */
function describeFailure(error: unknown): string {
  const code = error instanceof EngineError ? error.code : undefined;
  if (code === 'query_timeout') return `The database did not answer within ${TIMEOUT_MS / 1_000} s.`;
  if (code === 'database_unavailable') return 'The database is unavailable.';
  return `The imports could not be read${code === undefined ? '' : ` (${code})`}. The log has the cause.`;
}

async function readHealth({ database, redis, shadow }: HealthParts): Promise<OperatorStatus['health']> {
  const stateOf = async (part: HealthParts['redis']) => (part === undefined ? null : isAnswering(part));
  const [main, ...others] = await Promise.all([isAnswering(database), stateOf(redis), stateOf(shadow)]);
  return { database: main, redis: others[0], shadow: others[1] };
}

function toCacheStatus(counts: CacheCounts): CacheStatus {
  const { hits, misses, collapsed, stale, bypassed, entries, bytes, evictions } = counts;
  return {
    memory: hits.memory,
    redis: hits.shared,
    computed: misses - collapsed,
    coalesced: collapsed,
    bypassed,
    stale: stale.recomputing + stale.unavailable,
    entries,
    bytes,
    evictions,
  };
}

function readQueries({ engine, queries, database: { pool } }: OperatorParts): OperatorStatus['queries'] {
  const { running, waiting } = engine.load;
  return {
    isBreakerOpen: queries.isBreakerOpen,
    running,
    waiting,
    connections: pool === undefined ? null : { size: pool.size, busy: pool.busy, waiting: pool.waiting },
    slowest: queries.slowest(MAX_LISTED),
  };
}

function toDefinitionsStatus(
  { endpoints, broken, outdated, canaries }: LiveState,
  { succeeded, problems, failed }: DefinitionsStatus['reloads'],
): DefinitionsStatus {
  const listed: DefinitionProblem[] = [
    ...broken
      .slice(0, MAX_LISTED)
      .map((one) => ({ name: one.name ?? null, state: 'broken' as const, since: null, ...describe(one.problems) })),
    ...outdated.slice(0, MAX_LISTED).map(({ endpoint, since, problems: own }) => ({
      name: endpoint.definition.name,
      state: 'outdated' as const,
      since: since.toISOString(),
      ...describe(own),
    })),
  ];
  return {
    served: endpoints.length,
    broken: broken.length,
    outdated: outdated.length,
    canaries: canaries.length,
    reloads: { succeeded, problems, failed },
    problems: listed.slice(0, MAX_LISTED),
  };
}

/** Returns the first line of the first problem. The further lines of a database message can contain SQL. */
function describe(problems: readonly Problem[]): Pick<DefinitionProblem, 'problem' | 'problems'> {
  const [first] = problems;
  if (first === undefined) return { problem: '', problems: 0 };
  const [line = ''] = first.message.split('\n');
  const message = line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
  const place = `${basename(first.file)}:${first.line}:${first.column}`;
  return { problem: `${place} ${message}`, problems: problems.length };
}

const MAX_MESSAGE = 300;
