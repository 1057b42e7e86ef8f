import {
  child,
  type Fields,
  type Node,
  nameOf,
  onlyFields,
  part,
  parts,
} from '../../databases/duckdb/translate/tree.js';
import { PUBLIC_TABLES } from './public-tables.js';
import { refuse } from './refusal.js';
import { writeQuery } from './write-query.js';
import { writeValue } from './write-value.js';
import { type NamedTables, quotedName, type Writer } from './writer.js';

/** A query written anew, and the public tables that it reads. */
export interface WrittenQuery {
  readonly sql: string;
  readonly tables: readonly string[];
}

export interface QueryLimits {
  /** The most rows that it gives. */
  readonly rows: number;
  /** Names of bound values. */
  readonly markers: readonly string[];
}

/** Writes the query of a tree so that it reads nothing but public tables. */
export function writePublicQuery(node: Node, { rows, markers }: QueryLimits): WrittenQuery {
  const found: Found = { markers, tables: new Set(), sources: 0, queries: 0, withs: 0 };
  const sql = writeWith(node, new Map(), found, rows);
  return { sql, tables: [...found.tables].sort() };
}

interface Found {
  readonly markers: readonly string[];
  readonly tables: Set<string>;
  sources: number;
  queries: number;
  withs: number;
}

/** Databases try every order of this many tables, and no more, in a bearable time. */
const MAX_SOURCES = 16;
const MAX_QUERIES = 40;

/** The query with the WITH before it, whose names hold in it and nowhere else. */
function writeWith(node: Node, outer: NamedTables, found: Found, rows?: number): string {
  if (++found.queries > MAX_QUERIES) refuse(`more than ${MAX_QUERIES} queries stand within each other`, 'SELECT');
  const clauses = part(node.fields, 'with');
  if (clauses === undefined) return writeQuery(node, writer(outer, found), rows);
  onlyFields('with', clauses, ['ctes', 'recursive']);
  if (clauses.recursive === true) refuse('WITH RECURSIVE is not allowed', 'RECURSIVE');
  const names = new Map(outer);
  const written = parts(clauses, 'ctes').map((cte) => writeCte(cte, names, found));
  return `WITH ${written.join(', ')} ${writeQuery(node, writer(names, found), rows)}`;
}

/** Under a name of our own: whatever a database takes a name for, it is no table that we did not write. */
function writeCte(cte: Fields, names: Map<string, string>, found: Found): string {
  onlyFields('with', cte, ['alias', 'this', 'columns']);
  const name = nameOf(cte.alias);
  if (PUBLIC_TABLES.has(name.toLowerCase())) refuse(`WITH ${name} has the name of a table`, name);
  const query = writeWith(child({ kind: 'with', fields: cte }, 'this'), names, found);
  const own = `with_${++found.withs}`;
  names.set(name.toLowerCase(), own);
  const columns = parts(cte, 'columns').map((column) => quotedName(nameOf(column)));
  return `${quotedName(own)}${columns.length === 0 ? '' : ` (${columns.join(', ')})`} AS (${query})`;
}

function writer(names: NamedTables, found: Found): Writer {
  const self: Writer = {
    value: (node) => writeValue(node, self),
    query: (node) => writeWith(node, names, found),
    table: (name) => writeTable(name, names, found),
    marker: (name) => writeMarker(name, found),
  };
  return self;
}

/** A public table is written as its public part, so that no `*`, join or alias leads to the rest. */
function writeTable(name: string, names: NamedTables, found: Found): string {
  if (++found.sources > MAX_SOURCES) refuse(`a query reads at most ${MAX_SOURCES} tables`, name);
  const key = name.toLowerCase();
  const own = names.get(key);
  if (own !== undefined) return quotedName(own);
  const table = PUBLIC_TABLES.get(key);
  if (table === undefined) return refuse(`there is no public table ${name}`, name);
  found.tables.add(key);
  const where = table.where === undefined ? '' : ` WHERE ${table.where}`;
  return `(SELECT ${table.columns.map(quotedName).join(', ')} FROM ${quotedName(key)}${where})`;
}

function writeMarker(name: string, { markers }: Found): string {
  const place = markers.indexOf(name);
  if (place >= 0) return `:p${place + 1}`;
  const known = markers.length === 0 ? 'none is' : `known: ${markers.map((marker) => `:${marker}`).join(', ')}`;
  return refuse(`no value is bound to :${name}; ${known}`, name);
}
