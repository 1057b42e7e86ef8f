import type { CacheCounts } from '../../engine/http/cache/serving/cache-parts.js';
import type { Database, Engine, LiveState } from '../../engine/index.js';
import type { ReloadCounts } from '../live/reload-report.js';
import { type Family, labelled, single } from './family.js';

/** Counts of the cache of answers. */
export function cacheFamilies(counts: () => CacheCounts): Family[] {
  return [
    labelled(
      {
        ...{ name: 'repo_insight_cache_answers_total', type: 'counter' },
        help: 'Answers of definitions by source: memory (`memory`), Redis (`redis`), a query (`computed`), the query of an equal concurrent request (`coalesced`), or a query whose answer cannot be stored (`bypass`).',
      },
      'source',
      () => {
        const { hits, misses, collapsed, bypassed } = counts();
        const { memory, shared: redis } = hits;
        return { memory, redis, computed: misses - collapsed, coalesced: collapsed, bypass: bypassed };
      },
    ),
    labelled(
      {
        ...{ name: 'repo_insight_cache_stale_answers_total', type: 'counter' },
        help: 'Stale answers by reason: a newer answer is being computed, or the database is unavailable or overloaded.',
      },
      'reason',
      () => ({ ...counts().stale }),
    ),
    labelled(
      {
        ...{ name: 'repo_insight_cache_events_total', type: 'counter' },
        help: 'Answers that were computed again in the background after commits, and answers that were removed to free memory for other answers.',
      },
      'event',
      () => ({ recomputed: counts().recomputed, evicted: counts().evictions }),
    ),
    single(
      { name: 'repo_insight_cache_entries', type: 'gauge', help: 'Answers that are stored in memory.' },
      () => counts().entries,
    ),
    single(
      { name: 'repo_insight_cache_bytes', type: 'gauge', help: 'Size of the answers that are stored in memory.' },
      () => counts().bytes,
    ),
  ];
}

/** The state of each circuit breaker and connection: whether the service avoids a part because it failed. */
export function breakerFamily(isOpen: Readonly<Record<string, (() => boolean) | undefined>>): Family {
  return labelled(
    {
      ...{ name: 'repo_insight_breaker_open', type: 'gauge', aggregation: 'max' },
      help: '1 while the service does not use a part because it failed: the database, Redis or GitHub.',
    },
    'part',
    () => Object.fromEntries(Object.entries(isOpen).map(([part, read]) => [part, read && Number(read())])),
  );
}

/** The connection pools of the databases by name: `main` and `playground`. */
export function connectionFamilies(poolsByName: () => Readonly<Record<string, Database['pool']>>): Family[] {
  const pools = () => Object.entries(poolsByName()).flatMap(([name, pool]) => (pool ? [{ name, ...pool }] : []));
  return [
    {
      ...{ name: 'repo_insight_database_connections', type: 'gauge', labels: ['pool', 'state'] },
      help: 'Connections to the database, or readers of the embedded database, by state: busy or free.',
      samples: () =>
        pools().flatMap(({ name: pool, size, busy }) => [
          [{ pool, state: 'busy' }, busy] as const,
          [{ pool, state: 'free' }, size - busy] as const,
        ]),
    },
    {
      ...{ name: 'repo_insight_database_connection_waits', type: 'gauge', labels: ['pool'] },
      help: 'Queries that wait for a connection.',
      samples: () => pools().map(({ name: pool, waiting }) => [{ pool }, waiting]),
    },
  ];
}

/** The number of served definitions, and of their reloads. */
export function definitionFamilies(state: () => LiveState, reloads: () => Readonly<ReloadCounts>): Family[] {
  return [
    labelled(
      {
        ...{ name: 'repo_insight_endpoints', type: 'gauge', aggregation: 'max' },
        help: 'Definitions by state: served, broken (answers 503), outdated (the last good version is served), and canaries.',
      },
      'state',
      () => {
        const { endpoints, broken, outdated, canaries } = state();
        const counts = { broken: broken.length, outdated: outdated.length, canary: canaries.length };
        return { served: endpoints.length, ...counts };
      },
    ),
    labelled(
      {
        ...{ name: 'repo_insight_reloads_total', type: 'counter' },
        help: 'Reloads of the definitions by result: succeeded, with problems, or failed.',
      },
      'result',
      () => ({ ...reloads() }),
    ),
  ];
}

/** The number of requests that exceeded a limit, by the name of the limit. */
export class LimitCounts {
  readonly #counts: Record<string, number> = {};

  count(limit: string): void {
    this.#counts[limit] = (this.#counts[limit] ?? 0) + 1;
  }

  family(): Family {
    return labelled(
      {
        ...{ name: 'repo_insight_rate_limited_requests_total', type: 'counter' },
        help: 'Requests that were rejected because of a limit.',
      },
      'limit',
      () => this.#counts,
    );
  }
}

/** Returns a function that checks whether an engine still has a definition with a name. */
export function knowsDefinition(engine: Pick<Engine, 'endpoints' | 'broken'>): (name: string) => boolean {
  return (name) =>
    engine.endpoints.some(({ definition }) => definition.name === name) ||
    engine.broken().some((broken) => broken.name === name);
}

/** The number of lines that the log dropped. */
export function logFamily(lostLines: () => number): Family {
  return single(
    {
      ...{ name: 'repo_insight_log_lines_lost_total', type: 'counter' },
      help: 'Log lines that were discarded, because the reader of the log stalled or the disk was full.',
    },
    lostLines,
  );
}
