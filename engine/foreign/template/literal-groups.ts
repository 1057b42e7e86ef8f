import { isText, type PlaceholderNode, type SqlNode, type TextNode } from './sql-nodes.js';

/** A part of a quoted text: one bound placeholder, or the nodes between two of them. */
export interface LiteralGroup {
  readonly nodes: readonly SqlNode[];
  readonly isBound: boolean;
}

/** Divides the content of a quoted text into bound placeholders and the texts between them. The quotes are removed. */
export function groupLiteral(nodes: readonly SqlNode[], isBound: (node: PlaceholderNode) => boolean): LiteralGroup[] {
  const last = nodes.length - 1;
  const groups: { nodes: SqlNode[]; isBound: boolean }[] = [];
  nodes.forEach((node, index) => {
    if (!isText(node) && isBound(node)) {
      groups.push({ nodes: [node], isBound: true });
      return;
    }
    const inner = isText(node) ? withoutQuotes(node, index === 0, index === last) : node;
    if (isText(inner) && inner.text === '') return;
    const group = groups.at(-1);
    if (group === undefined || group.isBound) groups.push({ nodes: [inner], isBound: false });
    else group.nodes.push(inner);
  });
  return groups;
}

function withoutQuotes({ text, at }: TextNode, isFirst: boolean, isLast: boolean): TextNode {
  return { text: text.slice(isFirst ? 1 : 0, isLast ? -1 : undefined), at: isFirst ? at + 1 : at };
}
