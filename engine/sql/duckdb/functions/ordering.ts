import { child, type Fields, type Node, nameOf } from '../../reading/tree.js';
import { isNull, stringValue } from '../tree/literals.js';
import { reject, requireOnlyFields, type Translator } from '../tree/translator.js';
import { writeShownDigits } from './function-rule.js';

/**
 * Writes the keys of an ORDER BY. The connections are configured so that NULL comes first in ascending and last in
 * descending order. Returns an empty text for `ORDER BY NULL` and for a text, which mean no order.
 */
export function writeOrderKeys(orders: readonly Fields[], to: Translator): string {
  return orders
    .map((order) => {
      requireOnlyFields('order by', order, ['this', 'desc']);
      // This needs a separate check, because `requireOnlyFields` ignores fields that are false.
      if (order.nulls_first === false) reject('NULLS LAST in ORDER BY', 'Order by `x IS NULL, x`.');
      const key = child({ kind: 'order by', fields: order }, 'this');
      if (isNull(key) || stringValue(key) !== undefined) return '';
      requireOrderable(key, 'ORDER BY', to);
      return `${writeShownDigits(key, to)}${order.desc === true ? ' DESC' : ''}`;
    })
    .filter((key) => key !== '')
    .join(', ');
}

/** Rejects JSON where the order of values matters: 10 is less than 9 on MariaDB and DuckDB, which compare JSON as text, but not on MySQL. */
export function requireOrderable(node: Node, place: string, to: Translator): void {
  if (to.result(node) === 'json') reject(`${place} of JSON`, 'Write JSON_VALUE, with a CAST for numbers.');
}

/** Returns the expression of the SELECT list whose alias an expression is. */
export function findNamed({ kind, fields }: Node, listed: readonly Node[]): Node | undefined {
  const name = kind === 'column' && (fields.table ?? undefined) === undefined ? nameOf(fields.name) : undefined;
  const found = listed.find((item) => item.kind === 'alias' && nameOf(item.fields.alias) === name);
  return found === undefined ? undefined : child(found, 'this');
}
