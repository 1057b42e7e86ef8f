import { RepoInsightError } from '../../api/generated/client.js';

/** An error in SQL, with its position if it is known. */
export interface SqlFault {
  readonly reason: string;
  /** The offset in the SQL. */
  readonly position?: number | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Returns the errors in SQL that the service or its database rejected; empty for other failures. `sql` is the text that was sent. */
export function faultsOf(error: unknown, sql: string): readonly SqlFault[] {
  if (!(error instanceof RepoInsightError) || !CODES.has(error.code)) return [];
  const { errors = [], detail = error.message } = error.problem ?? {};
  if (errors.length === 0) return [{ reason: detail }];
  return errors.map(({ reason = detail, position, line, column }) => ({
    reason,
    line,
    column,
    position: position ?? offsetOf(sql, line, column),
  }));
}

const CODES: ReadonlySet<string> = new Set(['sql_refused', 'sql_failed']);

function offsetOf(sql: string, line: number | undefined, column: number | undefined): number | undefined {
  if (line === undefined || column === undefined) return undefined;
  const before = sql.split('\n').slice(0, line - 1);
  return before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
}
