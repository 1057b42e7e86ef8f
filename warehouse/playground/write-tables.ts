import {
  child,
  type Fields,
  type Node,
  nameOf,
  onlyFields,
  part,
  parts,
} from '../../databases/duckdb/translate/tree.js';
import { Aliases, SelectAliases } from './aliases.js';
import { requireDistinctNames } from './distinct-names.js';
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
  const aliases = new Aliases();
  const found: Found = { markers, tables: new Set(), aliases, sources: 0, queries: 0 };
  const sql = writeWith(node, { names: new Map(), aliases: new SelectAliases(aliases) }, found, rows);
  return { sql, tables: [...found.tables].sort() };
}

interface Found {
  readonly markers: readonly string[];
  readonly tables: Set<string>;
  readonly aliases: Aliases;
  sources: number;
  queries: number;
}

/** What may be named at a place. */
interface Scope {
  /** Tables of WITH. */
  readonly names: NamedTables;
  readonly aliases: SelectAliases;
}

/** Databases try every order of this many tables, and no more, in a bearable time. */
const MAX_SOURCES = 16;
const MAX_QUERIES = 40;

/** The query with the WITH before it, whose names hold in it and nowhere else. */
function writeWith(node: Node, outer: Scope, found: Found, rows?: number): string {
  if (++found.queries > MAX_QUERIES) refuse(`more than ${MAX_QUERIES} queries stand within each other`, 'SELECT');
  const clauses = part(node.fields, 'with');
  if (clauses === undefined) return writeQuery(node, writer(outer, found), rows);
  onlyFields('with', clauses, ['ctes', 'recursive']);
  if (clauses.recursive === true) refuse('WITH RECURSIVE is not allowed', 'RECURSIVE');
  const names = new Map(outer.names);
  const scope = { ...outer, names };
  const written = parts(clauses, 'ctes').map((cte) => writeCte(cte, scope, found));
  return `WITH ${written.join(', ')} ${writeQuery(node, writer(scope, found), rows)}`;
}

/** Under a name of our own: whatever a database takes a name for, it is no table that we did not write. */
function writeCte(cte: Fields, scope: Scope & { readonly names: Map<string, string> }, found: Found): string {
  onlyFields('with', cte, ['alias', 'this', 'columns']);
  const name = nameOf(cte.alias);
  if (PUBLIC_TABLES.has(name.toLowerCase())) refuse(`WITH ${name} has the name of a table`, name);
  const columns = parts(cte, 'columns').map((column) => quotedName(nameOf(column)));
  const node = child({ kind: 'with', fields: cte }, 'this');
  if (columns.length === 0) requireDistinctNames(node);
  const query = writeWith(node, alone(scope, found), found);
  const own = found.aliases.unused('with_1');
  scope.names.set(name.toLowerCase(), own);
  return `${quotedName(own)}${columns.length === 0 ? '' : ` (${columns.join(', ')})`} AS (${query})`;
}

function alone({ names }: Scope, { aliases }: Found): Scope {
  return { names, aliases: new SelectAliases(aliases) };
}

function writer(scope: Scope, found: Found): Writer {
  const self: Writer = {
    value: (node) => writeValue(node, self),
    query: (node) => writeWith(node, scope, found),
    alone: (node) => writeWith(node, alone(scope, found), found),
    select: () => writer({ ...scope, aliases: new SelectAliases(found.aliases, scope.aliases) }, found),
    table: (name) => writeTable(name, scope.names, found),
    alias: (name) => scope.aliases.add(name),
    qualifier: (name) => scope.aliases.find(name),
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
  const source = `${quotedName(key)} AS ${quotedName(found.aliases.unused(key))}`;
  return `(SELECT ${table.columns.map(quotedName).join(', ')} FROM ${source}${where})`;
}

function writeMarker(name: string, { markers }: Found): string {
  const place = markers.indexOf(name);
  if (place >= 0) return `:p${place + 1}`;
  const known = markers.length === 0 ? 'none is' : `known: ${markers.map((marker) => `:${marker}`).join(', ')}`;
  return refuse(`no value is bound to :${name}; ${known}`, name);
}
