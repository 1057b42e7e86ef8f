import { type Piece, wordOf } from './pieces.js';

/**
 * A value, and the words or signs on both sides of the value. The value contains only operators that bind at least as
 * tightly as `+`.
 */
export interface Segment {
  readonly pieces: readonly Piece[];
  /** The word, in capital letters, or the sign before the value; undefined at the start of the list. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The number of commas before the value in its clause. */
  readonly index: number;
  readonly clause: Clause;
  /** The piece that ends the value, such as a comma. */
  readonly end: Piece | undefined;
}

/** `select` is the select list, `key` the keys of GROUP BY, ORDER BY and PARTITION BY, `list` everything else. */
export type Clause = 'select' | 'key' | 'list';

/** Splits a list of arguments, a query or a CASE into its values, in order. */
export function segmentsOf(items: readonly Piece[]): readonly Segment[] {
  const segments: Segment[] = [];
  let [clause, index, before]: [Clause, number, string | undefined] = ['list', 0, undefined];
  let pieces: Piece[] = [];
  const finish = (end: Piece | undefined, after: string | undefined) => {
    segments.push({ pieces, before, after, index, clause, end });
    pieces = [];
  };
  for (const [position, piece] of items.entries()) {
    const limit = boundaryOf(piece, items[position - 1]);
    if (limit === undefined) {
      pieces.push(piece);
      continue;
    }
    finish(piece, limit);
    before = limit;
    const next = CLAUSES[limit];
    if (next !== undefined) [clause, index] = [next, 0];
    if (limit === ',') index++;
  }
  finish(undefined, undefined);
  return segments;
}

/**
 * Returns true if the value is compared, for example with `=` or LIKE. Operands of IN, and values that are only tested
 * for truth, are excluded.
 */
export function isCompared({ before, after }: Segment): boolean {
  return COMPARISONS.has(before ?? '') || COMPARISONS.has(after ?? '');
}

/** Returns true if the value is part of a condition. */
export function isInCondition({ before, after }: Segment): boolean {
  return CONDITIONS.has(before ?? '') || CONDITIONS.has(after ?? '');
}

const COMPARISONS = new Set(['=', '<=>', '<', '>', '<=', '>=', '<>', '!=', 'LIKE', 'RLIKE', 'REGEXP']);
const CONDITIONS = new Set(['AND', 'OR', 'XOR', 'NOT', 'IN', 'IS', 'BETWEEN', 'EXISTS', 'WHEN', '&&', '||', '!']);

/**
 * Words that start a clause, with the kind of the clause. Values in a `list` clause need not be rounded to the displayed digits.
 */
const CLAUSES: Readonly<Record<string, Clause>> = {
  SELECT: 'select',
  BY: 'key',
  ...Object.fromEntries(
    'FROM WHERE HAVING ON USING WINDOW LIMIT OFFSET UNION INTERSECT EXCEPT VALUES SEPARATOR ROWS RANGE'
      .split(' ')
      .map((word) => [word, 'list' as const]),
  ),
};

const BOUNDARIES = new Set([
  ...COMPARISONS,
  ...CONDITIONS,
  ...Object.keys(CLAUSES),
  ...`, DISTINCT ALL JOIN INNER CROSS NATURAL STRAIGHT_JOIN LEFT RIGHT OUTER GROUP ORDER PARTITION WITH RECURSIVE AS ANY SOME
    THEN ELSE ESCAPE ASC DESC LATERAL`.split(/\s+/),
]);

function boundaryOf(piece: Piece, before: Piece | undefined): string | undefined {
  const text = wordOf(piece) ?? (piece.kind === 'sign' ? piece.text : undefined);
  const isColumn = before?.kind === 'sign' && before.text === '.';
  return text !== undefined && BOUNDARIES.has(text) && !isColumn ? text : undefined;
}
