import { didYouMean } from '../did-you-mean.js';
import { child, type Fields, type Node, nameOf, onlyFields, part, parts } from '../duckdb/tree/tree.js';
import { Aliases } from './aliases.js';
import type { PublicTables } from './public-table.js';
import { refuse } from './rejection.js';
import { type Column, fromOne, requireDistinctNames, Scope } from './scope.js';
import { LONGEST_COLUMN, TextGrowth } from './text-growth.js';
import { writeQuery } from './write-query.js';
import { writeValue } from './write-value.js';
import { quotedName, type Writer, type WrittenFrom, type WrittenSelect } from './writer.js';

/** A query written anew, and the public tables that it reads. */
export interface WrittenQuery {
  readonly sql: string;
  readonly tables: readonly string[];
}

export interface QueryLimits {
  readonly tables: PublicTables;
  /** The most rows that it gives. */
  readonly rows: number;
  /** Names of bound values. */
  readonly markers: readonly string[];
}

/** Writes the query of a tree so that it reads nothing but public tables. `sql` is the author's text of it. */
export function writePublicQuery(node: Node, sql: string, { tables, rows, markers }: QueryLimits): WrittenQuery {
  const [aliases, growth] = [new Aliases(sql, tables), new TextGrowth()];
  const found: Found = { publicTables: tables, markers, tables: new Set(), aliases, growth, sources: 0, queries: 0 };
  const { text } = writeWith(node, { names: new Map(), scope: new Scope() }, found, rows);
  return { sql: text, tables: [...found.tables].sort() };
}

interface Found {
  readonly publicTables: PublicTables;
  readonly markers: readonly string[];
  readonly tables: Set<string>;
  readonly aliases: Aliases;
  readonly growth: TextGrowth;
  sources: number;
  queries: number;
}

/** What may be named at a place. */
interface Place {
  /** Tables of WITH by their names in small letters. */
  readonly names: ReadonlyMap<string, NamedTable>;
  readonly scope: Scope;
}

interface NamedTable {
  readonly written: string;
  readonly columns: readonly Column[];
}

/** Databases try every order of this many tables, and no more, in a bearable time. */
const MAX_SOURCES = 16;
const MAX_QUERIES = 40;

/** The query with the WITH before it, whose names hold in it and nowhere else. */
function writeWith(node: Node, outer: Place, found: Found, rows?: number): WrittenSelect {
  if (++found.queries > MAX_QUERIES) refuse(`more than ${MAX_QUERIES} queries stand within each other`, 'SELECT');
  const clauses = part(node.fields, 'with');
  if (clauses === undefined) return writeQuery(node, writer(outer, found), rows);
  onlyFields('with', clauses, ['ctes', 'recursive']);
  if (clauses.recursive === true) refuse('WITH RECURSIVE is not allowed', 'RECURSIVE');
  const names = new Map(outer.names);
  const place = { ...outer, names };
  const written = parts(clauses, 'ctes').map((cte) => writeCte(cte, place, found));
  const { text, columns } = writeQuery(node, writer(place, found), rows);
  return { text: `WITH ${written.join(', ')} ${text}`, columns };
}

/** Under a name of our own: whatever a database takes a name for, it is no table that we did not write. */
function writeCte(cte: Fields, place: Place & { readonly names: Map<string, NamedTable> }, found: Found): string {
  onlyFields('with', cte, ['alias', 'this', 'columns']);
  const name = nameOf(cte.alias);
  if (found.publicTables.has(name.toLowerCase())) refuse(`WITH ${name} has the name of a table`, '', cte.alias);
  const { text, columns } = writeWith(child({ kind: 'with', fields: cte }, 'this'), alone(place), found);
  const renamed = renamedColumns(columns, parts(cte, 'columns'), cte.alias);
  requireDistinctNames(renamed);
  const written = found.aliases.unused('with');
  place.names.set(name.toLowerCase(), { written, columns: renamed });
  const list = parts(cte, 'columns').map((column) => quotedName(nameOf(column)));
  return `${quotedName(written)}${list.length === 0 ? '' : ` (${list.join(', ')})`} AS (${text})`;
}

/** `WITH name (a, b)`. */
function renamedColumns(columns: readonly Column[], list: readonly Fields[], alias: unknown): readonly Column[] {
  if (list.length === 0) return columns;
  if (list.length !== columns.length) {
    refuse(`${nameOf(alias)} names ${list.length} columns of a query that has ${columns.length}`, '', alias);
  }
  return columns.map((column, place) => ({ ...column, name: nameOf(list[place]) }));
}

function alone({ names }: Place): Place {
  return { names, scope: new Scope() };
}

function writer(place: Place, found: Found): Writer {
  const { scope } = place;
  const { growth } = found;
  const self: Writer = {
    scope,
    growth,
    value: (node) => writeValue(node, self),
    clause: (node) => {
      const text = writeValue(node, self);
      growth.longest(node, scope);
      return text;
    },
    query: (node) => {
      const written = writeWith(node, place, found);
      growth.keep(node, written.columns);
      return written;
    },
    alone: (node) => writeWith(node, alone(place), found),
    within: (other) => writer({ ...place, scope: other }, found),
    table: (name, alias) => named(writeTable(name, place, found), alias, found),
    derived: ({ text, columns }, alias) => {
      requireDistinctNames(columns);
      return named({ text: `(${text})`, columns }, alias, found);
    },
    marker: (name) => writeMarker(name, found),
  };
  return self;
}

function named({ text, columns }: WrittenSelect, alias: unknown, { aliases }: Found): WrittenFrom {
  const name = nameOf(alias);
  quotedName(name);
  const written = aliases.unused(name);
  return { text: `${text} AS ${quotedName(written)}`, from: fromOne({ name, alias, written, columns }) };
}

/** A public table is written as its public part, so that no `*`, join or alias leads to the rest. */
function writeTable(written: unknown, { names }: Place, found: Found): WrittenSelect {
  const name = nameOf(written);
  if (++found.sources > MAX_SOURCES) refuse(`a query reads at most ${MAX_SOURCES} tables`, '', written);
  const key = name.toLowerCase();
  const own = names.get(key);
  if (own !== undefined) return { text: quotedName(own.written), columns: own.columns };
  const table = found.publicTables.get(key);
  if (table === undefined)
    return refuse(
      `there is no public table ${name}${didYouMean(name, [...names.keys(), ...found.publicTables.keys()])}`,
      '',
      written,
    );
  found.tables.add(key);
  const where = table.where === undefined ? '' : ` WHERE ${table.where}`;
  const source = `${quotedName(key)} AS ${quotedName(found.aliases.unused(key))}`;
  return {
    text: `(SELECT ${table.columns.map(quotedName).join(', ')} FROM ${source}${where})`,
    columns: table.columns.map((column) => ({ name: column, longest: LONGEST_COLUMN, repeated: false })),
  };
}

function writeMarker(name: string, { markers }: Found): string {
  const place = markers.indexOf(name);
  if (place >= 0) return `:p${place + 1}`;
  const known = markers.length === 0 ? 'none is' : `known: ${markers.map((marker) => `:${marker}`).join(', ')}`;
  return refuse(`no value is bound to :${name}; ${known}`, name);
}
