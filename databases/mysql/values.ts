import mysql, { type TypedParameterValue } from 'mysql2';
import type { BoundValue } from '../../engine/database.js';

/** The values in the order of the `?`, each as the type that the dialect gives it: by itself mysql2 takes 1 for 1.0. */
export function parameters(
  order: readonly number[],
  values: readonly BoundValue[],
): (TypedParameterValue | string | number | null)[] {
  return order.map((place) => {
    const value = values[place];
    if (value === undefined) throw new Error(`The query needs ${place + 1} values; ${values.length} came.`);
    return parameter(value);
  });
}

const { TypedParameter } = mysql;

function parameter(value: BoundValue): TypedParameterValue | string | number | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return TypedParameter.LONGLONG(value ? 1 : 0);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? TypedParameter.LONGLONG(value) : value;
  if (BigInt.asIntN(64, value) === value) return TypedParameter.LONGLONG(value);
  if (BigInt.asUintN(64, value) === value) return TypedParameter.LONGLONG.unsigned(value);
  return TypedParameter.DECIMAL(value);
}
