import { readStatement } from '../reading/statement.js';
import {
  type Fields,
  IGNORED_FIELDS,
  isFields,
  listOf,
  nameIn,
  nodeOf,
  part,
  parts,
  SET_OPERATIONS,
} from '../reading/tree.js';
import { writtenName } from './compared-literals.js';

/** A column of a table that a query reads. */
export interface ColumnOrigin {
  readonly table: string;
  readonly column: string;
}

/** The facts about an output column that follow from the query text. */
export interface OutputColumn {
  /** The name; null for an expression without a name, and for `*`. */
  readonly name: string | null;
  readonly isStar: boolean;
  /** The table column that is returned unchanged, or that the function `call` reads. */
  readonly origin: ColumnOrigin | undefined;
  /** The name of the function, in capital letters, if the expression is a call. */
  readonly call: string | undefined;
  readonly isDistinct: boolean;
  /** Whether the query text and the table columns prove that the value is never NULL. */
  readonly isNeverNull: boolean;
  /** Whether the value can be NULL in the subtotals of WITH ROLLUP, although a server describes it as never NULL. */
  readonly canBeSubtotal: boolean;
}

/** The outermost SELECT of a query. For a UNION, it is the first SELECT, and `isNeverNull` is false for all columns. */
export interface QueryOutline {
  readonly outputs: readonly OutputColumn[];
  /** The tables in FROM and its joins, including those in derived tables and WITH, in the order of the text. */
  readonly tables: readonly string[];
  /** The tables of the whole query, including subqueries, by their aliases in lower case. The alias defaults to the table name. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The names of the columns in GROUP BY. */
  readonly groups: readonly string[];
  readonly hasOrder: boolean;
}

/** The columns of the tables: whether a column exists, and whether it can be NULL. */
export interface KnownColumns {
  hasColumn(table: string, column: string): boolean;
  isNotNull(table: string, column: string): boolean;
}

/** Reads the outline of a valid query. */
export function readOutline(sql: string, known: KnownColumns): QueryOutline {
  const reading = readStatement(sql);
  const statement = 'tree' in reading ? reading.tree : undefined;
  const { select, isUnion } = firstSelect(statement);
  const scope = createScope(select, new Map(), known);
  const outputs = outputsOf(select, scope);
  return {
    outputs: isUnion ? outputs.map((output) => ({ ...output, isNeverNull: false })) : outputs,
    tables: [...new Set(scope.sources.flatMap((source) => source.tables))],
    aliases: findAliases(statement, new Map()),
    groups: parts(part(select, 'group_by') ?? {}, 'expressions').flatMap((group) => groupName(group, select)),
    hasOrder: isFields(select.order_by) || isFields(nodeOf(statement).fields.order_by),
  };
}

/** Adds the tables of a syntax tree to `found`. If two tables have the same alias, only the first one is added. */
function findAliases(node: unknown, found: Map<string, string>): ReadonlyMap<string, string> {
  if (Array.isArray(node)) for (const item of node) findAliases(item, found);
  if (!isFields(node)) return found;
  for (const [key, part] of Object.entries(node)) {
    if (IGNORED_FIELDS.has(key) || typeof part !== 'object' || part === null) continue;
    const table = key === 'table' && isFields(part) ? nameIn(part.name)?.toLowerCase() : undefined;
    const alias = isFields(part) ? nameIn(part.alias)?.toLowerCase() : undefined;
    if (table !== undefined && !found.has(alias ?? table)) found.set(alias ?? table, table);
    findAliases(part, found);
  }
  return found;
}

/** A table, derived table or WITH query of FROM. */
interface Source {
  readonly alias: string;
  readonly tables: readonly string[];
  /** Whether an outer join can return its columns as NULL. */
  readonly isOptional: boolean;
  /** Returns the facts about a column; undefined if the source does not have it. */
  find(column: string): KnownColumn | undefined;
}

interface KnownColumn {
  readonly origin: ColumnOrigin | undefined;
  readonly isNeverNull: boolean;
}

interface Scope {
  readonly sources: readonly Source[];
  readonly isGrouped: boolean;
  readonly isRollup: boolean;
}

type NamedQueries = ReadonlyMap<string, Fields>;

function firstSelect(statement: unknown): { readonly select: Fields; readonly isUnion: boolean } {
  const { kind, fields } = nodeOf(statement);
  if (kind === 'subquery') return firstSelect(fields.this);
  if (SET_OPERATIONS.has(kind)) {
    const { select } = firstSelect(fields.left);
    return { select: { ...select, with: select.with ?? fields.with }, isUnion: true };
  }
  return { select: kind === 'select' ? fields : {}, isUnion: false };
}

function createScope(select: Fields, outer: NamedQueries, known: KnownColumns): Scope {
  const named = new Map(outer);
  for (const cte of parts(part(select, 'with') ?? {}, 'ctes')) {
    const name = isFields(cte) ? nameIn(cte.alias) : undefined;
    if (name !== undefined && isFields(cte)) named.set(name.toLowerCase(), cte);
  }
  const first = parts(part(select, 'from') ?? {}, 'expressions').map((tree) => ({
    tree,
    kind: 'Implicit',
  }));
  const joins = listOf(select.joins).flatMap((join) =>
    isFields(join) ? [{ tree: join.this, kind: String(join.kind) }] : [],
  );
  const all = [...first, ...joins];
  const sources = all.flatMap(({ tree, kind }, index) => {
    const isOptional = /left|full/i.test(kind) || all.slice(index + 1).some((later) => /right|full/i.test(later.kind));
    return createSource(tree, isOptional, named, known);
  });
  const groups = parts(part(select, 'group_by') ?? {}, 'expressions');
  return { sources, isGrouped: groups.length > 0, isRollup: groups.some((group) => nodeOf(group).kind === 'rollup') };
}

function createSource(tree: unknown, isOptional: boolean, named: NamedQueries, known: KnownColumns): Source[] {
  const { kind, fields } = nodeOf(tree);
  if (kind === 'alias')
    return createSource(fields.this, isOptional, named, known).map((source) => ({
      ...source,
      alias: nameIn(fields.alias) ?? source.alias,
    }));
  if (kind === 'subquery') return [derivedSource(fields.this, nameIn(fields.alias) ?? '', isOptional, named, known)];
  if (kind !== 'table') return [];
  const table = nameIn(fields.name) ?? '';
  const alias = nameIn(fields.alias) ?? table;
  const query = isFields(fields.schema) ? undefined : named.get(table.toLowerCase());
  if (query !== undefined) {
    // The query does not see its own name, because the search would not end for a recursive query.
    const others = new Map([...named].filter(([name]) => name !== table.toLowerCase()));
    return [derivedSource(query.this, alias, isOptional, others, known)];
  }
  const find = (column: string): KnownColumn | undefined =>
    known.hasColumn(table, column)
      ? { origin: { table, column }, isNeverNull: !isOptional && known.isNotNull(table, column) }
      : undefined;
  return [{ alias, tables: [table.toLowerCase()], isOptional, find }];
}

function derivedSource(
  query: unknown,
  alias: string,
  isOptional: boolean,
  named: NamedQueries,
  known: KnownColumns,
): Source {
  const { select, isUnion } = firstSelect(query);
  const scope = createScope(select, named, known);
  const outputs = outputsOf(select, scope);
  const find = (column: string): KnownColumn | undefined => {
    const output = outputs.find(({ name }) => name?.toLowerCase() === column.toLowerCase());
    if (output === undefined && outputs.some(({ isStar }) => isStar)) return findIn(scope, undefined, column);
    if (output === undefined) return undefined;
    const origin = output.call === undefined && !isUnion ? output.origin : undefined;
    return { origin, isNeverNull: output.isNeverNull && !isOptional && !isUnion };
  };
  return { alias, tables: scope.sources.flatMap((source) => source.tables), isOptional, find };
}

function findIn({ sources }: Scope, table: string | undefined, column: string): KnownColumn | undefined {
  const candidates =
    table === undefined ? sources : sources.filter(({ alias }) => alias.toLowerCase() === table.toLowerCase());
  const found = candidates.flatMap((source) => source.find(column) ?? []);
  return found[0];
}

function outputsOf(select: Fields, scope: Scope): OutputColumn[] {
  return listOf(select.expressions).map((expression) => {
    const { kind, fields } = nodeOf(expression);
    const inner = kind === 'alias' ? fields.this : expression;
    const { kind: innerKind, fields: innerFields } = nodeOf(inner);
    const isColumn = innerKind === 'column';
    const name = kind === 'alias' ? nameIn(fields.alias) : isColumn ? nameIn(innerFields.name) : undefined;
    const argument = isColumn ? inner : nodeOf(innerFields.this).kind === 'column' ? innerFields.this : undefined;
    return {
      name: name ?? null,
      isStar: innerKind === 'star',
      origin: argument === undefined ? undefined : columnOf(argument, scope)?.origin,
      call:
        isColumn || innerKind === 'star'
          ? undefined
          : innerKind === 'function'
            ? writtenName(innerFields)
            : innerKind.toUpperCase(),
      isDistinct: innerFields.distinct === true,
      isNeverNull: isNeverNull(inner, scope),
      canBeSubtotal: scope.isRollup && !isNeverNull(inner, scope),
    };
  });
}

function columnOf(node: unknown, scope: Scope): KnownColumn | undefined {
  const { fields } = nodeOf(node);
  return findIn(scope, nameIn(fields.table), nameIn(fields.name) ?? '');
}

/** Window functions that return a number for every row. */
const NUMBERING = new Set(['row_number', 'rank', 'dense_rank', 'count']);

/** Whether an expression is certainly never NULL. */
function isNeverNull(node: unknown, scope: Scope): boolean {
  const { kind, fields } = nodeOf(node);
  switch (kind) {
    case 'literal':
    case 'count':
      return true;
    case 'column':
      return !scope.isRollup && columnOf(node, scope)?.isNeverNull === true;
    case 'paren':
      return isNeverNull(fields.this, scope);
    case 'window_function':
      return NUMBERING.has(nodeOf(fields.this).kind);
    case 'coalesce':
      return listOf(fields.expressions).some((part) => isNeverNull(part, scope));
    case 'add':
    case 'sub':
    case 'mul':
      return isNeverNull(fields.left, scope) && isNeverNull(fields.right, scope);
    case 'min':
    case 'max':
    case 'sum':
    case 'avg':
      // A group has at least one row. Without GROUP BY, the table can be empty, and the aggregate is then NULL.
      return scope.isGrouped && isNeverNull(fields.this, { ...scope, isRollup: false });
    default:
      return false;
  }
}

function groupName(group: unknown, select: Fields): string[] {
  const { kind, fields } = nodeOf(group);
  if (kind === 'column') return [nameIn(fields.name) ?? ''].filter((name) => name !== '');
  if (kind !== 'literal') return [];
  const { kind: outputKind, fields: output } = nodeOf(listOf(select.expressions)[Number(fields.value) - 1]);
  const name = outputKind === 'alias' ? nameIn(output.alias) : nameIn(output.name);
  return name === undefined ? [] : [name];
}
