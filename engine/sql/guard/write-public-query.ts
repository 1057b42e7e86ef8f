import { didYouMean } from '../did-you-mean.js';
import { nameColumns } from '../duckdb/tree/column-names.js';
import { requireOnlyFields } from '../duckdb/tree/translator.js';
import { child, type Fields, type Node, nameOf, part, parts } from '../reading/tree.js';
import type { PublicTables } from './public-table.js';
import { reject } from './rejection.js';
import { type Column, requireDistinctNames, Scope, toFrom } from './scope.js';
import { MAX_COLUMN_LENGTH, TextGrowth } from './text-growth.js';
import { writeQuery } from './write-query.js';
import { writeValue } from './write-value.js';
import { quoteName, type Writer, type WrittenFrom, type WrittenSelect } from './writer.js';

/** The written query and the public tables that it reads. */
export interface WrittenQuery {
  readonly sql: string;
  readonly tables: readonly string[];
}

/** The limits of what a query may read and return. */
export interface QueryLimits {
  readonly tables: PublicTables;
  /** The maximum number of rows that the query returns. */
  readonly rows: number;
  /** The names of bound values. */
  readonly markers: readonly string[];
}

/** Writes a query from its syntax tree so that it reads only public tables. `sql` is the text of the author. */
export function writePublicQuery(node: Node, sql: string, { tables, rows, markers }: QueryLimits): WrittenQuery {
  const [aliases, growth] = [new Aliases(sql, tables), new TextGrowth()];
  const state: QueryState = {
    publicTables: tables,
    markers,
    tables: new Set(),
    aliases,
    growth,
    sources: 0,
    queries: 0,
  };
  const { text } = writeWith(
    nameColumns(node, sql, { all: true }),
    { names: new Map(), scope: new Scope() },
    state,
    rows,
  );
  return { sql: text, tables: [...state.tables].sort() };
}

interface QueryState {
  readonly publicTables: PublicTables;
  readonly markers: readonly string[];
  readonly tables: Set<string>;
  readonly aliases: Aliases;
  readonly growth: TextGrowth;
  sources: number;
  queries: number;
}

/** The names that a query may use. */
interface Context {
  /** The tables of WITH, by their names in lower case. */
  readonly names: ReadonlyMap<string, NamedTable>;
  readonly scope: Scope;
}

interface NamedTable {
  readonly writtenName: string;
  readonly columns: readonly Column[];
}

/**
 * The maximum number of tables. Databases try every join order of the tables of a SELECT, which takes too long for more tables.
 */
const MAX_SOURCES = 40;
const MAX_QUERIES = 40;

/** Writes a query with its WITH. The names of the WITH are valid only inside this query. */
function writeWith(node: Node, outer: Context, state: QueryState, rows?: number): WrittenSelect {
  if (++state.queries > MAX_QUERIES) reject(`the SQL has more than ${MAX_QUERIES} queries`, 'SELECT');
  const clauses = part(node.fields, 'with');
  if (clauses === undefined) return writeQuery(node, createWriter(outer, state), rows);
  requireOnlyFields('with', clauses, ['ctes', 'recursive']);
  if (clauses.recursive === true) reject('WITH RECURSIVE is not allowed', 'RECURSIVE');
  const names = new Map(outer.names);
  const context = { ...outer, names };
  const written = parts(clauses, 'ctes').map((cte) => writeCte(cte, context, state));
  const { text, columns } = writeQuery(node, createWriter(context, state), rows);
  return { text: `WITH ${written.join(', ')} ${text}`, columns };
}

/** Writes a table of WITH under a generated name, so that no database can resolve the author's name to another table. */
function writeCte(
  cte: Fields,
  context: Context & { readonly names: Map<string, NamedTable> },
  state: QueryState,
): string {
  requireOnlyFields('with', cte, ['alias', 'this', 'columns']);
  const name = nameOf(cte.alias);
  if (state.publicTables.has(name.toLowerCase())) reject(`WITH ${name} has the name of a table`, '', cte.alias);
  const { text, columns } = writeWith(child({ kind: 'with', fields: cte }, 'this'), withoutScope(context), state);
  const renamed = renameColumns(columns, parts(cte, 'columns'), cte.alias);
  requireDistinctNames(renamed);
  const written = state.aliases.create('with');
  context.names.set(name.toLowerCase(), { writtenName: written, columns: renamed });
  const list = parts(cte, 'columns').map((column) => quoteName(nameOf(column)));
  return `${quoteName(written)}${list.length === 0 ? '' : ` (${list.join(', ')})`} AS (${text})`;
}

/** Applies the column names of `WITH name (a, b)`. */
function renameColumns(columns: readonly Column[], list: readonly Fields[], alias: unknown): readonly Column[] {
  if (list.length === 0) return columns;
  if (list.length !== columns.length) {
    reject(`${nameOf(alias)} names ${list.length} columns of a query that has ${columns.length}`, '', alias);
  }
  return columns.map((column, index) => ({ ...column, name: nameOf(list[index]) }));
}

function withoutScope({ names }: Context): Context {
  return { names, scope: new Scope() };
}

function createWriter(context: Context, state: QueryState): Writer {
  const { scope } = context;
  const { growth } = state;
  const self: Writer = {
    scope,
    growth,
    value: (node) => writeValue(node, self),
    clause: (node) => {
      const text = writeValue(node, self);
      growth.maxLength(node, scope);
      return text;
    },
    query: (node) => {
      const written = writeWith(node, context, state);
      growth.keepSubquery(node, written.columns);
      return written;
    },
    isolatedQuery: (node) => writeWith(node, withoutScope(context), state),
    withScope: (other) => createWriter({ ...context, scope: other }, state),
    table: (name, alias) => writeAlias(writeTable(name, context, state), alias, state),
    derived: ({ text, columns }, alias) => {
      requireDistinctNames(columns);
      return writeAlias({ text: `(${text})`, columns }, alias, state);
    },
    marker: (name) => writeMarker(name, state),
  };
  return self;
}

function writeAlias({ text, columns }: WrittenSelect, alias: unknown, { aliases }: QueryState): WrittenFrom {
  const name = nameOf(alias);
  quoteName(name);
  const written = aliases.create(name);
  return { text: `${text} AS ${quoteName(written)}`, from: toFrom({ name, alias, writtenName: written, columns }) };
}

/**
 * Writes a public table as a derived table that contains only the public columns and rows. So no `*`, join or alias can
 * read other columns or rows of the table.
 */
function writeTable(written: unknown, { names }: Context, state: QueryState): WrittenSelect {
  const name = nameOf(written);
  if (++state.sources > MAX_SOURCES) reject(`a query may read at most ${MAX_SOURCES} tables`, '', written);
  const key = name.toLowerCase();
  const own = names.get(key);
  if (own !== undefined) return { text: quoteName(own.writtenName), columns: own.columns };
  const table = state.publicTables.get(key);
  if (table === undefined)
    return reject(
      `there is no public table ${name}${didYouMean(name, [...names.keys(), ...state.publicTables.keys()])}`,
      '',
      written,
    );
  state.tables.add(key);
  const where = table.where === undefined ? '' : ` WHERE ${table.where}`;
  const barrier = table.isRestricted ? BARRIER : '';
  const source = `${quoteName(table.name ?? key)} AS ${quoteName(state.aliases.create(key))}`;
  return {
    text: `(SELECT ${table.columns.map(quoteName).join(', ')} FROM ${source}${where}${barrier})`,
    columns: table.columns.map((column) => ({ name: column, maxLength: MAX_COLUMN_LENGTH, isRepeated: false })),
  };
}

/**
 * With a LIMIT, databases evaluate the conditions and values of the author only for the rows of the derived table. Otherwise they could evaluate
 * them for other rows first, whose values an error would show. The number is greater than the number of rows of any table.
 */
const BARRIER = ' LIMIT 9223372036854775807';

function writeMarker(name: string, { markers }: QueryState): string {
  const index = markers.indexOf(name);
  if (index >= 0) return `:p${index + 1}`;
  const known =
    markers.length === 0 ? 'there are no bound values' : `known: ${markers.map((marker) => `:${marker}`).join(', ')}`;
  return reject(`no value is bound to :${name}; ${known}`, name);
}

/**
 * Creates unique aliases for the tables of a written query. MariaDB merges a derived table into the enclosing query. If
 * both use the same alias, it reports the columns of a window as ambiguous, or crashes. The aliases do not occur in the
 * author's text, because the embedded database accepts a table alias as a value that contains the whole row, whose
 * length is unknown.
 */
class Aliases {
  readonly #used = new Set<string>();
  readonly #authorText: string;
  readonly #tables: PublicTables;

  /** `sql` is the text of the author. */
  constructor(sql: string, tables: PublicTables) {
    this.#authorText = sql.toLowerCase();
    this.#tables = tables;
  }

  /** Returns a new alias that starts with the letters and digits of `name`. */
  create(name: string): string {
    const plain = name.toLowerCase().replaceAll(/\W/g, '').slice(0, MAX_PREFIX);
    let number = 1;
    while (this.#isTaken(`${plain}_${number}`)) number += 1;
    const free = `${plain}_${number}`;
    this.#used.add(free);
    return free;
  }

  #isTaken(name: string): boolean {
    return this.#used.has(name) || this.#authorText.includes(name) || this.#isPublic(name);
  }

  /** Returns true if a public table, one of its columns or its condition uses the name. */
  #isPublic(name: string): boolean {
    const tables = [...this.#tables.values()];
    return (
      this.#tables.has(name) ||
      tables.some(({ columns, where }) => {
        return columns.some((column) => column.toLowerCase() === name) || where?.toLowerCase().includes(name);
      })
    );
  }
}

const MAX_PREFIX = 40;
