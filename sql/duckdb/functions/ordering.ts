import { isNull } from '../tree/literals.js';
import { child, type Fields, requireOnlyFields, type Translator } from '../tree/tree.js';
import { writeShownDigits } from './function-rule.js';

/**
 * Writes the keys of an ORDER BY. By the setting of every connection, NULL is first in ascending and last in descending order.
 * `ORDER BY NULL` means no order and returns an empty text.
 */
export function writeOrderKeys(orders: readonly Fields[], to: Translator): string {
  return orders
    .map((order) => {
      requireOnlyFields('order by', order, ['this', 'desc']);
      const key = child({ kind: 'order by', fields: order }, 'this');
      if (isNull(key)) return '';
      return `${writeShownDigits(key, to)}${order.desc === true ? ' DESC' : ''}`;
    })
    .filter((key) => key !== '')
    .join(', ');
}
