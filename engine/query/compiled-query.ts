import type { BoundValue } from '../interface/database.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import type { Output } from '../template/template-output.js';
import type { Piece, Variant, Variants } from '../template/template-variants.js';

/** A query for the database: SQL in the MySQL dialect with the markers `:p1…:pN`, and the value of each marker. */
export interface CompiledQuery {
  readonly sql: string;
  readonly values: readonly BoundValue[];
}

/**
 * Creates a query from values and a time. It is a pure function: equal arguments produce equal queries. The SQL text
 * depends only on enums, booleans and list lengths.
 */
export type QueryCompiler = (values: ParameterValues, now: Date) => CompiledQuery;

/** One SQL text that a template can produce, with the choices that select this text. */
export interface QueryText {
  readonly choices: Variant['choices'];
  readonly sql: string;
}

/** A clause that is added at the end of a statement, such as a row limit. */
export interface Ending {
  /** The clause for a variant; `markers` is the number of markers before it. */
  clause(variant: Variant, markers: number): string;
  /** The values of the markers in the clause. */
  values(values: ParameterValues): readonly BoundValue[];
}

export const NO_ENDING: Ending = { clause: () => '', values: () => [] };

/** Returns the number of values of a list; 1 for a single value. */
export type LengthOf = (output: Output) => number;

/**
 * The number of texts that each variant caches for list lengths other than one and the maximum. These texts are written
 * on demand.
 */
const MAX_REMEMBERED = 100;

/**
 * Creates the function from values to a query. Enums and booleans select one of the prepared texts. List lengths determine the
 * number of markers. Every value is a bound parameter.
 */
export function createCompiler(variants: Variants, ending: Ending): QueryCompiler {
  const statements = new Map(variants.all.map((variant) => [variant, statementsOf(variant, ending)]));
  return (values, now) => {
    const statementFor = statements.get(variants.select(values));
    if (statementFor === undefined) throw new RangeError('the variant has no statement');
    const { sql, outputs } = statementFor(values);
    return { sql, values: [...boundValues(outputs, values, sqlTime(now)), ...ending.values(values)] };
  };
}

/**
 * Writes every text that is known when the definition is loaded: each variant with lists of one value, and with lists
 * of the maximum length.
 */
export function writeQueryTexts(variants: Variants, ending: Ending): QueryText[] {
  return variants.all.flatMap((variant) => {
    const lengths: LengthOf[] = [() => 1];
    if (listsOf(variant).some(({ maxItems }) => maxItems !== 1)) lengths.push(({ maxItems }) => maxItems ?? 1);
    return lengths.map((lengthOf) => ({
      choices: variant.choices,
      sql: writeStatement(variant, lengthOf, ending).sql,
    }));
  });
}

/** Formats a time for SQL: `YYYY-MM-DD HH:MM:SS` in UTC. */
export function sqlTime(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

/** SQL with `:p1…:pN`, and the outputs of the markers in their order. */
interface Statement {
  readonly sql: string;
  readonly outputs: readonly Output[];
}

/** Returns the function that selects the statement of a variant: a fixed one, or one per combination of list lengths. */
function statementsOf(variant: Variant, ending: Ending): (values: ParameterValues) => Statement {
  const lists = listsOf(variant);
  if (lists.length === 0) {
    const statement = writeStatement(variant, () => 1, ending);
    return () => statement;
  }
  const remembered = new Map<string, Statement>();
  return (values) => {
    const lengthOf: LengthOf = ({ parameter, maxItems }) => {
      const value = maxItems === undefined ? undefined : values[parameter];
      return Array.isArray(value) ? value.length : 1;
    };
    const key = lists.map(lengthOf).join(' ');
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const statement = writeStatement(variant, lengthOf, ending);
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    remembered.set(key, statement);
    return statement;
  };
}

function listsOf(variant: Variant): Output[] {
  return variant.pieces.flatMap((piece) =>
    'output' in piece && piece.output.maxItems !== undefined ? [piece.output] : [],
  );
}

function writeStatement(variant: Variant, lengthOf: LengthOf, ending: Ending): Statement {
  const { sql, outputs } = writePieces(variant.pieces, lengthOf);
  const markers = outputs.reduce((count, output) => count + lengthOf(output), 0);
  return { sql: sql + ending.clause(variant, markers), outputs };
}

/** Writes markers for values. Equal outputs share their markers, because `GROUP BY` requires equal expressions. */
function writePieces(pieces: readonly Piece[], lengthOf: LengthOf): Statement {
  const outputs = new Map<string, { output: Output; markers: string }>();
  let count = 0;
  const texts = pieces.map((piece) => {
    if ('text' in piece) return piece.text;
    const { output } = piece;
    const known = outputs.get(output.key);
    if (known !== undefined) return known.markers;
    const length = lengthOf(output);
    const markers = Array.from({ length }, (_, index) => typedMarker(count + index + 1, output)).join(', ');
    count += length;
    outputs.set(output.key, { output, markers });
    return markers;
  });
  return { sql: withoutSemicolon(texts.join('')), outputs: [...outputs.values()].map(({ output }) => output) };
}

/**
 * Writes a marker. The values `now` and `today` are bound as text and need a cast, because databases cannot always
 * infer their type.
 */
function typedMarker(number: number, { sqlType }: Output): string {
  return sqlType === undefined ? `:p${number}` : `CAST(:p${number} AS ${sqlType})`;
}

function boundValues(outputs: readonly Output[], values: ParameterValues, now: string): BoundValue[] {
  const bound: BoundValue[] = [];
  for (const output of outputs) {
    const value = output.read(values, now);
    if (typeof value === 'object' && value !== null) bound.push(...value);
    else bound.push(value);
  }
  return bound;
}

/** Removes a semicolon at the end of a statement, because LIMIT cannot follow it. */
function withoutSemicolon(sql: string): string {
  return sql.trim().replace(/;$/, '').trimEnd();
}
