import { type DataType, INTEGERS } from '../../databases/interface/data-types.js';
import type { BoundValue, ResultSet } from '../../databases/interface/database.js';
import { NOT_CODE } from '../../sql/reading/lexemes.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import type { Output } from '../template/template-output.js';
import { keyOfPieces, type Piece, type Variant, type Variants } from '../template/template-variants.js';

/** A lookup: the SELECT inside a `{% once %}` tag, which is evaluated once per request. Equal SELECTs of a query are one lookup. */
export interface Lookup {
  /** The name of the looked-up value. No parameter can have this name. */
  readonly name: string;
  readonly variant: Variant;
}

/** The lookups of a query. */
export interface Lookups {
  /** The variants of the query in which a bound value replaces each lookup. */
  readonly variants: Variants;
  /** All lookups, with the offset of the first `{% once %}` of each. */
  readonly all: ReadonlyMap<Lookup, number>;
  /** The offsets of `{% once %}` tags that are misplaced: a bound value could have another meaning there than its SELECT. */
  readonly misplaced: ReadonlySet<number>;
  /** Returns the lookups whose values the query needs. */
  select(values: ParameterValues): readonly Lookup[];
}

/** Finds the lookups of a query; undefined if it has none. */
export function findLookups(variants: Variants): Lookups | undefined {
  const found: Found = { byKey: new Map(), misplaced: new Set() };
  const replaced = new Map(variants.all.map((variant) => [variant, replace(variant, found)]));
  if (found.byKey.size === 0) return undefined;
  const of = (values: ParameterValues) => replaced.get(variants.select(values));
  return {
    variants: {
      all: [...replaced.values()].map(({ variant }) => variant),
      select: (values) => of(values)?.variant ?? variants.select(values),
      problems: [],
    },
    all: new Map([...found.byKey.values()].map(({ lookup, at }) => [lookup, at])),
    misplaced: found.misplaced,
    select: (values) => of(values)?.lookups ?? [],
  };
}

interface Found {
  /** The lookups by the key of their pieces, with the offset of the first `{% once %}` of each. */
  readonly byKey: Map<string, { readonly lookup: Lookup; readonly at: number }>;
  readonly misplaced: Set<number>;
}

/** Replaces the pieces of each `{% once %}` by a value, and adds the lookups to `byKey` and `misplaced`. */
function replace({ choices, pieces }: Variant, { byKey, misplaced }: Found) {
  const lookups = new Set<Lookup>();
  const written: Piece[] = [];
  for (let index = 0; index < pieces.length; ) {
    const piece = pieces[index] as Piece;
    const { once } = piece;
    if (once === undefined) {
      written.push(piece);
      index += 1;
      continue;
    }
    const end = pieces.findIndex((other, place) => place > index && other.once !== once);
    const next = end === -1 ? pieces.length : end;
    const inner = withoutIndentation(pieces.slice(index, next));
    const key = keyOfPieces(inner);
    const lookup = byKey.get(key)?.lookup ?? { name: `once ${byKey.size}`, variant: { choices: {}, pieces: inner } };
    if (!byKey.has(key)) byKey.set(key, { lookup, at: once });
    lookups.add(lookup);
    if (!isValue(pieces.slice(0, index), pieces[next])) misplaced.add(once);
    written.push({ output: outputOf(lookup.name), at: once });
    index = next;
  }
  return { variant: { choices, pieces: written }, lookups: [...lookups] };
}

/** Removes the indentation, which depends on the position of a `{% use %}`: equal SELECTs then have equal texts. Quoted texts stay. */
function withoutIndentation(pieces: readonly Piece[]): Piece[] {
  // A tag can split a quoted text, so all pieces are read as one text. Removed characters become NUL first, so that offsets stay valid.
  const text = textOf(pieces).replace(INDENTATION, (part, quoted) => quoted ?? `\n${'\0'.repeat(part.length - 1)}`);
  let end = 0;
  return pieces.map((piece) => {
    const start = end;
    end += 'text' in piece ? piece.text.length : 1;
    return 'text' in piece ? { ...piece, text: text.slice(start, end).replaceAll('\0', '') } : piece;
  });
}

/** Returns the text of pieces, with `?` for each value. */
function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : '?')).join('');
}

const INDENTATION = new RegExp(`(${NOT_CODE})|\\n[ \\t]+`, 'gs');

/**
 * Whether a SELECT between these pieces can only be one value: alone in parentheses, after `=`, or as an item of a
 * select list or of CAST. After IN, ANY or EXISTS, a SELECT without a row means something else than NULL.
 */
function isValue(before: readonly Piece[], next: Piece | undefined): boolean {
  const last = before.at(-1);
  const text = textOf(before);
  const after = next !== undefined && 'text' in next ? next.text : '';
  return (
    last !== undefined && 'text' in last && /(?:=|\bSELECT|\bCAST\s*\()\s*\(\s*$/i.test(text) && /^\s*\)/.test(after)
  );
}

function outputOf(name: string): Output {
  const read = (values: ParameterValues): BoundValue => values[name] as BoundValue;
  const none = { constant: undefined, maxItems: undefined, sqlType: undefined, clock: undefined };
  return { key: name, name, parameter: name, ...none, read };
}

/**
 * Returns the value of a lookup; null if there is no row. Returns undefined if the database must evaluate the SELECT
 * itself: several rows or columns are an error, and types other than whole numbers have special rules for comparisons.
 */
export function lookedUpValue({ columns: [column, ...others], rows, more }: ResultSet): number | null | undefined {
  if (rows.length > 1 || more || others.length > 0 || !INTEGERS.has(column?.type as DataType)) return undefined;
  const cell = rows[0]?.[0] ?? null;
  return cell === null || Number.isSafeInteger(cell) ? (cell as number | null) : undefined;
}
