import type { BoundValue } from '../../databases/interface/database.js';
import type { OrderFault } from '../../sql/paging/page-order.js';
import type { PageQuery } from '../../sql/paging/page-query.js';
import { writeCount } from '../../sql/paging/write-count.js';
import type { RowFilters } from '../access/row-filters.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import type { Output } from '../template/template-output.js';
import type { Piece, Variant, Variants } from '../template/template-variants.js';
import type { PagePosition } from './page-position.js';

/** A query for the database: SQL in the MySQL dialect with the placeholders `:p1…:pN`, and their values. */
export interface CompiledQuery {
  readonly sql: string;
  readonly values: readonly BoundValue[];
}

/**
 * Creates a query from values and a time. It is a pure function: equal arguments produce equal queries. The SQL text depends only on enums,
 * booleans and list lengths; with `after`, it also depends on the types of the values of the position.
 */
export type QueryCompiler = (values: ParameterValues, now: Date, after?: PagePosition) => CompiledQuery;

/** One SQL text that a template can produce, with the choices that select this text. */
export interface QueryText {
  readonly choices: Variant['choices'];
  readonly sql: string;
}

/** A clause that is added at the end of a statement, such as a row limit. */
export interface Ending {
  /** Returns the clause for a variant; `markers` is the number of placeholders before it. */
  clause(variant: Variant, markers: number): string;
  /** Returns the values of the placeholders in the clause. */
  values(values: ParameterValues): readonly BoundValue[];
  /** The end of statements that read the page after a position; absent without pagination. */
  readonly pages?: PageEnding;
  /** The conditions on the rows of tables, which every statement obeys; undefined if no table has one. */
  readonly rowFilters?: RowFilters | undefined;
  /** Replaces the whole statement, for example by a count of its rows. */
  readonly rewrite?: (sql: string) => string;
}

/** The end of a statement that reads the page after a position. */
export interface PageEnding extends Ending {
  /** Reads the page order of a statement, or why it has none. `isClock` returns whether a placeholder binds the time. */
  read(sql: string, isClock: (marker: string) => boolean): PageQuery | OrderFault;
}

export const NO_ENDING: Ending = { clause: () => '', values: () => [] };

/** Replaces a statement by a SELECT that counts its rows. */
export const COUNT_ENDING: Ending = { ...NO_ENDING, rewrite: writeCount };

/** Returns the number of values of a list; 1 for a single value. */
export type LengthOf = (output: Output) => number;

/**
 * The number of SQL texts that each variant caches for list lengths other than one and the maximum. These texts are
 * written on demand.
 */
const MAX_REMEMBERED = 100;

/**
 * Creates the function that compiles a query from values. Enums and booleans select one of the prepared SQL texts. List
 * lengths determine the number of placeholders. Every value is a bound parameter.
 */
export function createCompiler(variants: Variants, ending: Ending): QueryCompiler {
  const statements = new Map(variants.all.map((variant) => [variant, statementsOf(variant, ending)]));
  return (values, now, after) => {
    const variant = variants.select(values);
    const statement = statements.get(variant)?.(values);
    if (statement === undefined) throw new RangeError('the variant has no statement');
    const bound = boundValues(statement.outputs, values, sqlTime(now));
    // Without the position of the cursor, the query would return the first page.
    if (after === undefined && ending.pages !== undefined && typeof values.cursor === 'string') {
      throw new RangeError('the query of a cursor needs its position');
    }
    if (after !== undefined) return continueAfter(after, { variant, statement, bound, values, ending });
    return { sql: statement.sql, values: [...bound, ...ending.values(values)] };
  };
}

interface Continuation {
  readonly variant: Variant;
  readonly statement: Statement;
  readonly bound: readonly BoundValue[];
  readonly values: ParameterValues;
  readonly ending: Ending;
}

function continueAfter(
  after: PagePosition,
  { variant, statement, bound, values, ending }: Continuation,
): CompiledQuery {
  const { pages } = ending;
  if (pages === undefined || statement.page === undefined) throw new RangeError('the rows have no pages');
  const forms = after.map(({ form }) => form);
  const all = [...bound, ...after.flatMap(({ form, value }) => (form.kind === 'null' ? [] : [value]))];
  const sql = statement.page.after(forms, bound.length + 1) + pages.clause(variant, all.length);
  return { sql, values: [...all, ...pages.values(values)] };
}

/**
 * Returns every SQL text that is known when the definition is loaded: each variant with lists of one value, and with
 * lists of the maximum length.
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

/** The keys of the page order of a variant, and the query for the rows after a row without NULL. */
export interface VariantPages {
  readonly variant: Variant;
  readonly keys: PageQuery['keys'];
  readonly sql: string;
}

/** Returns the page order of each variant whose ORDER BY allows cursors. */
export function readPages(variants: Variants, ending: Ending): VariantPages[] {
  return variants.all.flatMap((variant) => {
    const { page, outputs } = writeStatement(variant, () => 1, ending);
    if (page === undefined || ending.pages === undefined) return [];
    const { keys } = page;
    const forms = keys.map(() => ({ kind: 'plain' }) as const);
    const sql = page.after(forms, outputs.length + 1);
    return [{ variant, keys, sql: sql + ending.pages.clause(variant, outputs.length + keys.length) }];
  });
}

/** SQL with `:p1…:pN`, and the output of each placeholder in order. */
interface Statement {
  readonly sql: string;
  readonly outputs: readonly Output[];
  /** The query for pages; undefined if the endpoint has no cursors, or if the order of the rows does not allow cursors. */
  readonly page?: PageQuery | undefined;
}

/** Returns the function that returns the statement of a variant: always the same, or one per combination of list lengths. */
function statementsOf(variant: Variant, ending: Ending): (values: ParameterValues) => Statement {
  const lists = listsOf(variant);
  if (lists.length === 0) {
    const statement = writeStatement(variant, () => 1, ending);
    return () => statement;
  }
  const remembered = new Map<string, Statement>();
  return (values) => {
    const lengthOf: LengthOf = ({ parameter, maxItems }) => {
      const value = maxItems === undefined || parameter === undefined ? undefined : values[parameter];
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
  const written = writePieces(variant.pieces, lengthOf);
  const { sql, outputs } = withRowFilters(written, lengthOf, ending);
  const markers = countMarkers(outputs, lengthOf);
  const clocks = outputs.flatMap((output) => Array(lengthOf(output)).fill(output.clock) as Output['clock'][]);
  const read = ending.pages?.read(sql, (marker) => clocks[Number(marker.slice(1)) - 1] !== undefined);
  const page = read === undefined || 'reason' in read ? undefined : read;
  const statement = ending.rewrite?.(sql) ?? page?.sql ?? sql;
  return { sql: statement + ending.clause(variant, markers), outputs, page };
}

function withRowFilters({ sql, outputs }: Statement, lengthOf: LengthOf, { rowFilters }: Ending): Statement {
  if (rowFilters === undefined) return { sql, outputs };
  const filtered = rowFilters.apply(sql, countMarkers(outputs, lengthOf));
  return { sql: filtered.sql, outputs: [...outputs, ...filtered.outputs] };
}

function countMarkers(outputs: readonly Output[], lengthOf: LengthOf): number {
  return outputs.reduce((count, output) => count + lengthOf(output), 0);
}

/** Writes placeholders for values. Equal outputs share their placeholders, because `GROUP BY` requires equal expressions. */
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
 * Writes a placeholder. The values `now` and `today` are bound as text and need a cast, because databases cannot always
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
