import { sqlTokens } from '../reading/statement.js';

/** The position of one expression of the outermost SELECT list, including its alias. */
export interface SelectItem {
  readonly start: number;
  readonly end: number;
}

/** Returns the positions of the expressions of the outermost SELECT list. For a UNION, this is the list of the first SELECT. */
export function findSelectItems(sql: string): SelectItem[] {
  const tokens = sqlTokens(sql);
  const outermost = tokens.findIndex(({ text }) => text !== '(');
  const first = tokens.findIndex(({ word, depth }) => depth === outermost && word === 'SELECT');
  const items: SelectItem[] = [];
  let item: SelectItem | undefined;
  for (const { word, depth, start, end } of tokens.slice(first + 1)) {
    const isEnd = depth < outermost || (depth === outermost && NEXT_CLAUSES.has(word));
    if (isEnd || (depth === outermost && word === ',')) {
      if (item !== undefined) items.push(item);
      item = undefined;
      if (isEnd) return items;
    } else if (item !== undefined || !MODIFIERS.test(word)) item = { start: item?.start ?? start, end };
  }
  return item === undefined ? items : [...items, item];
}

/** The words and signs that end a SELECT list. */
const NEXT_CLAUSES: ReadonlySet<string> = new Set(
  'FROM UNION EXCEPT INTERSECT WHERE ORDER LIMIT HAVING GROUP WINDOW FOR INTO ;'.split(' '),
);
const MODIFIERS = /^(?:DISTINCT|DISTINCTROW|ALL|STRAIGHT_JOIN|HIGH_PRIORITY|SQL_\w+)$/;
