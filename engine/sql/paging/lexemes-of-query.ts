import type { SqlToken } from '../reading/statement.js';

/** The positions of the clauses of the outermost query that are changed to read a page. */
export interface Clauses {
  /** The index of the token ORDER of the outermost ORDER BY. */
  readonly order: number;
  /** The offset after the last expression of the select list. */
  readonly listEnd: number;
}

/** Finds the clauses of the outermost query; undefined without ORDER BY. */
export function findClauses(tokens: readonly SqlToken[]): Clauses | undefined {
  const isWord = (index: number, word: RegExp) => {
    const token = tokens[index];
    return token?.depth === 0 && word.test(token.word);
  };
  const order = tokens.findLastIndex((_, index) => isWord(index, /^ORDER$/) && isWord(index + 1, /^BY$/));
  if (order < 0) return undefined;
  const select = tokens.findIndex((_, index) => isWord(index, /^SELECT$/));
  const next = tokens.findIndex((_, index) => index > select && isWord(index, AFTER_LIST));
  return { order, listEnd: tokens[next - 1]?.end ?? 0 };
}

const AFTER_LIST = /^(FROM|WHERE|GROUP|HAVING|WINDOW|ORDER|UNION|EXCEPT|INTERSECT)$/;

/** Splits the tokens of a list at its commas. */
export function splitAtCommas(tokens: readonly SqlToken[]): SqlToken[][] {
  const items: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.depth === 0 && token.text === ',') items.push([]);
    else items.at(-1)?.push(token);
  }
  return items;
}

export function textOf(sql: string, tokens: readonly SqlToken[]): string {
  return sql.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0);
}
