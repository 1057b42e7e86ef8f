import type { BoundValue } from '../../../engine/index.js';

/**
 * The text of a marker for TiDB, with a CAST where TiDB needs one. Without it TiDB treats a bound NULL as a text and a bound DECIMAL
 * next to other numbers as a text, and compares bound text by `utf8mb4_bin`, which ignores trailing spaces.
 */
export function tidbMarker(value: BoundValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return 'CAST(? AS CHAR)';
  return typeof value === 'bigint' && BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value
    ? 'CAST(? AS DECIMAL(65))'
    : '?';
}
