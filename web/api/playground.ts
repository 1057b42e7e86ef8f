import { queryOptions } from '@tanstack/react-query';
import { callOperation, sendJson } from './operations.js';
import type { Row } from './rows.js';

/** The answer of the playground. */
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

/** The plan of a SELECT. The columns of the steps depend on the database. */
export interface PlaygroundPlan {
  readonly steps: readonly Row[];
  readonly estimatedRows: number;
  readonly lane: 'cheap' | 'expensive';
}

/** A definition file that is not saved. */
export interface DefinitionDraft {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly notes: readonly string[];
}

export interface TableSummary {
  readonly name: string;
  readonly description: string;
  readonly grain: string | null;
  readonly freshness: string | null;
}

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly unit: string | null;
  readonly description: string;
}

export interface TableDetails extends TableSummary {
  readonly example: string | null;
  readonly columns: readonly TableColumn[];
}

/** The playground accepts at most this many characters. */
export const MAX_SQL_LENGTH = 8_192;

export function runSql(sql: string, signal: AbortSignal): Promise<PlaygroundResult> {
  return post('q/playground/', sql, signal);
}

export function planSql(sql: string, signal: AbortSignal): Promise<PlaygroundPlan> {
  return post('q/playground/plan/', sql, signal);
}

export function draftDefinition(sql: string, name: string | undefined): Promise<DefinitionDraft> {
  return sendJson('POST', 'console/drafts/', { sql, ...(name !== undefined && { name }) });
}

function post<Body>(path: string, sql: string, signal: AbortSignal): Promise<Body> {
  const headers = { 'Content-Type': 'application/json' };
  return callOperation(path, { method: 'POST', headers, body: JSON.stringify({ sql }), signal });
}

/** The tables change only with the version of the service. */
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
