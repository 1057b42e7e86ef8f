import { addNames } from '../outline/unnamed-columns.js';
import { findGrowingTexts, withClausesIn } from '../reading/growing-texts.js';
import { readStatement } from '../reading/statement.js';
import { nodeOf } from '../reading/tree.js';
import { UntranslatableSqlError } from '../reading/untranslatable-sql-error.js';
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
  rejectTruncatedTexts(sql);
  return writeList(readPieces(addNames(sql, () => true)), NOT_SHOWN);
}

/** Rejects a text of WITH RECURSIVE that starts with a column and grows, because TiDB truncates it to the length of the column. */
function rejectTruncatedTexts(sql: string): void {
  if (!/\brecursive\b/i.test(sql)) return;
  const reading = readStatement(sql);
  if ('message' in reading) return;
  const [message] = withClausesIn(reading.tree).flatMap((clause) =>
    findGrowingTexts(clause, (first) => nodeOf(first).kind === 'column'),
  );
  if (message !== undefined) throw new UntranslatableSqlError(`On TiDB ${message}.`);
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

/** Writes an output column, which can have an alias without AS. */
function writeOutput(segment: Segment, context: Context): string {
  const { pieces } = segment;
  const count = hasAlias(pieces) ? pieces.length - 1 : pieces.length;
  const alias = pieces.slice(count).map(sourceOf).join('');
  return writeSegment({ ...segment, pieces: pieces.slice(0, count) }, context) + alias;
}

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

/** Returns the arguments of a call. */
function argumentsOf({ group }: Call): readonly (readonly Piece[])[] {
  const list: Piece[][] = [[]];
  for (const piece of group.items) {
    if (piece.kind === 'sign' && piece.text === ',') list.push([]);
    else list.at(-1)?.push(piece);
  }
  return list;
}

type Arguments = readonly (readonly Piece[])[];
type Write = (argument: readonly Piece[], index: number) => string;

/**
 * Rewrites of functions that TiDB does not have or evaluates differently from MySQL. A rewrite returns undefined if the
 * call can stay unchanged.
 */
const FUNCTIONS: Readonly<Record<string, (args: Arguments, write: Write) => string | undefined>> = {
  ROUND: writeRound,
  JSON_VALUE: writeJsonValue,
  LPAD: (args, write) => writePadding('LPAD', args, write),
  RPAD: (args, write) => writePadding('RPAD', args, write),
  TIMESTAMPADD: writeDateAdd,
  DATE_FORMAT: (args, write) =>
    isEmptyText(args[1]) ? `NULLIF(DATE_FORMAT(${args.map(write).join(', ')}), '')` : undefined,
  STR_TO_DATE: (args) => {
    const [format] = args[1] ?? [];
    if (format?.kind !== 'text')
      throw createNullError('STR_TO_DATE with a format that is not a literal', 'Write the format as a literal.');
    const code = /%[^YymcdeHkhlIisSfTrpMb%]/.exec(format.text.replaceAll('%%', ''));
    if (code !== null)
      throw createNullError(`STR_TO_DATE with the code ${code[0]}`, 'Use %Y, %m, %d and the codes of times.');
    return undefined;
  },
  REGEXP_LIKE: (args, write) => writeRegexp('REGEXP_LIKE', args, write),
  REGEXP_REPLACE: (args, write) => writeRegexp('REGEXP_REPLACE', args, write),
  REGEXP_SUBSTR: (args, write) => writeRegexp('REGEXP_SUBSTR', args, write),
};

/** A pattern that matches the empty text. It replaces an empty pattern, which TiDB rejects. */
const EMPTY_PATTERN = "'(?:)'";

/** Returns true if the argument is an empty text literal. */
function isEmptyText(argument: readonly Piece[] | undefined): boolean {
  const [only, second] = argument ?? [];
  return second === undefined && only?.kind === 'text' && only.text.length === 2;
}

function writeRegexp(name: string, args: Arguments, write: Write): string | undefined {
  if (!isEmptyText(args[1])) return undefined;
  return `${name}(${args.map((arg, index) => (index === 1 ? EMPTY_PATTERN : write(arg, index))).join(', ')})`;
}

/**
 * Rewrites ROUND. TiDB rounds an integer as a DOUBLE: halves are rounded to the even digit, and large numbers become
 * wrong. TiDB rounds a DECIMAL and a DOUBLE like MySQL. In the rewritten text, an integer stays an integer, because all
 * arguments of IF have the type of `x`.
 */
function writeRound(args: Arguments, write: Write): string | undefined {
  const [number, places = []] = args;
  if (number === undefined || args.length !== 2 || isQuotient(number, true)) return undefined;
  const digits = Number(places.map((piece) => ('text' in piece ? piece.text : '?')).join(''));
  if (!Number.isInteger(digits) || places.length === 0) return undefined;
  const x = requireCopyable(write(number, 0), 'ROUND');
  if (digits >= 0) return `IF((${x}) = TRUNCATE(${x}, 0), TRUNCATE(${x}, ${digits}), ROUND(${x}, ${digits}))`;
  const half = `SIGN(${x}) * 5${'0'.repeat(-digits - 1)}`;
  // This comparison is true only for DECIMALs and integers: with a DOUBLE, the sum is not exactly 0.3.
  return `IF((${x}) * 0 + 0.1 + 0.2 = 0.3, TRUNCATE((${x}) + ${half}, ${digits}), ROUND(${x}, ${digits}))`;
}

function writeJsonValue(args: Arguments, write: Write): string {
  const found = `JSON_EXTRACT(${args.map(write).join(', ')})`;
  return `IF(JSON_TYPE(${found}) = 'NULL', NULL, CAST(JSON_UNQUOTE(${found}) AS CHAR))`;
}

/**
 * Rewrites LPAD and RPAD. For a negative length, MySQL and TiDB return NULL, but TiDB also adds a warning that the text
 * is too long.
 */
function writePadding(name: string, args: Arguments, write: Write): string | undefined {
  const [first, second] = args[1] ?? [];
  if (args.length !== 3 || (first?.kind === 'number' && second === undefined)) return undefined;
  const [text, length, by] = args.map(write);
  return `${name}(${text}, NULLIF(GREATEST(${length}, -1), -1), ${by})`;
}

/** Rewrites TIMESTAMPADD, which on TiDB adds 366 days for a year to 29 February, and returns a DATETIME where MySQL returns a DATE. */
function writeDateAdd(args: Arguments, write: Write): string | undefined {
  const [unit, count, from] = args.map(write);
  if (unit === undefined || count === undefined || from === undefined) return undefined;
  return `DATE_ADD(${from}, INTERVAL (${count}) ${unit.replace(/^SQL_TSI_/i, '')})`;
}

/**
 * Returns the text unchanged, but rejects a long text. The rewritten SQL contains the text more than once, and nested
 * calls would multiply it.
 */
function requireCopyable(text: string, name: string): string {
  if (text.length <= MAX_COPIED) return text;
  throw new UntranslatableSqlError(
    `${name} of such a long expression cannot be translated for TiDB. Name the expression in a derived table.`,
  );
}

const MAX_COPIED = 2_000;

function createNullError(construct: string, hint: string): UntranslatableSqlError {
  return new UntranslatableSqlError(`${construct} returns NULL on TiDB. ${hint}`);
}
