import mysql, { type TypedParameterValue } from 'mysql2';
import type { BoundValue } from '../../interface/database.js';
import type { Flavor } from './flavor.js';
import type { Positional } from './select.js';

export type Parameter = TypedParameterValue | string | number | null;

/**
 * Returns the text and the parameters of a statement for mysql2. Each parameter has an explicit type, because mysql2
 * would send every number as a DOUBLE. With `castTexts`, a bound text has the collation of the session, with the same
 * priority as the collation of a column; without it, the collation of the column applies. On other servers than TiDB, only
 * texts that a column may not be able to contain are cast, so that the others are still compared by the collation of the column.
 */
export function bind(
  { sql, parts, order }: Positional,
  values: readonly BoundValue[],
  flavor: Flavor,
  castTexts = castsTexts(flavor),
): { readonly sql: string; readonly parameters: Parameter[] } {
  const ordered = order.map((place) => {
    const value = values[place];
    if (value === undefined) throw new Error(`The query needs ${place + 1} values, got ${values.length}.`);
    return value;
  });
  const isTidb = flavor === 'tidb';
  if (!isTidb && !castTexts) return { sql, parameters: ordered.map(toParameter) };
  const markerOf = (value: BoundValue) => {
    if (typeof value === 'string') return castTexts && (isTidb || hasForeignCharacter(value)) ? 'CAST(? AS CHAR)' : '?';
    return isTidb ? tidbMarker(value) : '?';
  };
  const text = parts.map((part, index) => {
    const value = ordered[index];
    return value === undefined ? part : part + markerOf(value);
  });
  const bound = isTidb ? ordered.filter((value) => value !== null) : ordered;
  return { sql: text.join(''), parameters: bound.map(toParameter) };
}

/** Whether a value is a text with a character that the character set of some column does not contain. All of them contain ASCII. */
export function hasForeignCharacter(value: BoundValue): boolean {
  return typeof value === 'string' && /\P{ASCII}/u.test(value);
}

/** Whether bound texts are cast first. Without it, TiDB compares a bound text with `utf8mb4_bin`, which ignores trailing spaces. */
export function castsTexts(flavor: Flavor): boolean {
  return flavor === 'tidb';
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
 * Returns the text of a placeholder for TiDB, with a CAST if TiDB needs it. Without it, TiDB would treat a bound NULL
 * or a large bound integer as text in some expressions.
 */
function tidbMarker(value: BoundValue): string {
  if (value === null) return 'NULL';
  return typeof value === 'bigint' && BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value
    ? 'CAST(? AS DECIMAL(65))'
    : '?';
}
