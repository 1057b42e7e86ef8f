import { UntranslatableSqlError } from '../reading/untranslatable-sql-error.js';
import { argumentsOf, EMPTY_PATTERN, FUNCTIONS, isEmptyText, requireCopyable } from './functions.js';
import {
  hasOperator,
  isAggregate,
  isNumericChoice,
  isQuotient,
  keepsDigits,
  NUMERIC_FUNCTIONS,
  sourceOf,
} from './hidden-digits.js';
import { type Call, type Piece, readPieces, wordOf } from './pieces.js';
import { isCompared, isInCondition, type Segment, segmentsOf } from './segments.js';

/**
 * Rewrites a SELECT of the MySQL dialect so that TiDB returns the same result as MySQL. Placeholders such as `:p1`
 * stay. Both databases calculate a quotient with more digits than they display, but only TiDB also compares, sorts and
 * groups by the hidden digits. Throws `UntranslatableSqlError` if TiDB cannot return the same result.
 */
export function translateForTidb(sql: string): string {
  return writeList(readPieces(sql), NOT_SHOWN);
}

/** How a value is used, which determines how it is written. */
interface Context {
  /** Whether the value must be rounded to the displayed digits. */
  readonly shows: boolean;
  /** Whether the value is an operand of a calculation, so that the hidden digits of an aggregate affect the result. */
  readonly isCalculated: boolean;
  /** Whether aggregates are written unchanged. This is needed to determine how many digits an aggregate displays. */
  readonly isPlain?: boolean;
}

const NOT_SHOWN: Context = { shows: false, isCalculated: false };
const SHOWN: Context = { shows: true, isCalculated: false };

/**
 * The second argument of ROUND with which TiDB rounds a value to the digits of its type. The argument is not a constant, so that TiDB
 * returns at most the digits of the type, and it is large, so that TiDB does not change a DOUBLE.
 */
const ALL_DIGITS = '400 + 0 * RAND()';
/**
 * A zero that is added to a quotient in an aggregate, so that TiDB does not drop the hidden digits. A DOUBLE stays a
 * DOUBLE.
 */
const MORE_DIGITS = `0.${'0'.repeat(27)}`;

/** Writes the values of arguments, of a query or of a CASE. `context` applies to values that are not part of a condition. */
function writeList(items: readonly Piece[], context: Context | ((index: number) => Context)): string {
  const contextOf = (segment: Segment): Context => {
    if (isCompared(segment)) return SHOWN;
    if (isInCondition(segment)) return NOT_SHOWN;
    if (segment.clause !== 'list') return SHOWN;
    return typeof context === 'function' ? context(segment.index) : context;
  };
  const segments = segmentsOf(items);
  for (const [index, segment] of segments.entries()) rejectJsonAsText(segment, segments[index + 1]);
  return segments
    .map((segment) => {
      const write = segment.clause === 'select' ? writeOutput : writeSegment;
      return write(segment, contextOf(segment)) + (segment.end === undefined ? '' : sourceOf(segment.end));
    })
    .join('');
}

/** Rejects a comparison of JSON with text, because DuckDB and MariaDB compare both as text, but MySQL and TiDB return 0. */
function rejectJsonAsText(left: Segment, right: Segment | undefined): void {
  if (right === undefined || !isCompared({ ...left, before: undefined })) return;
  if ((isJson(left) && isText(right)) || (isText(left) && isJson(right))) {
    throw new UntranslatableSqlError(
      'On TiDB a JSON value never equals a text. Compare JSON_VALUE(x, path) instead of JSON_EXTRACT(x, path).',
    );
  }
}

function isJson({ pieces: [only, second] }: Segment): boolean {
  return second === undefined && only?.kind === 'call' && only.name.toUpperCase() === 'JSON_EXTRACT';
}

function isText({ pieces: [only, second] }: Segment): boolean {
  return second === undefined && (only?.kind === 'text' || only?.kind === 'marker');
}

function writeSegment({ pieces, before }: Segment, context: Context): string {
  const isPattern = before === 'REGEXP' || before === 'RLIKE';
  return isPattern && isEmptyText(pieces) ? ` ${EMPTY_PATTERN}` : writeValue(pieces, context);
}

/** Writes an output column. If the value is rewritten, an alias keeps the name that results from the original text. */
function writeOutput(segment: Segment, context: Context): string {
  const { pieces, before, after } = segment;
  const count = hasAlias(pieces) ? pieces.length - 1 : pieces.length;
  const source = pieces.slice(0, count).map(sourceOf).join('');
  const text = writeSegment({ ...segment, pieces: pieces.slice(0, count) }, context);
  if (text === source || count < pieces.length) return text + pieces.slice(count).map(sourceOf).join('');
  const isWhole = [before, after].every((limit) => limit === undefined || OUTPUT_BOUNDARIES.has(limit));
  return isWhole && after !== 'AS' ? `${text} AS \`${source.trim().replaceAll('`', '``')}\`` : text;
}

const OUTPUT_BOUNDARIES = new Set(
  'SELECT DISTINCT ALL , AS FROM WHERE GROUP ORDER LIMIT HAVING WINDOW UNION INTERSECT EXCEPT'.split(' '),
);

/** Returns true if the last word of an output is an alias without AS. */
function hasAlias(pieces: readonly Piece[]): boolean {
  const [before, last] = pieces.slice(-2);
  if (before === undefined || last === undefined) return false;
  if (!['word', 'name', 'text'].includes(last.kind) || before.kind === 'sign') return false;
  return !BEFORE_OPERANDS.has(wordOf(before) ?? '');
}

const BEFORE_OPERANDS = new Set(['DIV', 'MOD', 'INTERVAL', 'DATE', 'TIME', 'TIMESTAMP', 'BINARY']);

function writeValue(pieces: readonly Piece[], { shows, isCalculated, isPlain = false }: Context): string {
  const hidden = isCalculated || hasOperator(pieces);
  const write = (plain: boolean) =>
    pieces.map((piece) => writePiece(piece, { shows: false, isCalculated: hidden, isPlain: plain })).join('');
  const text = write(isPlain);
  if (!shows) return text;
  const gap = pieces[0]?.gap ?? '';
  if (!isQuotient(pieces, hidden)) {
    return isNumericChoice(pieces) ? gap + writeAllDigits(requireCopyable(text.trim(), 'A choice')) : text;
  }
  const digits = text.includes(MORE_DIGITS)
    ? writeDigitCount(requireCopyable(write(true).trim(), 'An aggregate'))
    : ALL_DIGITS;
  return `${gap}ROUND(${text.trim()}, ${digits})`;
}

/**
 * Writes a number with all digits of its type. TRUNCATE does not change integers, and adds zeros to a DECIMAL with fewer digits than its
 * type. 0 is truncated to only 30 digits, because TRUNCATE of a DOUBLE 0 to 400 digits returns NaN.
 */
function writeAllDigits(number: string): string {
  return `TRUNCATE(${number}, IF((${number}) = 0, 30, 400) + 0 * RAND())`;
}

/**
 * Writes an expression for the number of fractional digits that a number displays. The comparison with 0.3 is true only
 * for a DECIMAL: with a DOUBLE, the sum is not exactly 0.3.
 */
function writeDigitCount(number: string): string {
  const fraction = `CHAR_LENGTH(SUBSTRING_INDEX(ROUND(${number}, ${ALL_DIGITS}), '.', -1))`;
  return `IF((${number}) * 0 + 0.1 + 0.2 = 0.3, ${fraction}, 400)`;
}

function writePiece(piece: Piece, context: Context): string {
  switch (piece.kind) {
    case 'parentheses':
      return `${piece.gap}(${writeList(piece.items, context)}${piece.close}`;
    case 'case':
      return `${piece.gap}${piece.open}${writeList(piece.items, keepsDigits(piece) ? context : SHOWN)}${piece.close}`;
    case 'call':
      return piece.gap + writeCall(piece, context);
    default:
      return sourceOf(piece);
  }
}

function writeCall(node: Call, context: Context): string {
  const name = node.name.toUpperCase();
  const write = (items: readonly Piece[], index: number) => writeList(items, contextOfArgument(node, index, context));
  const over = node.over.map((piece) => writePiece(piece, NOT_SHOWN)).join('');
  if (context.isCalculated && isAggregate(node)) {
    if (name === 'AVG' && !isQuotient(node.group.items, false)) {
      const argument = requireCopyable(write(node.group.items, 0), name);
      return `(SUM(${argument})${over} / COUNT(${argument})${over})`;
    }
    const isKept = context.isPlain || over !== '' || wordOf(node.group.items[0]) === 'DISTINCT';
    if (!isKept && isQuotient([node], true))
      return `${node.name}((${write(node.group.items, 0).trim()}) + ${MORE_DIGITS})`;
  }
  const rewritten = FUNCTIONS[name]?.(argumentsOf(node), (argument, index) => write(argument, index).trim());
  if (rewritten !== undefined) return rewritten + over;
  return `${node.name}${node.group.gap}(${writeList(node.group.items, (index) => contextOfArgument(node, index, context))}${node.group.close}${over}`;
}

function contextOfArgument(node: Call, index: number, context: Context): Context {
  const name = node.name.toUpperCase();
  const calculated: Context = { ...context, shows: false, isCalculated: true };
  if (name === 'CAST' || name === 'CONVERT') return isCastToText(node) ? SHOWN : calculated;
  if (CHOICES.has(name)) {
    if (name === 'IF' && index === 0) return NOT_SHOWN;
    return !keepsDigits(node) || (name === 'NULLIF' && index === 0) ? SHOWN : context;
  }
  if (isAggregate(node)) return wordOf(node.group.items[0]) === 'DISTINCT' ? SHOWN : NOT_SHOWN;
  return NUMERIC_FUNCTIONS.has(name) ? calculated : SHOWN;
}

function isCastToText({ group }: Call): boolean {
  const separator = group.items.findIndex(
    (piece) => wordOf(piece) === 'AS' || (piece.kind === 'sign' && piece.text === ','),
  );
  const type = group.items[separator + 1];
  return /^(CHAR|JSON|BINARY|NCHAR)$/i.test(type?.kind === 'call' ? type.name : (wordOf(type) ?? ''));
}

const CHOICES = new Set(['IF', 'IFNULL', 'COALESCE', 'NULLIF', 'GREATEST', 'LEAST']);
