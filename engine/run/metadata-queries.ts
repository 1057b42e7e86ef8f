import { LRUCache } from 'lru-cache';
import type { Endpoint, EndpointQuery } from '../endpoint/endpoint.js';
import type { Cell, ResultSet } from '../interface/database.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import type { CompiledQuery } from '../query/compiled-query.js';
import type { Observe } from './events.js';

/** The times of the data, and the notices of an answer. */
export interface Freshness {
  readonly dataAsOf: Date | undefined;
  /**
   * The time when the tables were computed. Undefined if the endpoint does not define `computed_at`, null if the time
   * is unknown.
   */
  readonly computedAt: Date | null | undefined;
  readonly notices: readonly string[];
}

export type RunMetadataQuery = (query: CompiledQuery) => Promise<ResultSet>;

/** The request for which metadata queries run. */
export interface MetadataRequest {
  readonly values: ParameterValues;
  readonly now: Date;
  readonly run: RunMetadataQuery;
  /** If this signal is aborted, the queries and the answer fail. */
  readonly signal: AbortSignal | undefined;
}

export type MetadataQueries = ReturnType<typeof createMetadataQueries>;

/** Results of `data_as_of` and of notices are reused for this time, so that most requests cost one query. */
const REUSE_MS = 5000;
/** The maximum number of cached results. Their keys contain parameters of callers, so the number needs a limit. */
const MAX_REMEMBERED = 1000;

/**
 * Creates the functions that run the metadata queries of endpoints: `data_as_of`, `computed_at` and notices. If a
 * metadata query fails, the answer does not fail: the failure is reported to the observer, and the result counts as
 * unknown. `runShared` runs the queries without parameters, which all requests share.
 */
export function createMetadataQueries(runShared: RunMetadataQuery, stopwatch: () => number, observe: Observe) {
  const remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });

  const attempt = async (endpoint: Endpoint, query: EndpointQuery, { values, now, run, signal }: MetadataRequest) => {
    try {
      return await run(query.compile(values, now));
    } catch (cause) {
      if (signal?.aborted) throw cause;
      observe({ kind: 'metadata_query_failed', endpoint: endpoint.definition.name, key: query.key, cause });
      return undefined;
    }
  };
  /** Concurrent callers share one query. A failure is cached like a result. */
  const remember = (endpoint: Endpoint, query: EndpointQuery, request: MetadataRequest) => {
    const key = keyOf(endpoint, query, request.values);
    const at = stopwatch();
    const known = remembered.get(key);
    if (known !== undefined && at - known.at < REUSE_MS) return known.result;
    const result = attempt(endpoint, query, query.parameters.length === 0 ? { ...request, run: runShared } : request);
    remembered.set(key, { at, result });
    return result;
  };

  return {
    /**
     * Returns the results of `data_as_of`, `computed_at` and the `always` notices. The results are at most five seconds
     * old. Requests share them, so the abort of one request does not stop the queries.
     */
    async freshness(endpoint: Endpoint, shared: Omit<MetadataRequest, 'signal'>): Promise<Freshness> {
      const request = { ...shared, signal: undefined };
      const { dataAsOf, computedAt } = endpoint;
      const always = endpoint.notices.filter(({ when }) => when === 'always');
      const [newest, computed, ...notices] = await Promise.all([
        dataAsOf && remember(endpoint, dataAsOf, request),
        computedAt && remember(endpoint, computedAt, request),
        ...always.map(({ query }) => remember(endpoint, query, request)),
      ]);
      return {
        dataAsOf: timeOf(newest),
        computedAt: computedAt && (timeOf(computed) ?? null),
        notices: notices.flatMap(noticeTexts),
      };
    },

    /** Returns the notices of an answer without rows. */
    async emptyNotices(endpoint: Endpoint, request: MetadataRequest): Promise<readonly string[]> {
      const empty = endpoint.notices.filter(({ when }) => when === 'empty');
      const notices = await Promise.all(empty.map(({ query }) => attempt(endpoint, query, request)));
      return notices.flatMap(noticeTexts);
    },
  };
}

interface Remembered {
  readonly at: number;
  readonly result: Promise<ResultSet | undefined>;
}

/**
 * Returns the cache key of a query. Queries without parameters that have the same SQL share one key, also between
 * endpoints.
 */
function keyOf({ definition }: Endpoint, { texts, key, parameters }: EndpointQuery, values: ParameterValues): string {
  if (parameters.length === 0) return texts[0]?.sql ?? key;
  return JSON.stringify([definition.name, key, ...parameters.map((name) => values[name])]);
}

function noticeTexts(result: ResultSet | undefined): string[] {
  if (result === undefined) return ['Notices for this answer could not be loaded.'];
  const texts = result.rows.flatMap(([text]) => (typeof text === 'string' && text !== '' ? [text] : []));
  return result.more ? [...texts, `There are more than these ${texts.length} notices.`] : texts;
}

/** Reads `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS` in UTC. */
function timeOf(result: ResultSet | undefined): Date | undefined {
  const cell: Cell | undefined = result?.rows[0]?.[0];
  if (typeof cell !== 'string' || !/^\d{4}-\d\d-\d\d/.test(cell)) return undefined;
  const text = cell.length === 10 ? `${cell}T00:00:00` : cell.replace(' ', 'T');
  const time = new Date(`${text}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
