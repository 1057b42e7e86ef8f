import type { Node, Translator } from './tree.js';

/** The value as a TIMESTAMP; NULL where it is no date. What is known to be a date needs no macro. */
export function writeInstant(node: Node, to: Translator): string {
  const known = to.result(node);
  if (known === 'datetime') return to.value(node);
  return known === 'date' ? `CAST(${to.value(node)} AS TIMESTAMP)` : `mysql.instant(${to.value(node)})`;
}

/** The value as a DATE; NULL where it is no date. */
export function writeDay(node: Node, to: Translator): string {
  const known = to.result(node);
  if (known === 'date') return to.value(node);
  return known === 'datetime' ? `CAST(${to.value(node)} AS DATE)` : `mysql.day_of(${to.value(node)})`;
}

/** The value as a TIME, or NULL if it is not a time. */
export function writeClock(node: Node, to: Translator): string {
  const known = to.result(node);
  if (known === 'time') return to.value(node);
  return known === 'datetime' ? `CAST(${to.value(node)} AS TIME)` : `mysql.clock(${to.value(node)})`;
}
