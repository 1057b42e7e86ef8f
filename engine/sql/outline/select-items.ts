import { type SqlToken, sqlTokens } from '../reading/statement.js';

/** The place of one expression of the outermost SELECT list, with its alias. */
export interface SelectItem {
  readonly start: number;
  readonly end: number;
}

/** Returns the places of the expressions of the outermost SELECT list. For a UNION it is the list of the first SELECT. */
export function findSelectItems(sql: string): SelectItem[] {
  const tokens = sqlTokens(sql);
  let depth = 0;
  const places = tokens.map((token) => {
    const text = textOf(sql, token);
    if (text === ')') depth -= 1;
    const place = { ...token, text, depth };
    if (text === '(') depth += 1;
    return place;
  });
  const first = places.findIndex(({ text, depth: at }) => at === 0 && /^select$/i.test(text));
  const items: SelectItem[] = [];
  let item: SelectItem | undefined;
  for (const { text, depth: at, start, end } of places.slice(first + 1)) {
    const isEnd = at === 0 && /^(from|union|except|intersect|where|order|limit|having|group)$/i.test(text);
    if (isEnd || (at === 0 && text === ',')) {
      if (item !== undefined) items.push(item);
      item = undefined;
      if (isEnd) return items;
    } else if (item !== undefined || !/^(distinct|all)$/i.test(text)) item = { start: item?.start ?? start, end };
  }
  return item === undefined ? items : [...items, item];
}

function textOf(sql: string, { start, end }: SqlToken): string {
  return sql.slice(start, end);
}
