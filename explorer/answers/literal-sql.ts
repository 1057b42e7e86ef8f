import type { BoundValue, CompiledQuery } from '../../engine/index.js';
import { quoteText } from '../../engine/sql/guard/writer.js';
import { NOT_CODE } from '../../engine/sql/reading/lexemes.js';

/**
 * Writes a query with its values as literals of the MySQL dialect, so that a person can read and run it. Markers in quoted text, quoted
 * names and comments are kept. Throws a `RangeError` for a marker without a value, and for a number that SQL cannot express.
 *
 * Like SQL from a user, the text must be checked by the guard before it runs. The guard rejects control characters.
 *
 * The compiled query of a definition requests one row more than the limit of its answer. The same applies to the returned text.
 */
export function toLiteralSql({ sql, values }: CompiledQuery): string {
  return sql.replace(MARKERS, (part: string, number: string | undefined) => {
    if (number === undefined) return part;
    const value = values[Number(number) - 1];
    if (value === undefined) throw new RangeError(`The query has ${values.length} values and the marker ${part}.`);
    return writeLiteral(value);
  });
}

const MARKERS = new RegExp(`${NOT_CODE}|:p(\\d+)\\b`, 'gs');

function writeLiteral(value: BoundValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`SQL has no literal for ${value}.`);
  // Parentheses around a negative number: after a minus, its sign would start a comment (`--`).
  return value < 0 ? `(${writeNumber(value)})` : writeNumber(value);
}

/** A fraction is written with an exponent, so that it is a DOUBLE like the bound value. Without an exponent, it would be a DECIMAL. */
function writeNumber(value: number | bigint): string {
  const text = String(value);
  return typeof value === 'bigint' || Number.isSafeInteger(value) || text.includes('e') ? text : `${text}e0`;
}
