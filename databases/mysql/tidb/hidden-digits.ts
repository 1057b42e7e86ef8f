import { type Call, type Case, type Piece, wordOf } from './pieces.js';
import { isCompared, isInCondition, type Segment, segmentsOf } from './segments.js';

/**
 * Whether a value may have more digits than it shows: it is a quotient, or calculated from one. `isCalculated` says that something is
 * calculated with the value, so that an AVG becomes a quotient.
 */
export function isQuotient(pieces: readonly Piece[], isCalculated: boolean): boolean {
  if (pieces.some((piece) => wordOf(piece) === 'INTERVAL')) return false;
  return pieces.some((piece) => (piece.kind === 'sign' && piece.text === '/') || hasDigits(piece, isCalculated));
}

/** Whether a choice, such as IF or CASE, is a number; with a text among its values it shows the digits of each. */
export function keepsDigits(choice: Call | Case): boolean {
  return !branchesOf(choice).some(({ pieces: [first, second] }) => second === undefined && first?.kind === 'text');
}

/** Whether the call gives a value of many rows that has the digits of its argument. */
export function isAggregate({ name }: Call): boolean {
  return AGGREGATES.has(name.toUpperCase());
}

const AGGREGATES = new Set(['SUM', 'AVG', 'MIN', 'MAX', 'ANY_VALUE']);

/** The text of a piece as it was. */
export function sourceOf(piece: Piece): string {
  if (piece.kind === 'call')
    return `${piece.gap}${piece.name}${sourceOf(piece.group)}${piece.over.map(sourceOf).join('')}`;
  if (piece.kind !== 'parentheses' && piece.kind !== 'case') return piece.gap + piece.text;
  return `${piece.gap}${piece.open}${piece.items.map(sourceOf).join('')}${piece.close}`;
}

function hasDigits(piece: Piece, isCalculated: boolean): boolean {
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

/** The values of which a choice gives one; of other calls none. */
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
