import type { BoundValue } from '../../../engine/index.js';

/**
 * Returns the text of a marker for TiDB, with a CAST if TiDB needs it. Without this, TiDB treats a bound NULL as a
 * text, and also a bound DECIMAL next to other numbers. It also compares bound text by `utf8mb4_bin`, which ignores
 * trailing spaces.
 */
export function tidbMarker(value: BoundValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return 'CAST(? AS CHAR)';
  return typeof value === 'bigint' && BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value
    ? 'CAST(? AS DECIMAL(65))'
    : '?';
}
