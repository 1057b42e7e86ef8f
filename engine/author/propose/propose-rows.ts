import type { LiteralLimit } from '../../../sql/outline/compared-literals.js';
import type { TextChange } from './propose-parameters.js';

/** What replaces the LIMIT of a SELECT. */
export interface ProposedRows {
  /** The key `pagination`, if callers can ask for more pages. */
  readonly keys: { readonly pagination?: { readonly default: number; readonly max: number } };
  /** The key `limits`, if the answer has another number of rows than the default. */
  readonly limits: { readonly limits?: { readonly rows: number } };
  readonly changes: readonly TextChange[];
  readonly notes: readonly string[];
}

/** The number of rows of an answer without `limits`. */
const DEFAULT_ROWS = 1000;
const MAX_ROWS = 100_000;

/** Replaces the LIMIT of ordered rows by pages, and of other rows by the limit of the answer. */
export function proposeRows(limit: LiteralLimit | undefined, hasOrder: boolean): ProposedRows {
  if (limit === undefined || limit.count < 1) return { keys: {}, limits: {}, changes: [], notes: [] };
  const { count, offset, start, end } = limit;
  const changes = [{ start, end, text: '' }];
  const skipped = offset === 0 ? [] : [`OFFSET ${offset} is removed: the first page starts with the first row.`];
  if (hasOrder && count <= DEFAULT_ROWS) {
    const pagination = { default: count, max: Math.max(count, Math.min(100, DEFAULT_ROWS)) };
    return {
      keys: { pagination },
      limits: {},
      changes,
      notes: [`LIMIT ${count} becomes pages of ${count} rows.`, ...skipped],
    };
  }
  const rows = Math.min(count, MAX_ROWS);
  const note = `LIMIT ${count} becomes limits.rows: ${rows}.`;
  return { keys: {}, limits: { limits: { rows } }, changes, notes: [note, ...skipped] };
}
