import type { Node } from '../../reading/tree.js';
import type { Translator } from './translator.js';

/** Writes the value as a TIMESTAMP, which is NULL if the value is not a date. A value of a known date type needs no macro. */
export function writeInstant(node: Node, to: Translator): string {
  const known = to.result(node);
  if (known === 'datetime') return to.value(node);
  return known === 'date' ? `CAST(${to.value(node)} AS TIMESTAMP)` : `mysql.instant(${to.value(node)})`;
}

/** Writes the value as a DATE, which is NULL if the value is not a date. */
export function writeDay(node: Node, to: Translator): string {
  const known = to.result(node);
  if (known === 'date') return to.value(node);
  return known === 'datetime' ? `CAST(${to.value(node)} AS DATE)` : `mysql.day_of(${to.value(node)})`;
}

/** Writes the value as a TIME, which is NULL if the value is not a time. */
export function writeClock(node: Node, to: Translator): string {
  const known = to.result(node);
  if (known === 'time') return to.value(node);
  return known === 'datetime' ? `CAST(${to.value(node)} AS TIME)` : `mysql.clock(${to.value(node)})`;
}
