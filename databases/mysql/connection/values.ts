import mysql, { type TypedParameterValue } from 'mysql2';
import type { BoundValue } from '../../../engine/index.js';
import type { Flavor } from './flavor.js';
import { tidbMarker } from './marker.js';
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
