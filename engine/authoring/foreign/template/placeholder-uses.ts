import { isText, readSegments, type SqlNode } from './sql-nodes.js';

/**
 * The position of a placeholder in SQL. `value`: as a whole expression. `limit`: after LIMIT or OFFSET. `name`: as a
 * part of a name. `literal`: in a quoted text. `comment`: in a comment.
 */
export type PlaceholderUse = 'value' | 'limit' | 'name' | 'literal' | 'comment';

/** Returns the uses of every placeholder, by the name of its parameter. */
export function findUses(nodes: readonly SqlNode[]): ReadonlyMap<string, ReadonlySet<PlaceholderUse>> {
  const uses = new Map<string, Set<PlaceholderUse>>();
  for (const { kind, nodes: inside } of readSegments(nodes)) {
    inside.forEach((node, index) => {
      if (isText(node)) return;
      const use = kind === 'code' ? useInCode(inside, index) : kind;
      uses.set(node.parameter, (uses.get(node.parameter) ?? new Set()).add(use));
    });
  }
  return uses;
}

/** Returns the use of a placeholder outside of quotes and comments. */
export function useInCode(nodes: readonly SqlNode[], index: number): 'value' | 'limit' | 'name' {
  const textOf = (node: SqlNode | undefined) => (node === undefined || !isText(node) ? '' : node.text);
  const [before, after] = [textOf(nodes[index - 1]), textOf(nodes[index + 1])];
  if (/[\w$.]$/.test(before) || /^(?:[\w$.]|\s*\()/.test(after)) return 'name';
  const isNextToPlaceholder = [nodes[index - 1], nodes[index + 1]].some((node) => node !== undefined && !isText(node));
  if (isNextToPlaceholder) return 'name';
  return /\b(?:LIMIT|OFFSET)\s+$/i.test(before) ? 'limit' : 'value';
}
