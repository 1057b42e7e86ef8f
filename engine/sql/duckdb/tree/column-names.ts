import { BEYOND_NAMES, findUnnamedColumns, nameOfColumn } from '../../outline/unnamed-columns.js';
import { type Fields, isFields, type Node, toNode, toTree } from '../../reading/tree.js';

/**
 * Adds the names that MySQL gives to unnamed columns of a query and of its derived tables: the text of the expression. With `all`, columns whose
 * name has no effect also get one. `sql` is the text of the author.
 */
export function nameColumns(node: Node, sql: string, options?: { readonly all: boolean }): Node {
  const names = new Map<Fields, Map<number, string>>();
  for (const column of findUnnamedColumns(toTree(node), sql, options)) {
    const name = nameOfColumn(column, sql);
    const own = names.get(column.select) ?? new Map<number, string>();
    names.set(column.select, own.set(column.index, name.replace(BEYOND_NAMES, '?')));
  }
  return names.size === 0 ? node : toNode(addAliases(toTree(node), names));
}

function addAliases(tree: unknown, names: ReadonlyMap<Fields, ReadonlyMap<number, string>>): unknown {
  if (Array.isArray(tree)) return tree.map((item) => addAliases(item, names));
  if (!isFields(tree)) return tree;
  const copy = Object.fromEntries(Object.entries(tree).map(([field, part]) => [field, addAliases(part, names)]));
  const own = names.get(tree);
  if (own === undefined) return copy;
  const expressions = (copy.expressions as readonly unknown[]).map((item, index) => {
    const name = own.get(index);
    return name === undefined ? item : { alias: { this: item, alias: { name } } };
  });
  return { ...copy, expressions };
}
