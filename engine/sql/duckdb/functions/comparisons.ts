import type { Node } from '../../reading/tree.js';
import { requireDateForm } from '../tree/instants.js';
import { isNull, stringValue } from '../tree/literals.js';
import { type Translator, textLiteral } from '../tree/translator.js';
import { writeShownDigits } from './function-rule.js';

/** Writes a comparison of two single values. */
export function writeComparison(left: Node, operator: string, right: Node, to: Translator): string {
  return `(${writeRoundedSide(left, right, to)} ${operator} ${writeRoundedSide(right, left, to)})`;
}

/** Writes a side of a comparison. A quotient is rounded to the digits that MySQL displays before it is compared. */
function writeRoundedSide(side: Node, other: Node, to: Translator): string {
  return writeShownDigits(side, {
    ...to,
    value: (node) => (node === side ? writeComparedSide(side, other, to) : to.value(node)),
  });
}

/**
 * Writes one side of a comparison, with a conversion where DuckDB needs it. DuckDB itself converts only literals and parameters to the type
 * of the other side, and drops the time if it converts a text to a DATE. DuckDB rejects comparisons of other text with dates and numbers.
 */
export function writeComparedSide(side: Node, other: Node, to: Translator): string {
  const literal = stringValue(side);
  const meets = to.result(other);
  if (to.result(side) === 'json' && meets !== 'json') return writeJson(to.value(side), other, to);
  if (literal !== undefined) {
    if (meets === 'number') return leadingNumber(literal);
    if (meets === 'date' || meets === 'datetime') requireDateForm(side);
    if (meets === 'unknown' && FRACTION.test(literal))
      return `mysql.like_number(${to.value(side)}, ${to.value(other)})`;
    if (meets === 'unknown' && HAS_SHORT_YEAR.test(literal)) {
      return `mysql.undated_text(${to.value(side)}, ${to.value(other)})`;
    }
    if (!HAS_TIME.test(literal) || meets === 'text') return to.value(side);
    requireDateForm(side);
    return `TIMESTAMP ${textLiteral(literal)}`;
  }
  if (to.result(side) !== 'text' || meets === 'text' || other.kind === 'parameter' || isNull(other)) {
    return to.value(side);
  }
  if (meets === 'number') return `mysql.double(${to.value(side)})`;
  return `cast_to_type(${to.value(side)}, ${to.value(other)})`;
}

/** Writes a JSON value that is compared with a value of another type. As in MySQL, a JSON text is compared without its quotes. */
function writeJson(json: string, other: Node, to: Translator): string {
  const text = `json_extract_string(${json}, '$')`;
  if (other.kind === 'boolean') {
    return `CASE ${text} WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE mysql.double(${text}) END`;
  }
  const meets = to.result(other);
  if (meets === 'text') return text;
  return meets === 'number' ? `mysql.double(${text})` : `mysql.like_number(${text}, ${to.value(other)})`;
}

/** Matches the text of a number that is not an integer. DuckDB would round it if the other side is an integer. */
const FRACTION = /^\s*[-+]?(\d+\.\d*|\.\d+|\d+e[-+]?\d+)(e[-+]?\d+)?\s*$/i;

/** Matches a text that MySQL reads as a date of this or the last century, and DuckDB as one of the first centuries. */
const HAS_SHORT_YEAR = /^\s*\d{1,3}[-/]\d{1,2}[-/]\d{1,2}(?:\D|$)/;

/** Matches a text with a time. Midnight is excluded, because its conversion to a DATE loses nothing. */
const HAS_TIME = /^\d{4}-\d{2}-\d{2}[ T](?!00:00:00$)\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/**
 * Returns the number at the start of a text, or 0 if there is no number. MySQL uses this value if it compares the text
 * with a number.
 */
function leadingNumber(literal: string): string {
  return /^\s*([-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?)/i.exec(literal)?.[1]?.replace(/\.$/, '') ?? '0';
}
