import { findSelectItems } from '../../outline/select-items.js';
import { Dialect, generate } from '../../reading/parser.js';
import { type Node, toNode, toTree } from '../../reading/tree.js';

/**
 * Adds the names that MySQL gives to unnamed columns of a query: the text of the expression. `sql` is the text of the author. Without it,
 * as for a subquery, the parser writes the text of the expression again.
 */
export function nameColumns(node: Node, sql?: string): Node {
  const field = FIRST_QUERIES[node.kind];
  if (field !== undefined) {
    return {
      kind: node.kind,
      fields: { ...node.fields, [field]: toTree(nameColumns(toNode(node.fields[field]), sql)) },
    };
  }
  if (node.kind !== 'select') return node;
  const expressions = node.fields.expressions as unknown[];
  if (expressions.every((tree) => NAMED_KINDS.has(toNode(tree).kind))) return node;
  const texts = sql === undefined ? [] : findSelectItems(sql).map(({ start, end }) => sql.slice(start, end));
  const named = expressions.map((tree, index) => {
    return addAlias(tree, texts.length === expressions.length ? texts[index] : undefined);
  });
  return { kind: node.kind, fields: { ...node.fields, expressions: named } };
}

/** The field that contains the query whose columns name those of a set operation or of a query in parentheses. */
const FIRST_QUERIES: Readonly<Record<string, string>> = {
  union: 'left',
  intersect: 'left',
  except: 'left',
  subquery: 'this',
};

function addAlias(tree: unknown, text: string | undefined): unknown {
  const { kind, fields } = toNode(tree);
  if (NAMED_KINDS.has(kind)) return tree;
  const inside = kind === 'paren' ? withoutParentheses(toNode(tree)) : undefined;
  if (inside?.kind === 'column') return toTree(inside);
  const name =
    kind === 'literal' && !TYPED_LITERALS.has(String(fields.literal_type))
      ? nameOfLiteral(fields)
      : (text ??
        nameOfAggregate(kind, fields) ??
        generate([tree], Dialect.MySQL).sql?.[0]?.replaceAll('OCTET_LENGTH(', 'LENGTH('));
  return name === undefined ? tree : { alias: { this: tree, alias: { name: name.replace(BEYOND_NAMES, '?') } } };
}

function withoutParentheses(node: Node): Node {
  return node.kind === 'paren' ? withoutParentheses(toNode(node.fields.this)) : node;
}

/**
 * Returns the text of `COUNT(*)` or of an aggregate of one column; undefined for other expressions. Most queries have no other unnamed
 * columns, so they do not need the SQL generator of the parser, whose first call compiles 24 MB of code.
 */
function nameOfAggregate(
  kind: string,
  { this: argument, star, name: _, original_name: __, ...others }: Node['fields'],
): string | undefined {
  const isPlain = Object.values(others).every((value) => value === null || value === false || isEmptyList(value));
  if (!AGGREGATES.has(kind) || !isPlain) return undefined;
  if (star === true) return `${kind.toUpperCase()}(*)`;
  const column = argument === null || argument === undefined ? undefined : toNode(argument);
  if (column?.kind !== 'column' || column.fields.table !== null) return undefined;
  const { name, quoted, trailing_comments: comments } = column.fields.name as Node['fields'];
  return quoted === false && isEmptyList(comments) ? `${kind.toUpperCase()}(${name})` : undefined;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const AGGREGATES = new Set(['avg', 'count', 'max', 'min', 'sum']);

/** The parser's types of literals such as `DATE '2024-01-05'`. */
const TYPED_LITERALS = new Set(['date', 'datetime', 'time', 'timestamp']);

/** Returns the text of a literal as a name, in quotes if it is blank, because DuckDB does not allow an empty name. */
function nameOfLiteral({ value }: Node['fields']): string {
  const text = String(value);
  return text.trim() === '' ? `'${text}'` : text;
}

/** Matches characters that MySQL does not allow in names. */
const BEYOND_NAMES = /[\u{10000}-\u{10ffff}]/gu;

const NAMED_KINDS = new Set(['alias', 'column', 'star']);
