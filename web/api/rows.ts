import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ROOT_URL } from '../app/root-url.js';
import { type Answer, RepoInsightClient, type Value } from './generated/client.js';

export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

/** The answer of a definition, and the facts about it that are only in the headers. */
export interface Result extends Answer<Row> {
  readonly headers: ResultHeaders;
}

export interface ResultHeaders {
  /** Where the answer comes from, such as `HIT` or `MISS`; undefined if the service does not state it. */
  readonly cache: string | undefined;
  /** Since when the file of the definition has problems, so that its last good version answers. */
  readonly outdated: string | undefined;
  readonly requestId: string | undefined;
  readonly remainingRequests: number | undefined;
}

/** The values of parameters, by name. Absent ones have their defaults. */
export type ParameterValues = Readonly<Record<string, Value>>;

export function rowsQuery(name: string, params: ParameterValues) {
  return queryOptions({
    queryKey: ['rows', name, params],
    queryFn: ({ signal }) => readRows(name, params, signal),
    placeholderData: keepPreviousData,
  });
}

async function readRows(name: string, params: ParameterValues, signal: AbortSignal): Promise<Result> {
  let headers = new Headers();
  const client = new RepoInsightClient({
    baseUrl: ROOT_URL,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      headers = response.headers;
      return response;
    },
  });
  const answer = await client.query(name, params, { signal });
  return { ...answer, headers: readHeaders(headers) };
}

function readHeaders(headers: Headers): ResultHeaders {
  const text = (name: string) => headers.get(name) ?? undefined;
  const remaining = text('X-RateLimit-Remaining');
  return {
    cache: text('X-Cache'),
    outdated: text('X-Definition-Outdated'),
    requestId: text('X-Request-Id'),
    remainingRequests: remaining === undefined ? undefined : Number(remaining),
  };
}
