import { didYouMean } from '../did-you-mean.js';
import { type Fields, nameOf } from '../duckdb/tree/tree.js';
import { refuse } from './rejection.js';

/** A column of a table or of a query. */
export interface Column {
  readonly name: string;
  /** The most characters of its text; infinite for a text that GROUP_CONCAT or JSON_ARRAYAGG makes. */
  readonly longest: number;
  /** Whether more than one row may hold the same text. */
  readonly repeated: boolean;
}

/** A table of FROM: its name, and its name in the written query. */
export interface Source {
  readonly name: string;
  /** The parser's name of it. */
  readonly alias: unknown;
  readonly written: string;
  readonly columns: readonly Column[];
}

/** A column that FROM gives to a name without a table; it has no source when a join merges it from two. */
export interface JoinedColumn extends Column {
  readonly source?: Source;
}

/** What FROM gives, or one side of a join in it. `columns` are those of `*`, in the order of MySQL. */
export interface From {
  readonly sources: readonly Source[];
  readonly columns: readonly JoinedColumn[];
}

/** A column of the select list; equal texts are the same expression. */
export interface Output extends Column {
  readonly text: string;
}

export const NO_TABLES: From = { sources: [], columns: [] };

export function fromOne(source: Source): From {
  return { sources: [source], columns: source.columns.map((column) => ({ ...column, source })) };
}

/** Both sides of a join; `shared` are the columns that USING or NATURAL merges. */
export function joined(left: From, right: From, shared: readonly unknown[] = []): From {
  for (const { name, alias } of right.sources) {
    if (left.sources.some((other) => isSame(other.name, name)))
      refuse(`two tables of one FROM are called ${name}`, '', alias);
  }
  const merged = shared.map((name) => {
    const [one, other] = [only(name, left.columns), only(name, right.columns)];
    return { name: one.name, longest: Math.max(one.longest, other.longest), repeated: true };
  });
  const isMerged = ({ name }: Column) => merged.some((column) => isSame(column.name, name));
  const rest = [...left.columns, ...right.columns].filter((column) => !isMerged(column));
  return {
    sources: [...left.sources, ...right.sources].map((source) => ({
      ...source,
      columns: source.columns.map(repeated),
    })),
    columns: [...merged, ...rest].map(repeated),
  };
}

/** The columns that NATURAL JOIN merges. */
export function commonColumns(left: From, right: From): readonly Column[] {
  return left.columns.filter(({ name }) => right.columns.some((other) => isSame(other.name, name)));
}

/** Databases give different meanings to a name that two columns of a derived table have. */
export function requireDistinctNames(columns: readonly Column[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(keyOf(name))) refuse(`two columns of a derived table are called ${name}`, name);
    seen.add(keyOf(name));
  }
}

/** The names that an expression of one SELECT may use. */
export class Scope {
  constructor(
    readonly from: From = NO_TABLES,
    /** Of the query around it. */
    private readonly outer?: Scope,
    /** Columns of the select list, for GROUP BY, HAVING and ORDER BY. */
    private readonly outputs: readonly Output[] = [],
    /** Names that the select list gives, for the reason of a refusal. */
    private readonly given: readonly string[] = [],
  ) {}

  /** A bare name or one with its table, as the parser has them in the fields of a column. */
  column({ name, table }: Fields): JoinedColumn {
    if (table === null || table === undefined) return this.#bare(name) ?? refuse(this.#unknown(name), '', name);
    const source = this.source(table);
    const found = source.columns.find((column) => isSame(column.name, nameOf(name)));
    if (found !== undefined) return { ...found, source };
    const hint = didYouMean(nameOf(name), source.columns.map(nameOf));
    return refuse(`the table ${nameOf(table)} has no column ${nameOf(name)}${hint}`, '', table);
  }

  /** What `*` gives, or `table.*`. */
  columns(table: unknown): readonly JoinedColumn[] {
    const all = table === undefined ? this.from.columns : fromOne(this.source(table)).columns;
    return this.#isRepeated() ? all.map(repeated) : all;
  }

  /** The table of this SELECT, or of one around it. */
  source(table: unknown): Source {
    const name = nameOf(table);
    return this.#source(name) ?? refuse(`no table of FROM is called ${name}`, '', table);
  }

  #source(name: string): Source | undefined {
    const found = this.from.sources.find((source) => isSame(source.name, name));
    if (found === undefined) return this.outer === undefined ? undefined : this.outer.#asOuter().#source(name);
    return this.#isRepeated() ? { ...found, columns: found.columns.map(repeated) } : found;
  }

  #bare(name: unknown): Column | undefined {
    const outputs = this.outputs.filter((column) => isSame(column.name, nameOf(name)));
    const columns = this.from.columns.filter((column) => isSame(column.name, nameOf(name)));
    if (new Set(outputs.map(({ text }) => text)).size > 1) {
      refuse(`two columns of the select list are called ${nameOf(name)}`, '', name);
    }
    if (outputs.length === 0 && columns.length > 1) refuse(ambiguous(nameOf(name), columns), '', name);
    // Databases prefer one or the other.
    const found = [...outputs, ...columns].sort((one, other) => other.longest - one.longest)[0];
    if (found === undefined) return this.outer === undefined ? undefined : this.outer.#asOuter().#bare(name);
    return this.#isRepeated() ? repeated(found) : found;
  }

  /** A subquery runs once for each row of the query around it. */
  #isRepeated(): boolean {
    const { outer } = this;
    return outer === undefined ? false : outer.#hasTables();
  }

  #hasTables(): boolean {
    return this.from.sources.length > 0 || this.#isRepeated();
  }

  /** For a query within this one, which may not use names of the select list. */
  #asOuter(): Scope {
    const { sources, columns } = this.from;
    const from = {
      sources: sources.map((source) => ({ ...source, columns: source.columns.map(repeated) })),
      columns: columns.map(repeated),
    };
    return new Scope(from, this.outer);
  }

  #unknown(written: unknown): string {
    const name = nameOf(written);
    if (this.#source(name) !== undefined) return `${name} is a table, not a column`;
    if (this.given.some((other) => isSame(other, name))) {
      return `the select list names ${name}, which only GROUP BY, HAVING and ORDER BY may use: repeat its expression`;
    }
    const known = [...this.from.columns, ...this.outputs].map((column) => column.name);
    return `there is no column ${name} here${didYouMean(name, [...new Set(known)])}`;
  }
}

function isSame(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(name: string): string {
  return name.toLowerCase();
}

function only(name: unknown, columns: readonly JoinedColumn[]): Column {
  const found = columns.filter((column) => isSame(column.name, nameOf(name)));
  if (found.length > 1) refuse(ambiguous(nameOf(name), found), '', name);
  const hint = didYouMean(nameOf(name), columns.map(nameOf));
  return found[0] ?? refuse(`a table of this JOIN has no column ${nameOf(name)}${hint}`, '', name);
}

function ambiguous(name: string, columns: readonly JoinedColumn[]): string {
  const tables = columns.map(({ source }) => source?.name).filter((table) => table !== undefined);
  return `the column ${name} is ambiguous: write ${tables.map((table) => `${table}.${name}`).join(' or ')}`;
}

function repeated<T extends Column>(column: T): T {
  return { ...column, repeated: true };
}
