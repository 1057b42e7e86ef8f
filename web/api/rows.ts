import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { flattenRows } from '../../engine/charts/flatten-rows.js';
import { ROOT_URL } from '../app/root-url.js';
import { fetchService, withApiKey } from './api-key.js';
import { type Answer, RepoInsightClient, type Value } from './generated/client.js';

export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

/** The answer of a definition, with the facts that are only in the response headers. */
export interface Result extends Answer<Row> {
  readonly headers: ResultHeaders;
}

export interface ResultHeaders {
  /** How the cache handled the request (RFC 9211), such as `repo-insight; hit; detail=memory`. */
  readonly cache: string | undefined;
  /** Seconds since the service confirmed that the answer is exact. */
  readonly age: number | undefined;
  /** The duration of the query in milliseconds; undefined if no query ran for this request. */
  readonly queryMs: number | undefined;
  /** Since when the file of the definition has had problems, so that its last good version is served. */
  readonly outdated: string | undefined;
  /** Whether the answer is from a canary: a new version of the definition that only a part of the requests gets. */
  readonly isCanary: boolean;
  /** The day since which the definition is deprecated, and the day after which it may be removed. */
  readonly deprecated: string | undefined;
  readonly sunset: string | undefined;
  readonly requestId: string | undefined;
  readonly remainingRequests: number | undefined;
}

/** Whether the query has more rows than the result, which is truncated or not the first page. */
export function isPart({ truncated, params }: Pick<Result, 'truncated' | 'params'>): boolean {
  return truncated || Number(params.page ?? 1) > 1;
}

/** The values of parameters, by name. Absent parameters have their defaults. */
export type ParameterValues = Readonly<Record<string, Value>>;

export function rowsQuery(name: string, params: ParameterValues) {
  return queryOptions({
    queryKey: ['rows', name, params] as const,
    queryFn: ({ signal }) => readRows(name, params, signal),
    placeholderData: keepPreviousData,
  });
}

/** Reads the rows of a definition, with the API key of the tab or with another one. */
export async function readRows(
  name: string,
  params: ParameterValues,
  signal?: AbortSignal,
  apiKey?: string,
): Promise<Result> {
  let headers = new Headers();
  const client = new RepoInsightClient({
    baseUrl: ROOT_URL,
    fetch: async (url, init) => {
      const response = await fetchService(String(url), init);
      headers = response.headers;
      return response;
    },
  });
  const answer = await client.query(name, params, { signal, headers: withApiKey(apiKey) });
  return { ...answer, data: flattenRows(answer.fields, answer.data), headers: readHeaders(headers) };
}

function readHeaders(headers: Headers): ResultHeaders {
  const text = (name: string) => headers.get(name) ?? undefined;
  const number = (value: string | undefined) => (value === undefined ? undefined : Number(value));
  const since = number(/^@(\d+)$/.exec(text('Deprecation') ?? '')?.[1]);
  const sunset = text('Sunset');
  return {
    cache: text('Cache-Status'),
    age: number(text('Age')),
    queryMs: number(/\bdb;dur=([\d.]+)/.exec(text('Server-Timing') ?? '')?.[1]),
    outdated: text('X-Definition-Outdated'),
    isCanary: headers.has('X-Definition-Canary'),
    deprecated: since === undefined ? undefined : dayOf(since * 1000),
    sunset: sunset === undefined ? undefined : dayOf(Date.parse(sunset)),
    requestId: text('X-Request-Id'),
    remainingRequests: number(text('X-RateLimit-Remaining')),
  };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
