import { didYouMean } from '../did-you-mean.js';
import { type Fields, nameOf } from '../reading/tree.js';
import { reject } from './rejection.js';

/** A column of a table or of a query. */
export interface Column {
  readonly name: string;
  /** The maximum number of characters of a value as text. The maximum is infinite for results of GROUP_CONCAT and JSON_ARRAYAGG. */
  readonly maxLength: number;
  /** Whether more than one row may contain the same text. */
  readonly isRepeated: boolean;
}

/** A table in FROM, with its name in the author's text and its name in the written query. */
export interface Source {
  readonly name: string;
  /** The name as the parser returns it. */
  readonly alias: unknown;
  readonly writtenName: string;
  readonly columns: readonly Column[];
}

/** A column to which an unqualified name can refer. The column has no source if a join merges it from two columns. */
export interface JoinedColumn extends Column {
  readonly source?: Source;
}

/** The tables and columns of FROM, or of one side of a join. `columns` are the columns of `*`, in the same order as in MySQL. */
export interface From {
  readonly sources: readonly Source[];
  readonly columns: readonly JoinedColumn[];
}

/** A column of the select list. Columns with equal `text` are the same expression. */
export interface Output extends Column {
  readonly text: string;
}

/** Represents the FROM of a query that reads no table. */
export const NO_TABLES: From = { sources: [], columns: [] };

/** Returns the FROM of a query that reads one table. */
export function toFrom(source: Source): From {
  return { sources: [source], columns: source.columns.map((column) => ({ ...column, source })) };
}

/** Joins two sides. `shared` contains the names of the columns that USING or NATURAL merges. */
export function joinFrom(left: From, right: From, shared: readonly unknown[] = []): From {
  for (const { name, alias } of right.sources) {
    if (left.sources.some((other) => isSame(other.name, name)))
      reject(`two tables of one FROM have the name ${name}`, '', alias);
  }
  const merged = shared.map((name) => {
    const [one, other] = [findJoinColumn(name, left.columns), findJoinColumn(name, right.columns)];
    return { name: one.name, maxLength: Math.max(one.maxLength, other.maxLength), isRepeated: true };
  });
  const isMerged = ({ name }: Column) => merged.some((column) => isSame(column.name, name));
  const rest = [...left.columns, ...right.columns].filter((column) => !isMerged(column));
  return {
    sources: [...left.sources, ...right.sources].map((source) => ({
      ...source,
      columns: source.columns.map(markRepeated),
    })),
    columns: [...merged, ...rest].map(markRepeated),
  };
}

/** Returns the columns that NATURAL JOIN merges. */
export function commonColumns(left: From, right: From): readonly Column[] {
  return left.columns.filter(({ name }) => right.columns.some((other) => isSame(other.name, name)));
}

/** Rejects a derived table with two columns of the same name, because databases differ in which of them the name refers to. */
export function requireDistinctNames(columns: readonly Column[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(keyOf(name))) reject(`two columns of a derived table have the name ${name}`, name);
    seen.add(keyOf(name));
  }
}

/** The names that an expression of one SELECT may use. */
export class Scope {
  readonly from: From;
  readonly #outer: Scope | undefined;
  readonly #outputs: readonly Output[];
  readonly #aliases: readonly string[];

  /**
   * `outer` is the scope of the enclosing query. `outputs` are the columns of the select list, which GROUP BY, HAVING
   * and ORDER BY may use. `aliases` are the names that the select list defines; they are used only in messages.
   */
  constructor(from: From = NO_TABLES, outer?: Scope, outputs: readonly Output[] = [], aliases: readonly string[] = []) {
    this.from = from;
    this.#outer = outer;
    this.#outputs = outputs;
    this.#aliases = aliases;
  }

  /**
   * Finds a column by its name, with or without the name of its table. The argument has the fields that the parser
   * returns for a column.
   */
  column({ name, table }: Fields): JoinedColumn {
    if (table === null || table === undefined)
      return this.#findBareColumn(name) ?? reject(this.#explainUnknownColumn(name), '', name);
    const source = this.source(table);
    const found = source.columns.find((column) => isSame(column.name, nameOf(name)));
    if (found !== undefined) return { ...found, source };
    const hint = didYouMean(nameOf(name), source.columns.map(nameOf));
    return reject(`the table ${nameOf(table)} has no column ${nameOf(name)}${hint}`, '', table);
  }

  /** Returns the columns of `table.*`, or of `*` if there is no table. */
  columns(table: unknown): readonly JoinedColumn[] {
    const all = table === undefined ? this.from.columns : toFrom(this.source(table)).columns;
    return this.#isRepeated() ? all.map(markRepeated) : all;
  }

  /** Finds a table of this SELECT or of an enclosing query by its name. */
  source(table: unknown): Source {
    const name = nameOf(table);
    return this.#findSource(name) ?? reject(`FROM has no table with the name ${name}`, '', table);
  }

  #findSource(name: string): Source | undefined {
    const found = this.from.sources.find((source) => isSame(source.name, name));
    if (found === undefined) return this.#outer === undefined ? undefined : this.#outer.#asOuter().#findSource(name);
    return this.#isRepeated() ? { ...found, columns: found.columns.map(markRepeated) } : found;
  }

  #findBareColumn(name: unknown): Column | undefined {
    const outputs = this.#outputs.filter((column) => isSame(column.name, nameOf(name)));
    const columns = this.from.columns.filter((column) => isSame(column.name, nameOf(name)));
    if (new Set(outputs.map(({ text }) => text)).size > 1) {
      reject(`two columns of the select list have the name ${nameOf(name)}`, '', name);
    }
    if (outputs.length === 0 && columns.length > 1) reject(ambiguityMessage(nameOf(name), columns), '', name);
    // Some databases prefer the output and others the column. The one with the longer values is used, so that the
    // length is never underestimated.
    const found = [...outputs, ...columns].sort((one, other) => other.maxLength - one.maxLength)[0];
    if (found === undefined)
      return this.#outer === undefined ? undefined : this.#outer.#asOuter().#findBareColumn(name);
    return this.#isRepeated() ? markRepeated(found) : found;
  }

  /**
   * Returns true if an outer query has tables. This query can then run once per row of the outer query, which repeats
   * its texts.
   */
  #isRepeated(): boolean {
    const outer = this.#outer;
    return outer === undefined ? false : outer.#hasTables();
  }

  #hasTables(): boolean {
    return this.from.sources.length > 0 || this.#isRepeated();
  }

  /** Returns the scope for a subquery of this query, which must not use names of the select list. */
  #asOuter(): Scope {
    const { sources, columns } = this.from;
    const from = {
      sources: sources.map((source) => ({ ...source, columns: source.columns.map(markRepeated) })),
      columns: columns.map(markRepeated),
    };
    return new Scope(from, this.#outer);
  }

  #explainUnknownColumn(written: unknown): string {
    const name = nameOf(written);
    if (this.#findSource(name) !== undefined) return `${name} is a table, not a column`;
    if (this.#aliases.some((other) => isSame(other, name))) {
      return `${name} is a name of the select list, which only GROUP BY, HAVING and ORDER BY may use: repeat its expression`;
    }
    const known = [...this.from.columns, ...this.#outputs].map((column) => column.name);
    return `there is no column ${name} here${didYouMean(name, [...new Set(known)])}`;
  }
}

function isSame(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(name: string): string {
  return name.toLowerCase();
}

function findJoinColumn(name: unknown, columns: readonly JoinedColumn[]): Column {
  const found = columns.filter((column) => isSame(column.name, nameOf(name)));
  if (found.length > 1) reject(ambiguityMessage(nameOf(name), found), '', name);
  const hint = didYouMean(nameOf(name), columns.map(nameOf));
  return found[0] ?? reject(`a table of this JOIN has no column ${nameOf(name)}${hint}`, '', name);
}

function ambiguityMessage(name: string, columns: readonly JoinedColumn[]): string {
  const tables = columns.map(({ source }) => source?.name).filter((table) => table !== undefined);
  return `the column ${name} is ambiguous: write ${tables.map((table) => `${table}.${name}`).join(' or ')}`;
}

function markRepeated<T extends Column>(column: T): T {
  return { ...column, isRepeated: true };
}
