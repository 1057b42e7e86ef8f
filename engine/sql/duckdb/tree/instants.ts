import type { Node } from '../../reading/tree.js';
import { isLiteral, stringValue } from './literals.js';
import { reject, type Translator } from './translator.js';

/** Writes the value as a TIMESTAMP, which is NULL if the value is not a date. A value of a known date type needs no macro. */
export function writeInstant(node: Node, to: Translator): string {
  requireDateForm(node);
  const known = to.result(node);
  if (known === 'datetime') return to.value(node);
  return known === 'date' ? `CAST(${to.value(node)} AS TIMESTAMP)` : `mysql.instant(${to.value(node)})`;
}

/** Rejects a literal that databases read as different dates. */
export function requireDateForm(literal: Node): void {
  requireForm(literal, DATE_TEXT, 'date', 'an existing date as YYYY-MM-DD or YYYY-MM-DD HH:MM:SS');
}

/** Writes the value as a DATE, which is NULL if the value is not a date. */
export function writeDay(node: Node, to: Translator): string {
  requireDateForm(node);
  const known = to.result(node);
  if (known === 'date') return to.value(node);
  return known === 'datetime' ? `CAST(${to.value(node)} AS DATE)` : `mysql.day_of(${to.value(node)})`;
}

/** Writes the value as a TIME, which is NULL if the value is not a time. */
export function writeClock(node: Node, to: Translator): string {
  requireForm(node, TIME_TEXT, 'time', 'HH:MM:SS');
  const known = to.result(node);
  if (known === 'time') return to.value(node);
  return known === 'datetime' ? `CAST(${to.value(node)} AS TIME)` : `mysql.clock(${to.value(node)})`;
}

/**
 * Rejects a literal that MySQL reads as a date or a time and DuckDB in another way, such as '20-1-5', '2024.01.05' or 240105. A text that
 * starts with no digit is NULL in both.
 */
function requireForm(node: Node, form: RegExp, kind: string, shape: string): void {
  const text = stringValue(node) ?? (isLiteral(node, 'number') ? String(node.fields.value) : undefined);
  if (text !== undefined && /^\s*[-+]?\s*\d/.test(text) && !form.test(text))
    reject(`'${text}' as a ${kind}`, `Write ${shape}.`);
}

const CLOCK = /\d{1,2}:\d{1,2}(:\d{1,2}(\.\d*)?)?/.source;
const DAY = /(?!0000)\d{4}[-/](?!00?\b)\d{1,2}[-/](?!00?\b)\d{1,2}/.source;
const INSTANT = `${DAY}(T| +)(?!24)${CLOCK}Z?`;
const DATE_TEXT = new RegExp(`^\\s*(\\d{8}|\\d{14}|${DAY}|${INSTANT})$`);
const TIME_TEXT = new RegExp(`^\\s*(\\d{14}|${INSTANT}|${CLOCK})$`);
