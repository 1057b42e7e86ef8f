import { queryOptions } from '@tanstack/react-query';
import { callOperation, sendJson } from './operations.js';

/** SQL that the service generated for a question. The SQL was not run. */
export interface GeneratedSql {
  readonly sql: string;
  readonly engine: 'catalogue' | 'model';
  readonly revisedTitle: string;
  readonly notClear: string;
  readonly assumption: string;
}

export interface SqlQuota {
  readonly limit: number;
  readonly used: number;
}

export const sqlQuotaQuery = queryOptions({
  queryKey: ['account', 'sql-quota'],
  queryFn: ({ signal }) => callOperation<SqlQuota>('playground/sql/generate/quota/', { signal }),
});

export function generateSql(question: string): Promise<GeneratedSql> {
  return sendJson('POST', 'playground/sql/generate/', { question });
}
