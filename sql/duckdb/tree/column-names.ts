import { Dialect, generate } from '../../reading/parser.js';
import { type Node, toNode } from './tree.js';

/** Adds the names that MySQL gives to unnamed columns of a query: the text of the expression. */
export function nameColumns(node: Node): Node {
  if (node.kind === 'union' || node.kind === 'intersect' || node.kind === 'except') {
    return { kind: node.kind, fields: { ...node.fields, left: toTree(nameColumns(toNode(node.fields.left))) } };
  }
  if (node.kind === 'subquery') {
    return { kind: node.kind, fields: { ...node.fields, this: toTree(nameColumns(toNode(node.fields.this))) } };
  }
  if (node.kind !== 'select') return node;
  const expressions = (node.fields.expressions as unknown[]).map(addAlias);
  return { kind: node.kind, fields: { ...node.fields, expressions } };
}

function addAlias(tree: unknown): unknown {
  const { kind, fields } = toNode(tree);
  if (NAMED_KINDS.has(kind)) return tree;
  const name = kind === 'literal' ? nameOfLiteral(fields) : generate([tree], Dialect.MySQL).sql?.[0];
  return name === undefined ? tree : { alias: { this: tree, alias: { name: name.replace(BEYOND_NAMES, '?') } } };
}

/** Returns the text of a literal as a name, in quotes if it is blank, because DuckDB does not allow an empty name. */
function nameOfLiteral({ value }: Node['fields']): string {
  const text = String(value);
  return text.trim() === '' ? `'${text}'` : text;
}

/** Matches characters that MySQL does not allow in names. */
const BEYOND_NAMES = /[\u{10000}-\u{10ffff}]/gu;

const NAMED_KINDS = new Set(['alias', 'column', 'star']);

function toTree(node: Node): unknown {
  return { [node.kind]: node.fields };
}
