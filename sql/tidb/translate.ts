import { UntranslatableSqlError } from '../untranslatable-sql-error.js';
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
 * The text of a SELECT in the dialect of MySQL as TiDB has to get it for the same answer; `:p1` stays. TiDB calculates quotients as MySQL
 * does, with more digits than they show, but also compares, orders and groups by the hidden ones. Throws `UntranslatableSqlError`.
 */
export function translateForTidb(sql: string): string {
  return writeList(readPieces(sql), NOT_SHOWN);
}

/** What becomes of a value. */
interface Context {
  /** The value counts with the digits that it shows. */
  readonly shows: boolean;
  /** Something is calculated with the value, so that hidden digits of an aggregate count. */
  readonly isCalculated: boolean;
  /** The aggregates are left as they are, for the number of their digits. */
  readonly isPlain?: boolean;
}

const NOT_SHOWN: Context = { shows: false, isCalculated: false };
const SHOWN: Context = { shows: true, isCalculated: false };

/**
 * Rounds a number to the digits of its type: TiDB rounds to no more than these where the second argument is no constant, and leaves a
 * DOUBLE as it is where it is this large.
 */
const ALL_DIGITS = '400 + 0 * RAND()';
/** Keeps the hidden digits of a quotient in an aggregate, which TiDB rounds to the digits of its type. A DOUBLE stays one. */
const MORE_DIGITS = `0.${'0'.repeat(27)}`;

/** The values of arguments, of a query or of a CASE; `place` is that of each which is not part of a condition. */
function writeList(items: readonly Piece[], place: Context | ((index: number) => Context)): string {
  const placeOf = (segment: Segment): Context => {
    if (isCompared(segment)) return SHOWN;
    if (isInCondition(segment)) return NOT_SHOWN;
    if (segment.clause !== 'list') return SHOWN;
    return typeof place === 'function' ? place(segment.index) : place;
  };
  const segments = segmentsOf(items);
  for (const [index, segment] of segments.entries()) rejectJsonAsText(segment, segments[index + 1]);
  return segments
    .map((segment) => {
      const write = segment.clause === 'select' ? writeOutput : writeSegment;
      return write(segment, placeOf(segment)) + (segment.end === undefined ? '' : sourceOf(segment.end));
    })
    .join('');
}

/** DuckDB and MariaDB compare the texts of both, MySQL and TiDB give 0. */
function rejectJsonAsText(left: Segment, right: Segment | undefined): void {
  if (right === undefined || !isCompared({ ...left, before: undefined })) return;
  if ((isJson(left) && isText(right)) || (isText(left) && isJson(right))) {
    throw new UntranslatableSqlError(
      'On TiDB a JSON value never equals a text. Compare JSON_VALUE(x, path) in place of JSON_EXTRACT(x, path).',
    );
  }
}

function isJson({ pieces: [only, second] }: Segment): boolean {
  return second === undefined && only?.kind === 'call' && only.name.toUpperCase() === 'JSON_EXTRACT';
}

function isText({ pieces: [only, second] }: Segment): boolean {
  return second === undefined && (only?.kind === 'text' || only?.kind === 'marker');
}

function writeSegment({ pieces, before }: Segment, place: Context): string {
  const isPattern = before === 'REGEXP' || before === 'RLIKE';
  return isPattern && isEmptyText(pieces) ? ` ${EMPTY_PATTERN}` : writeValue(pieces, place);
}

/** An output keeps the name that its text gives it. */
function writeOutput(segment: Segment, place: Context): string {
  const { pieces, before, after } = segment;
  const count = hasAlias(pieces) ? pieces.length - 1 : pieces.length;
  const source = pieces.slice(0, count).map(sourceOf).join('');
  const text = writeSegment({ ...segment, pieces: pieces.slice(0, count) }, place);
  if (text === source || count < pieces.length) return text + pieces.slice(count).map(sourceOf).join('');
  const isWhole = [before, after].every((limit) => limit === undefined || OUTPUT_BOUNDARIES.has(limit));
  return isWhole && after !== 'AS' ? `${text} AS \`${source.trim().replaceAll('`', '``')}\`` : text;
}

const OUTPUT_BOUNDARIES = new Set(
  'SELECT DISTINCT ALL , AS FROM WHERE GROUP ORDER LIMIT HAVING WINDOW UNION INTERSECT EXCEPT'.split(' '),
);

/** Whether the last word of an output names it without AS. */
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

/** TRUNCATE keeps whole numbers, and adds zeros to a DECIMAL that has fewer digits than its type. Of a DOUBLE of 0 and 400 it would make NaN. */
function writeAllDigits(number: string): string {
  return `TRUNCATE(${number}, IF((${number}) = 0, 30, 400) + 0 * RAND())`;
}

/** The number of digits that a number shows. Only of DECIMALs the sum is 0.3. */
function writeDigitCount(number: string): string {
  const fraction = `CHAR_LENGTH(SUBSTRING_INDEX(ROUND(${number}, ${ALL_DIGITS}), '.', -1))`;
  return `IF((${number}) * 0 + 0.1 + 0.2 = 0.3, ${fraction}, 400)`;
}

function writePiece(piece: Piece, place: Context): string {
  switch (piece.kind) {
    case 'parentheses':
      return `${piece.gap}(${writeList(piece.items, place)}${piece.close}`;
    case 'case':
      return `${piece.gap}${piece.open}${writeList(piece.items, keepsDigits(piece) ? place : SHOWN)}${piece.close}`;
    case 'call':
      return piece.gap + writeCall(piece, place);
    default:
      return sourceOf(piece);
  }
}

function writeCall(node: Call, place: Context): string {
  const name = node.name.toUpperCase();
  const write = (items: readonly Piece[], index: number) => writeList(items, contextOfArgument(node, index, place));
  const over = node.over.map((piece) => writePiece(piece, NOT_SHOWN)).join('');
  if (place.isCalculated && isAggregate(node)) {
    if (name === 'AVG' && !isQuotient(node.group.items, false)) {
      const argument = requireCopyable(write(node.group.items, 0), name);
      return `(SUM(${argument})${over} / COUNT(${argument})${over})`;
    }
    const isKept = place.isPlain || over !== '' || wordOf(node.group.items[0]) === 'DISTINCT';
    if (!isKept && isQuotient([node], true))
      return `${node.name}((${write(node.group.items, 0).trim()}) + ${MORE_DIGITS})`;
  }
  const rewritten = FUNCTIONS[name]?.(argumentsOf(node), (argument, index) => write(argument, index).trim());
  if (rewritten !== undefined) return rewritten + over;
  return `${node.name}${node.group.gap}(${writeList(node.group.items, (index) => contextOfArgument(node, index, place))}${node.group.close}${over}`;
}

function contextOfArgument(node: Call, index: number, place: Context): Context {
  const name = node.name.toUpperCase();
  const calculated: Context = { ...place, shows: false, isCalculated: true };
  if (name === 'CAST' || name === 'CONVERT') return isCastToText(node) ? SHOWN : calculated;
  if (CHOICES.has(name)) {
    if (name === 'IF' && index === 0) return NOT_SHOWN;
    return !keepsDigits(node) || (name === 'NULLIF' && index === 0) ? SHOWN : place;
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
