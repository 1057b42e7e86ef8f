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

/** Whether a Liquid tag, such as a condition, contains a word. */
export function isInTag(nodes: readonly SqlNode[], word: string): boolean {
  const tags = nodes.flatMap((node) => (isText(node) ? (node.text.match(/\{%.*?%\}/gs) ?? []) : []));
  return tags.some((tag) => tag.split(/\W+/).includes(word));
}

/** A test in a Liquid tag whether a list is empty, and the condition that replaces it in the definition. */
export interface ListTest {
  readonly start: number;
  readonly test: string;
  readonly condition: string;
}

/**
 * Finds tests such as `{% if ids.size > 0 %}`. A definition has no empty lists: an optional list is present or absent.
 * `lists` maps the names of lists in the file to their names in the definition.
 */
export function findListTests(text: string, lists: ReadonlyMap<string, string>): ListTest[] {
  return [...text.matchAll(/\{%.*?%\}/gs)].flatMap(({ 0: tag, index: tagStart }) =>
    [...tag.matchAll(LIST_TEST)].flatMap(({ 0: test, 1: name = '', 2: comparison = '', index }) => {
      const list = lists.get(name);
      const isPresent = PRESENT.test(comparison);
      if (list === undefined || !(isPresent || ABSENT.test(comparison))) return [];
      return [{ start: tagStart + index, test, condition: isPresent ? list : `not ${list}` }];
    }),
  );
}

const LIST_TEST = /(?<![\w.])([A-Za-z_]\w*)(\.size\s*(?:[<>]=?|[!=]=|<>)\s*\d+|\s*[!=]=\s*(?:empty|blank))\b/g;
const PRESENT = /^(?:\.size\s*(?:(?:>|!=|<>)\s*0|>=\s*1)|\s*!=\s*(?:empty|blank))$/;
const ABSENT = /^(?:\.size\s*(?:(?:==|<=)\s*0|<\s*1)|\s*==\s*(?:empty|blank))$/;
