import { isNull } from '../tree/literals.js';
import { child, type Fields, requireOnlyFields, type Translator } from '../tree/tree.js';
import { writeShownDigits } from './function-rule.js';

/**
 * The keys of an ORDER BY. NULLs come first, or last when descending, by the setting that every connection has.
 * `ORDER BY NULL` means no order and gives an empty text.
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
