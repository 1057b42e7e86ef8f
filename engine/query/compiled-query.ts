import type { BoundValue } from '../interface/database.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import type { Output } from '../template/template-output.js';
import type { Variant, Variants } from '../template/template-variants.js';
import { bindValues, type LengthOf, type Statement, writeStatement } from './statement.js';

/** What the database is asked: SQL in the MySQL dialect with `:p1…:pN`, and the value of each marker. */
export interface CompiledQuery {
  readonly sql: string;
  readonly values: readonly BoundValue[];
}

export type QueryCompiler = (values: ParameterValues, now: string) => CompiledQuery;

/** A text that a template can come to, with choices that lead to it. */
export interface QueryText {
  readonly choices: Variant['choices'];
  readonly sql: string;
}

/** Ends a statement with its row limit; `markers` is the number of markers before it. */
export type Ending = (variant: Variant, markers: number) => string;

/** Texts with arrays of other lengths than one and the most are made when asked for, and the latest are kept. */
const MAX_REMEMBERED = 100;

/**
 * Makes the function from values to a query. It is pure: enums and booleans choose among texts made beforehand, arrays
 * decide the number of markers, and every value is bound.
 */
export function createCompiler(variants: Variants, ending: Ending): QueryCompiler {
  const statements = new Map(variants.all.map((variant) => [variant, statementsOf(variant, ending)]));
  return (values, now) => {
    const statementFor = statements.get(variants.select(values));
    if (statementFor === undefined) throw new RangeError('a variant without a statement');
    const statement = statementFor(values);
    return { sql: statement.sql, values: bindValues(statement, values, now) };
  };
}

/** Every text that is known beforehand: arrays with one value, and with the most. */
export function queryTexts(variants: Variants, ending: Ending): QueryText[] {
  return variants.all.flatMap((variant) => {
    const lengths: LengthOf[] = [() => 1];
    if (arraysOf(variant).some(({ maxItems }) => maxItems !== 1)) lengths.push(({ maxItems }) => maxItems ?? 1);
    return lengths.map((lengthOf) => ({ choices: variant.choices, sql: endStatement(variant, lengthOf, ending).sql }));
  });
}

/** The statement of a variant: always the same one, or one for each combination of lengths of its arrays. */
function statementsOf(variant: Variant, ending: Ending): (values: ParameterValues) => Statement {
  const arrays = arraysOf(variant);
  if (arrays.length === 0) {
    const statement = endStatement(variant, () => 1, ending);
    return () => statement;
  }
  const remembered = new Map<string, Statement>();
  return (values) => {
    const lengthOf: LengthOf = ({ parameter, maxItems }) => {
      const value = maxItems === undefined ? undefined : values[parameter];
      return Array.isArray(value) ? value.length : 1;
    };
    const key = arrays.map(lengthOf).join(' ');
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const statement = endStatement(variant, lengthOf, ending);
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    remembered.set(key, statement);
    return statement;
  };
}

function arraysOf(variant: Variant): Output[] {
  return variant.pieces.flatMap((piece) =>
    'output' in piece && piece.output.maxItems !== undefined ? [piece.output] : [],
  );
}

function endStatement(variant: Variant, lengthOf: LengthOf, ending: Ending): Statement {
  const { sql, outputs } = writeStatement(variant.pieces, lengthOf);
  const markers = outputs.reduce((count, output) => count + lengthOf(output), 0);
  return { sql: sql + ending(variant, markers), outputs };
}
