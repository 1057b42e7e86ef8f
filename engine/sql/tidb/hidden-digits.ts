import { type Call, type Case, type Piece, wordOf } from './pieces.js';
import { isCompared, isInCondition, type Segment, segmentsOf } from './segments.js';

/**
 * Returns true if the database may calculate with more digits of a value than it displays, as for quotients and values
 * that are calculated from quotients. `isCalculated` means that the value is an operand of a calculation; an AVG then
 * also counts as a quotient.
 */
export function isQuotient(pieces: readonly Piece[], isCalculated: boolean): boolean {
  if (pieces.some((piece) => wordOf(piece) === 'INTERVAL')) return false;
  return pieces.some((piece) => (piece.kind === 'sign' && piece.text === '/') || hasHiddenDigits(piece, isCalculated));
}

/**
 * Returns true if the result of a choice such as IF or CASE keeps its hidden digits. If one of its values is a text
 * literal, the result is a text that contains only the displayed digits.
 */
export function keepsDigits(choice: Call | Case): boolean {
  return !branchesOf(choice).some(({ pieces: [first, second] }) => second === undefined && first?.kind === 'text');
}

/** Returns true for an aggregate whose value has the digits of its argument. */
export function isAggregate({ name }: Call): boolean {
  return AGGREGATES.has(name.toUpperCase());
}

const AGGREGATES = new Set(['SUM', 'AVG', 'MIN', 'MAX', 'ANY_VALUE']);

/** Returns true if the pieces contain an arithmetic operator. */
export function hasOperator(pieces: readonly Piece[]): boolean {
  if (pieces.length === 1) return false;
  return pieces.some((piece, index) =>
    piece.kind === 'sign' ? /^[-+*/%]$/.test(piece.text) : index > 0 && ['DIV', 'MOD'].includes(wordOf(piece) ?? ''),
  );
}

/**
 * Returns true if the value contains a choice between numbers. TiDB displays such a choice with the digits of the chosen number, not with
 * the digits of its type. A column does not count as a number, because its type is unknown here.
 */
export function isNumericChoice(pieces: readonly Piece[]): boolean {
  return isNumber(pieces) && pieces.some(hasChoice);
}

function isNumber(pieces: readonly Piece[]): boolean {
  if (pieces.some((piece) => wordOf(piece) === 'INTERVAL')) return false;
  const [only] = pieces;
  if (only === undefined || hasOperator(pieces)) return only !== undefined;
  if (pieces.length > 1) return false;
  if (only.kind === 'parentheses') return segmentsOf(only.items).every((segment) => isNumber(segment.pieces));
  if (only.kind === 'number' || wordOf(only) === 'NULL') return true;
  if (only.kind !== 'call' && only.kind !== 'case') return false;
  if (only.kind === 'call' && (NUMERIC_FUNCTIONS.has(only.name.toUpperCase()) || SUMS.has(only.name.toUpperCase())))
    return true;
  const branches = branchesOf(only);
  return branches.length > 0 && branches.every((branch) => isNumber(branch.pieces));
}

function hasChoice(piece: Piece): boolean {
  if (piece.kind === 'parentheses') return segmentsOf(piece.items).some((segment) => segment.pieces.some(hasChoice));
  return (piece.kind === 'call' || piece.kind === 'case') && branchesOf(piece).length > 1;
}

const SUMS = new Set(['SUM', 'AVG', 'COUNT']);

/** Functions that calculate with the hidden digits of their arguments. FIELD compares them. */
export const NUMERIC_FUNCTIONS = new Set(
  `ABS SIGN CEIL CEILING FLOOR ROUND TRUNCATE MOD POW POWER SQRT EXP LN LOG LOG2 LOG10 SIN COS TAN ATAN RADIANS DEGREES
  STD STDDEV STDDEV_POP STDDEV_SAMP VARIANCE VAR_POP VAR_SAMP FIELD FORMAT`.split(/\s+/),
);

/** Returns the original text of a piece. */
export function sourceOf(piece: Piece): string {
  if (piece.kind === 'call')
    return `${piece.gap}${piece.name}${sourceOf(piece.group)}${piece.over.map(sourceOf).join('')}`;
  if (piece.kind !== 'parentheses' && piece.kind !== 'case') return piece.gap + piece.text;
  return `${piece.gap}${piece.open}${piece.items.map(sourceOf).join('')}${piece.close}`;
}

function hasHiddenDigits(piece: Piece, isCalculated: boolean): boolean {
  const anyOf = (segments: readonly Segment[], calculated = isCalculated) =>
    segments.some(({ pieces }) => isQuotient(pieces, calculated));
  if (piece.kind === 'parentheses') {
    const segments = segmentsOf(piece.items);
    return segments.length === 1 && anyOf(segments);
  }
  if (piece.kind === 'case') return keepsDigits(piece) && anyOf(branchesOf(piece));
  if (piece.kind !== 'call') return false;
  const name = piece.name.toUpperCase();
  if (isAggregate(piece)) {
    const isOfQuotients = anyOf(segmentsOf(piece.group.items), false);
    return piece.over.length > 0 && isOfQuotients ? true : isCalculated && (name === 'AVG' || isOfQuotients);
  }
  if (name === 'ABS' || name === 'MOD') return anyOf(segmentsOf(piece.group.items), true);
  return keepsDigits(piece) && anyOf(branchesOf(piece));
}

/** Returns the values among which a choice selects. Empty for other calls. */
function branchesOf(choice: Call | Case): readonly Segment[] {
  if (choice.kind === 'case') {
    return segmentsOf(choice.items).filter(({ before }) => before === 'THEN' || before === 'ELSE');
  }
  const values = segmentsOf(choice.group.items).filter((segment) => !isCompared(segment) && !isInCondition(segment));
  switch (choice.name.toUpperCase()) {
    case 'IF':
      return values.filter(({ index }) => index > 0);
    case 'NULLIF':
      return values.filter(({ index }) => index === 0);
    case 'IFNULL':
    case 'COALESCE':
    case 'GREATEST':
    case 'LEAST':
      return values;
    default:
      return [];
  }
}
