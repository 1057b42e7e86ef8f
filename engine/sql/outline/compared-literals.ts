import { readStatement, type SqlToken, sqlTokens } from '../reading/statement.js';
import { type Fields, IGNORED_FIELDS, isFields, listOf, nameIn, nodeOf } from '../reading/tree.js';

/** A literal of a query: its value, and its position in the text, including its sign or quotes. */
export interface Literal {
  readonly value: string | number;
  /** The text of the literal, because `value` does not have all digits of a number beyond 2^53. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'LIKE' | 'IN' | 'NOT IN';

/** A column, as the query names it. */
interface ColumnName {
  readonly table: string | undefined;
  readonly name: string;
}

/** Literals that WHERE or HAVING compares with an expression. Only IN can have several. */
export interface ComparedLiterals {
  readonly comparison: Comparison;
  readonly literals: readonly Literal[];
  /** The first column on the other side of the comparison. */
  readonly column: ColumnName | undefined;
  /** The function around the column, in capital letters, for example `COUNT` or `YEAR`. */
  readonly call: string | undefined;
}

/** The LIMIT of the outermost query, if it consists of literals. Its position is that of the whole clause. */
export interface LiteralLimit {
  readonly count: number;
  readonly offset: number;
  readonly start: number;
  readonly end: number;
}

export interface QueryLiterals {
  /** The compared literals in the order of the text. */
  readonly compared: readonly ComparedLiterals[];
  readonly limit: LiteralLimit | undefined;
}

/**
 * Finds the literals of a query that a caller could choose instead: those that WHERE and HAVING compare with columns,
 * in all subqueries, and the outermost LIMIT. The parser does not report the positions of literals, so each literal is
 * replaced by a numbered placeholder before parsing.
 */
export function findQueryLiterals(sql: string): QueryLiterals {
  const all = literalTokens(sql);
  const possible = all.filter((_, index) => parseWith(sql, all, new Set([index])) !== undefined);
  const statement = parseWith(sql, possible, new Set(possible.keys()));
  if (statement === undefined) return { compared: [], limit: undefined };
  const found: Found = { sql, literals: possible, compared: [] };
  visit(statement, undefined, found);
  const compared = found.compared.sort((one, other) => (one.literals[0]?.start ?? 0) - (other.literals[0]?.start ?? 0));
  return { compared, limit: findLimit(statement, found) };
}

interface Found {
  readonly sql: string;
  readonly literals: readonly SqlToken[];
  readonly compared: ComparedLiterals[];
}

function literalTokens(sql: string): SqlToken[] {
  return sqlTokens(sql).filter(({ start }) => /^(?:'|"|\d|\.\d)/.test(sql.slice(start, start + 2)));
}

/** Parses the text with placeholders instead of these literals. Returns undefined if SQL allows no value at one of their positions. */
function parseWith(sql: string, literals: readonly SqlToken[], replaced: ReadonlySet<number>): unknown {
  let [text, end] = ['', 0];
  literals.forEach((literal, index) => {
    if (!replaced.has(index)) return;
    const before = sql.slice(end, literal.start);
    // After a minus sign, no blank is inserted, because a blank after `--` would begin a comment.
    text += `${before}${before.endsWith('-') ? '' : ' '}:l${index} `;
    end = literal.end;
  });
  return parseStatement(text + sql.slice(end));
}

type Clause = 'compared' | undefined;

function visit(node: unknown, clause: Clause, found: Found): void {
  if (Array.isArray(node)) for (const item of node) visit(item, clause, found);
  if (!isFields(node)) return;
  for (const [key, part] of Object.entries(node)) {
    if (IGNORED_FIELDS.has(key) || typeof part !== 'object' || part === null) continue;
    if (clause === 'compared' && isFields(part)) addComparison(key, part, found);
    visit(part, key === 'where_clause' || key === 'having' ? 'compared' : key === 'select' ? undefined : clause, found);
  }
}

const COMPARISONS: Readonly<Record<string, readonly [Comparison, mirrored: Comparison]>> = {
  eq: ['=', '='],
  neq: ['<>', '<>'],
  lt: ['<', '>'],
  lte: ['<=', '>='],
  gt: ['>', '<'],
  gte: ['>=', '<='],
};

function addComparison(kind: string, fields: Fields, found: Found): void {
  const add = (comparison: Comparison, values: readonly unknown[], other: unknown) => {
    const literals = values.flatMap((value) => literalOf(value, found) ?? []);
    if (literals.length === 0 || literals.length < values.length) return;
    found.compared.push({ comparison, literals, column: findColumn(other), call: callOf(other) });
  };
  const both = COMPARISONS[kind];
  if (both !== undefined) {
    add(both[0], [fields.right], fields.left);
    add(both[1], [fields.left], fields.right);
  } else if (kind === 'like') add('LIKE', [fields.right], fields.left);
  else if (kind === 'in') add(fields.not === true ? 'NOT IN' : 'IN', listOf(fields.expressions), fields.this);
  else if (kind === 'between' && fields.not !== true) {
    add('>=', [fields.low], fields.this);
    add('<=', [fields.high], fields.this);
  }
}

/** Returns the literal that a placeholder replaces, with its sign. */
function literalOf(value: unknown, { sql, literals }: Found): Literal | undefined {
  const { kind, fields } = nodeOf(value);
  if (kind === 'neg') {
    const inner = literalOf(fields.this, { sql, literals, compared: [] });
    const sign = inner === undefined ? -1 : sql.lastIndexOf('-', inner.start - 1);
    if (inner === undefined || typeof inner.value !== 'number' || sql.slice(sign + 1, inner.start).trim() !== '')
      return undefined;
    return { ...inner, value: -inner.value, text: `-${inner.text}`, start: sign };
  }
  const token = kind === 'parameter' ? literals[Number(/^l(\d+)$/.exec(String(fields.name))?.[1])] : undefined;
  return token === undefined ? undefined : readLiteral(sql, token);
}

function readLiteral(sql: string, { start, end }: SqlToken): Literal | undefined {
  const text = sql.slice(start, end);
  if (!/^['"]/.test(text)) return { value: Number(text), text, start, end };
  const [first] = listOf(nodeOf(parseStatement(`SELECT ${text}`)).fields.expressions);
  const { kind, fields } = nodeOf(first);
  return kind === 'literal' ? { value: String(fields.value), text, start, end } : undefined;
}

/** Returns the name of the function, in capital letters, if the expression is a call. */
function callOf(expression: unknown): string | undefined {
  const { kind, fields } = nodeOf(expression);
  if (kind === 'paren') return callOf(fields.this);
  if (kind === 'function') return writtenName(fields);
  return kind === '' || kind === 'column' ? undefined : kind.toUpperCase();
}

/** Returns the name of a function as its author wrote it. `readStatement` replaces LENGTH by a synonym. */
export function writtenName(fields: Fields): string {
  const name = String(fields.name).toUpperCase();
  return name === 'OCTET_LENGTH' ? 'LENGTH' : name;
}

/** Finds the LIMIT of the outermost query. It is the last clause of the text. */
function findLimit(statement: unknown, found: Found): LiteralLimit | undefined {
  const { fields } = nodeOf(statement);
  const count = literalIn(fields.limit, found);
  const offset = literalIn(fields.offset, found);
  if (count === undefined || (fields.offset !== undefined && fields.offset !== null && offset === undefined))
    return undefined;
  const start = found.sql.slice(0, count.start).search(/\blimit\s*$/i);
  if (start < 0 || typeof count.value !== 'number') return undefined;
  return { count: count.value, offset: Number(offset?.value ?? 0), start, end: Math.max(count.end, offset?.end ?? 0) };
}

function literalIn(clause: unknown, found: Found): Literal | undefined {
  return isFields(clause) ? literalOf(clause.this, found) : undefined;
}

/** Returns the syntax tree of a text; undefined if the parser cannot read it. */
function parseStatement(sql: string): unknown {
  const reading = readStatement(sql);
  return 'tree' in reading ? reading.tree : undefined;
}

/** Returns the first column inside an expression. */
function findColumn(node: unknown): ColumnName | undefined {
  if (Array.isArray(node)) return firstOf(node, findColumn);
  if (!isFields(node)) return undefined;
  if (isFields(node.column)) {
    const name = nameIn(node.column.name);
    if (name !== undefined) return { table: nameIn(node.column.table), name };
  }
  return firstOf(
    Object.entries(node).filter(([key]) => !IGNORED_FIELDS.has(key)),
    ([, part]) => findColumn(part),
  );
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
