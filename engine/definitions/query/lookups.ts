import type { BoundValue, ResultSet } from '../../databases/interface/database.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import type { Output } from '../template/template-output.js';
import { keyOfPieces, type Piece, type Variant, type Variants } from '../template/template-variants.js';

/** The SELECT inside of `{% once %}`. Equal SELECTs of a query are one lookup. */
export interface Lookup {
  /** The name of its value. No parameter can have this name. */
  readonly name: string;
  readonly variant: Variant;
}

/** The lookups of a query. */
export interface Lookups {
  /** The variants of the query with a value instead of each lookup. */
  readonly variants: Variants;
  /** All lookups, with the offset of the first `{% once %}` of each. */
  readonly all: ReadonlyMap<Lookup, number>;
  /** Returns the lookups whose values the query needs. */
  select(values: ParameterValues): readonly Lookup[];
}

/** Finds the lookups of a query; undefined if it has none. */
export function findLookups(variants: Variants): Lookups | undefined {
  const known = new Map<string, Lookup>();
  const all = new Map<Lookup, number>();
  const replaced = new Map(variants.all.map((variant) => [variant, replace(variant, known, all)]));
  if (known.size === 0) return undefined;
  const of = (values: ParameterValues) => replaced.get(variants.select(values));
  return {
    variants: {
      all: [...replaced.values()].map(({ variant }) => variant),
      select: (values) => of(values)?.variant ?? variants.select(values),
      problems: [],
    },
    all,
    select: (values) => of(values)?.lookups ?? [],
  };
}

/** Replaces the pieces of each `{% once %}` by a value. */
function replace({ choices, pieces }: Variant, known: Map<string, Lookup>, all: Map<Lookup, number>) {
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
    const inner = pieces.slice(index, end === -1 ? pieces.length : end);
    index += inner.length;
    const key = keyOfPieces(inner);
    const lookup = known.get(key) ?? { name: `once ${known.size}`, variant: { choices: {}, pieces: inner } };
    known.set(key, lookup);
    if (!all.has(lookup)) all.set(lookup, once);
    lookups.add(lookup);
    written.push({ output: outputOf(lookup.name), at: once });
  }
  return { variant: { choices, pieces: written }, lookups: [...lookups] };
}

function outputOf(name: string): Output {
  const read = (values: ParameterValues): BoundValue => values[name] as BoundValue;
  return { key: name, parameter: name, maxItems: undefined, sqlType: undefined, clock: undefined, read };
}

/**
 * Returns the value of a lookup: null without a row. Undefined if the database must evaluate the SELECT itself: several rows are an
 * error, and other types than whole numbers are compared by their own rules.
 */
export function lookedUpValue({ rows, more }: ResultSet): number | null | undefined {
  if (rows.length > 1 || more) return undefined;
  const cell = rows[0]?.[0] ?? null;
  return cell === null || Number.isSafeInteger(cell) ? (cell as number | null) : undefined;
}
