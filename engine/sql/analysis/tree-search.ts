import { isKeywordArgument } from '../duckdb/tree/function-names.js';
import { isFields, isQuery, type Node, nameOf, part, toNode } from '../reading/tree.js';

/** A column in an expression, and whether it is inside a subquery of this expression. */
export interface ColumnUse {
  readonly node: Node;
  readonly isNested: boolean;
}

/** Returns the query in an entry of the tree. The parser also uses the key `subquery` for a field that contains a query. */
export function toQuery(kind: string, value: unknown): Node | undefined {
  if (!isQuery(kind) || !isFields(value)) return undefined;
  const [[inner, query] = ['', undefined]] = Object.entries(value);
  return kind === 'subquery' && isQuery(inner) && isFields(query)
    ? { kind: inner, fields: query }
    : { kind, fields: value };
}

/** Returns the columns that an expression uses. */
export function columnsIn(tree: unknown): ColumnUse[] {
  const uses: ColumnUse[] = [];
  const visit = (part: unknown, isNested: boolean): void => {
    if (Array.isArray(part)) for (const item of part) visit(item, isNested);
    if (!isFields(part)) return;
    for (const [kind, value] of Object.entries(part)) {
      if (kind === 'column' && isFields(value) && isFields(value.name)) {
        uses.push({ node: { kind, fields: value }, isNested });
      } else visit(withoutKeywords(kind, value), isNested || isQuery(kind));
    }
  };
  visit(tree, false);
  return uses;
}

/** Removes arguments of a function that are keywords, such as `DAY`, because the parser returns them as columns. */
export function withoutKeywords(kind: string, fields: unknown): unknown {
  if (kind !== 'function' || !isFields(fields) || !Array.isArray(fields.args)) return fields;
  const name = String(fields.name).toUpperCase();
  return { ...fields, args: fields.args.filter((_, index) => !isKeywordArgument(name, index)) };
}

/** Returns the subqueries of an expression, without those nested in them. */
export function queriesIn(tree: unknown): Node[] {
  if (Array.isArray(tree)) return tree.flatMap(queriesIn);
  if (!isFields(tree)) return [];
  return Object.entries(tree).flatMap(([kind, value]) => {
    const query = toQuery(kind, value);
    return query === undefined ? queriesIn(value) : [query];
  });
}

/** Returns all nodes of these kinds in an expression, except those in its subqueries. */
export function nodesIn(tree: unknown, kinds: ReadonlySet<string>): Node[] {
  if (Array.isArray(tree)) return tree.flatMap((item) => nodesIn(item, kinds));
  if (!isFields(tree)) return [];
  return Object.entries(tree).flatMap(([kind, fields]) => {
    if (isQuery(kind) || !isFields(fields)) return Array.isArray(fields) ? nodesIn(fields, kinds) : [];
    return [...(kinds.has(kind) ? [{ kind, fields }] : []), ...nodesIn(fields, kinds)];
  });
}

/** Returns the aggregates of these kinds in an expression, except those with OVER and those in subqueries. */
export function aggregatesIn(tree: unknown, kinds: ReadonlySet<string>): Node[] {
  const windows = new Set(nodesIn(tree, WINDOW).flatMap(({ fields }) => Object.values(part(fields, 'this') ?? {})));
  return nodesIn(tree, kinds).filter(({ fields }) => !windows.has(fields));
}

const WINDOW: ReadonlySet<string> = new Set(['window_function']);

/** Returns the conditions that AND combines. */
export function conjunctsOf(tree: unknown): Node[] {
  if (!isFields(tree)) return [];
  const node = withoutParentheses(toNode(tree));
  if (node.kind !== 'and') return [node];
  return [...conjunctsOf(node.fields.left), ...conjunctsOf(node.fields.right)];
}

export function withoutParentheses(node: Node): Node {
  return node.kind === 'paren' ? withoutParentheses(toNode(node.fields.this)) : node;
}

/** Returns the table name or alias before a column, in lower case; undefined for an unqualified column. */
export function qualifierOf({ fields }: Node): string | undefined {
  return isFields(fields.table) ? nameOf(fields.table).toLowerCase() : undefined;
}

export function columnNameOf({ fields }: Node): string {
  return nameOf(fields.name).toLowerCase();
}

/** Writes a column as the author did. */
export function writeColumnName({ fields }: Node): string {
  const name = nameOf(fields.name);
  return isFields(fields.table) ? `${nameOf(fields.table)}.${name}` : name;
}
