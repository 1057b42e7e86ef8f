import { type FoundPlaceholder, isText, readSegments, type SqlNode } from './sql-nodes.js';

/** Whether a text contains outputs or tags of Liquid. */
export function hasLiquid(text: string): boolean {
  return /\{\{|\{%/.test(text);
}

/** Finds the outputs of a Liquid template: `{{ name }}` and `{{ name | filter }}`. */
export function findLiquidOutputs(text: string): FoundPlaceholder[] {
  return [...text.matchAll(/\{\{-?\s*([A-Za-z_]\w*)\s*(\|.*?)?\s*-?\}\}/gs)].map(
    ({ 0: all, 1: name = '', 2: filters, index }) => ({
      start: index,
      end: index + all.length,
      parameter: name,
      filters: filters === undefined ? '' : ` ${filters.trim()}`,
    }),
  );
}

/** Whether the SQL contains Liquid outside of its comments. */
export function hasLiquidCode(sql: string): boolean {
  const segments = readSegments([{ text: sql, at: 0 }]).filter(({ kind }) => kind !== 'comment');
  return segments.some(({ nodes }) => nodes.some((node) => isText(node) && hasLiquid(node.text)));
}

/** Whether a tag, such as a condition, contains a word. */
export function isInTag(nodes: readonly SqlNode[], word: string): boolean {
  const tags = nodes.flatMap((node) => (isText(node) ? (node.text.match(/\{%.*?%\}/gs) ?? []) : []));
  return tags.some((tag) => tag.split(/\W+/).includes(word));
}
