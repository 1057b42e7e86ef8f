import type { BoundValue } from '../../../engine/index.js';

/**
 * The text of a marker for TiDB. Without a CAST TiDB reads a bound NULL as a text, and a bound DECIMAL beside other numbers as a text. It compares
 * bound text by `utf8mb4_bin`, which ignores spaces at the end.
 */
export function typedMarker(value: BoundValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return 'CAST(? AS CHAR)';
  return typeof value === 'bigint' && BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value
    ? 'CAST(? AS DECIMAL(65))'
    : '?';
}
