import { sqlTokens } from '../reading/statement.js';

/** The position of one expression of a SELECT list, including its alias. */
export interface SelectItem {
  readonly start: number;
  readonly end: number;
}

/** A list of expressions after SELECT, and the number of parentheses around it. */
interface SelectList {
  readonly depth: number;
  readonly items: readonly SelectItem[];
}

/** Returns the positions of the expressions of the outermost SELECT list. For a UNION, this is the list of the first SELECT. */
export function findSelectItems(sql: string): readonly SelectItem[] {
  const outermost = sqlTokens(sql).findIndex(({ text }) => text !== '(');
  return findSelectLists(sql).find(({ depth }) => depth === outermost)?.items ?? [];
}

/** Returns all SELECT lists of a text, in the order of their SELECT. */
export function findSelectLists(sql: string): readonly SelectList[] {
  const lists: { readonly depth: number; readonly items: SelectItem[] }[] = [];
  const open: { readonly depth: number; readonly items: SelectItem[]; item?: SelectItem | undefined }[] = [];
  const endItem = (list = open.at(-1)) => {
    if (list?.item !== undefined) list.items.push(list.item);
    if (list !== undefined) list.item = undefined;
  };
  let previous = '';
  for (const { word, depth, start, end } of sqlTokens(sql)) {
    // After a period, each word is a name.
    const isName = previous === '.';
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      if (depth > last.depth || (depth === last.depth && (isName || !NEXT_CLAUSES.has(word)))) break;
      endItem();
      open.pop();
    }
    const list = open.at(-1);
    const isModifier = list?.items.length === 0 && list.item === undefined && MODIFIERS.has(word);
    if (depth === list?.depth && word === ',') endItem();
    else if (!isModifier) for (const other of open) other.item = { start: other.item?.start ?? start, end };
    if (word === 'SELECT' && !isName) {
      const items: SelectItem[] = [];
      lists.push({ depth, items });
      open.push({ depth, items });
    }
    previous = word;
  }
  for (const list of open) endItem(list);
  return lists;
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
