import type { BoundValue, CompiledQuery } from '../../engine/index.js';
import { quoteText } from '../../engine/sql/guard/writer.js';
import { NOT_CODE } from '../../engine/sql/reading/lexemes.js';

/**
 * Writes a query with its values as literals of the MySQL dialect, so that a person can read and run it. A marker in a
 * quoted text, a quoted name or a comment stays as it is. Throws a `RangeError` for a marker without a value, and for a
 * number that SQL cannot express.
 *
 * The guard must check the text before it runs, like the SQL of a user. It rejects texts with control characters.
 *
 * The compiled query of a definition requests one row more than the limit of its answer, and so does this text.
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
  // Parentheses separate the sign from a minus before it: two of them could start a comment.
  return value < 0 ? `(${writeNumber(value)})` : writeNumber(value);
}

/** A fraction gets an exponent, because a literal without one is a DECIMAL, and the bound value is a DOUBLE. */
function writeNumber(value: number | bigint): string {
  const text = String(value);
  return typeof value === 'bigint' || Number.isSafeInteger(value) || text.includes('e') ? text : `${text}e0`;
}
