import mysql, { type TypedParameterValue } from 'mysql2';
import type { BoundValue } from '../../../engine/index.js';
import type { Flavor } from './flavor.js';
import type { Positional } from './select.js';
import { typedMarker } from './typed-marker.js';

export type Parameter = TypedParameterValue | string | number | null;

/** A text with `?` and their values, each of the type that it has in the dialect: mysql2 would send 1.0 as 1. */
export function bind(
  { sql, parts, order }: Positional,
  values: readonly BoundValue[],
  flavor: Flavor,
): { readonly sql: string; readonly parameters: Parameter[] } {
  const ordered = order.map((place) => {
    const value = values[place];
    if (value === undefined) throw new Error(`The query needs ${place + 1} values; ${values.length} came.`);
    return value;
  });
  if (flavor !== 'tidb') return { sql, parameters: ordered.map(parameter) };
  const text = parts.map((part, index) => {
    const value = ordered[index];
    return value === undefined ? part : part + typedMarker(value);
  });
  return { sql: text.join(''), parameters: ordered.filter((value) => value !== null).map(parameter) };
}

const { TypedParameter } = mysql;

function parameter(value: BoundValue): Parameter {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return TypedParameter.LONGLONG(value ? 1 : 0);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? TypedParameter.LONGLONG(value) : value;
  if (BigInt.asIntN(64, value) === value) return TypedParameter.LONGLONG(value);
  if (BigInt.asUintN(64, value) === value) return TypedParameter.LONGLONG.unsigned(value);
  return TypedParameter.DECIMAL(value);
}
