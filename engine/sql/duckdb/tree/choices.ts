import { child, children, type Node, optionalChild } from '../../reading/tree.js';

/** Returns the nodes among which a choice, such as CASE, selects. Empty if the node is not a choice. */
export function choicesOf(node: Node): readonly Node[] {
  if (node.kind === 'case') {
    const pairs = node.fields.whens as [unknown, unknown][];
    const values = pairs.flatMap((pair) => children({ kind: 'when', fields: { pair } }, 'pair').slice(1));
    const otherwise = optionalChild(node, 'else_');
    return otherwise === undefined ? values : [...values, otherwise];
  }
  if (node.kind === 'coalesce') return children(node, 'expressions');
  if (node.kind === 'if_func') return [child(node, 'true_value'), child(node, 'false_value')];
  return [];
}
