import type { BoundValue } from '../../../engine/database.js';

/**
 * What stands for a bound value in a statement of TiDB, which takes by itself a NULL for a text, a DECIMAL for a text where it meets other
 * numbers, and compares bound text with the collation `utf8mb4_bin`, which leaves out spaces at the end.
 */
export function typedMarker(value: BoundValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return 'CAST(? AS CHAR)';
  return typeof value === 'bigint' && BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value
    ? 'CAST(? AS DECIMAL(65))'
    : '?';
}
