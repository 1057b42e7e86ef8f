import { sqlTokens } from '../reading/statement.js';

/** The position of one expression of the outermost SELECT list, including its alias. */
export interface SelectItem {
  readonly start: number;
  readonly end: number;
}

/** Returns the positions of the expressions of the outermost SELECT list. For a UNION, this is the list of the first SELECT. */
export function findSelectItems(sql: string): SelectItem[] {
  const tokens = sqlTokens(sql);
  const first = tokens.findIndex(({ word, depth }) => depth === 0 && word === 'SELECT');
  const items: SelectItem[] = [];
  let item: SelectItem | undefined;
  for (const { word, depth, start, end } of tokens.slice(first + 1)) {
    const isEnd = depth === 0 && /^(FROM|UNION|EXCEPT|INTERSECT|WHERE|ORDER|LIMIT|HAVING|GROUP)$/.test(word);
    if (isEnd || (depth === 0 && word === ',')) {
      if (item !== undefined) items.push(item);
      item = undefined;
      if (isEnd) return items;
    } else if (item !== undefined || !/^(DISTINCT|ALL)$/.test(word)) item = { start: item?.start ?? start, end };
  }
  return item === undefined ? items : [...items, item];
}
