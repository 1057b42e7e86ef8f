import { queryOptions } from '@tanstack/react-query';
import type { PlanAnswer } from '../../app-routes/playground/plan-sql.js';
import type { Draft } from '../../explorer/playground/draft-definition.js';
import type { TableDetails, TableSummary } from '../../warehouse/reference/find-table.js';
import { withApiKey } from './api-key.js';
import { callOperation, sendJson } from './operations.js';
import type { Row } from './rows.js';

export type { PlanAnswer } from '../../app-routes/playground/plan-sql.js';
export type { Draft } from '../../explorer/playground/draft-definition.js';
export type { TableDetails, TableSummary } from '../../warehouse/reference/find-table.js';

/** The result of a playground query. */
export interface PlaygroundResult {
  readonly requestedAt: string;
  readonly finishedAt: string;
  readonly spent: number;
  readonly sql: string;
  readonly fields: readonly { readonly name: string; readonly columnType: string }[];
  readonly data: readonly Row[];
  readonly truncated: boolean;
  readonly notices: readonly string[];
}

/** The maximum number of characters of SQL in the playground. */
export const MAX_SQL_LENGTH = 8_192;

/** Runs SQL with the API key of the tab, or with another one. */
export function runSql(sql: string, signal?: AbortSignal, apiKey?: string): Promise<PlaygroundResult> {
  return post('q/playground/', sql, signal, withApiKey(apiKey));
}

export function planSql(sql: string, signal: AbortSignal): Promise<PlanAnswer> {
  return post('q/playground/plan/', sql, signal);
}

export function draftDefinition(sql: string, name: string | undefined): Promise<Draft> {
  return sendJson('POST', 'console/drafts/', { sql, ...(name !== undefined && { name }) });
}

function post<Body>(path: string, sql: string, signal?: AbortSignal, more: Record<string, string> = {}): Promise<Body> {
  const headers = { 'Content-Type': 'application/json', ...more };
  return callOperation(path, { method: 'POST', headers, body: JSON.stringify({ sql }), signal: signal ?? null });
}

/** The tables never become stale, because they only change with the version of the service. */
const NEVER = Number.POSITIVE_INFINITY;

export const tablesQuery = queryOptions({
  queryKey: ['tables'],
  queryFn: async ({ signal }) =>
    (await callOperation<{ readonly data: readonly TableSummary[] }>('q/tables/', { signal })).data,
  staleTime: NEVER,
});

export function tableQuery(name: string) {
  return queryOptions({
    queryKey: ['tables', name],
    queryFn: ({ signal }) => callOperation<TableDetails>(`q/tables/${encodeURIComponent(name)}/`, { signal }),
    staleTime: NEVER,
  });
}
