import mysql, { type TypedParameterValue } from 'mysql2';
import type { BoundValue } from '../../interface/database.js';
import type { Flavor } from './flavor.js';
import type { Positional } from './select.js';

export type Parameter = TypedParameterValue | string | number | null;

/**
 * The text and the parameters of a statement for mysql2. Each parameter has the type of the dialect; the default of mysql2 would
 * send every number as a DOUBLE.
 */
export function bind(
  { sql, parts, order }: Positional,
  values: readonly BoundValue[],
  flavor: Flavor,
): { readonly sql: string; readonly parameters: Parameter[] } {
  const ordered = order.map((place) => {
    const value = values[place];
    if (value === undefined) throw new Error(`The query needs ${place + 1} values, got ${values.length}.`);
    return value;
  });
  if (flavor !== 'tidb') return { sql, parameters: ordered.map(toParameter) };
  const text = parts.map((part, index) => {
    const value = ordered[index];
    return value === undefined ? part : part + tidbMarker(value);
  });
  return { sql: text.join(''), parameters: ordered.filter((value) => value !== null).map(toParameter) };
}

const { TypedParameter } = mysql;

function toParameter(value: BoundValue): Parameter {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return TypedParameter.LONGLONG(value ? 1 : 0);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? TypedParameter.LONGLONG(value) : value;
  if (BigInt.asIntN(64, value) === value) return TypedParameter.LONGLONG(value);
  if (BigInt.asUintN(64, value) === value) return TypedParameter.LONGLONG.unsigned(value);
  return TypedParameter.DECIMAL(value);
}

/**
 * Returns the text of a marker for TiDB, with a CAST if TiDB needs it. Without this, TiDB treats a bound NULL as a
 * text, and also a bound DECIMAL next to other numbers. It also compares bound text by `utf8mb4_bin`, which ignores
 * trailing spaces.
 */
function tidbMarker(value: BoundValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return 'CAST(? AS CHAR)';
  return typeof value === 'bigint' && BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value
    ? 'CAST(? AS DECIMAL(65))'
    : '?';
}
