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
  if (first < 0) return [];
  const items: SelectItem[] = [];
  let item: SelectItem | undefined;
  let previous = '';
  for (const { word, depth, start, end } of tokens.slice(first + 1)) {
    // After a period, each word is a name.
    const isClause = depth === outermost && NEXT_CLAUSES.has(word) && previous !== '.';
    const isModifier = items.length === 0 && item === undefined && MODIFIERS.has(word);
    previous = word;
    const isEnd = depth < outermost || isClause;
    if (isEnd || (depth === outermost && word === ',')) {
      if (item !== undefined) items.push(item);
      item = undefined;
      if (isEnd) return items;
    } else if (!isModifier) item = { start: item?.start ?? start, end };
  }
  return item === undefined ? items : [...items, item];
}

/** The words and signs that end a SELECT list. */
const NEXT_CLAUSES: ReadonlySet<string> = new Set(
  'FROM UNION EXCEPT INTERSECT WHERE ORDER LIMIT HAVING GROUP WINDOW FOR INTO ;'.split(' '),
);
const MODIFIERS: ReadonlySet<string> = new Set(
  'DISTINCT DISTINCTROW ALL STRAIGHT_JOIN HIGH_PRIORITY SQL_CALC_FOUND_ROWS SQL_NO_CACHE SQL_CACHE SQL_SMALL_RESULT SQL_BIG_RESULT SQL_BUFFER_RESULT'.split(
    ' ',
  ),
);
