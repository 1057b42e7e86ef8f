import { sqlTokens } from '../reading/statement.js';

/** A token of a query, and the number of parentheses around it. */
export interface Lexeme {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/** The clauses of the outermost query that its pages change. */
export interface Clauses {
  /** The index of the word ORDER. */
  readonly order: number;
  /** The offset after the last expression of the select list. */
  readonly listEnd: number;
}

export function readLexemes(sql: string): Lexeme[] {
  let depth = 0;
  return sqlTokens(sql).map(({ start, end }) => {
    const text = sql.slice(start, end);
    if (text === ')') depth -= 1;
    const lexeme = { text, start, end, depth };
    if (text === '(') depth += 1;
    return lexeme;
  });
}

/** Finds the clauses of the outermost query; undefined without ORDER BY. */
export function findClauses(lexemes: readonly Lexeme[]): Clauses | undefined {
  const isWord = (index: number, word: RegExp) => {
    const lexeme = lexemes[index];
    return lexeme?.depth === 0 && word.test(lexeme.text);
  };
  const order = lexemes.findLastIndex((_, index) => isWord(index, /^order$/i) && isWord(index + 1, /^by$/i));
  if (order < 0) return undefined;
  const select = lexemes.findIndex((_, index) => isWord(index, /^select$/i));
  const next = lexemes.findIndex((_, index) => index > select && isWord(index, AFTER_LIST));
  return { order, listEnd: lexemes[next - 1]?.end ?? 0 };
}

const AFTER_LIST = /^(from|where|group|having|window|order|union|except|intersect)$/i;

/** Splits the lexemes of a list at its commas. */
export function splitAtCommas(lexemes: readonly Lexeme[]): Lexeme[][] {
  const items: Lexeme[][] = [[]];
  for (const lexeme of lexemes) {
    if (lexeme.depth === 0 && lexeme.text === ',') items.push([]);
    else items.at(-1)?.push(lexeme);
  }
  return items;
}

export function textOf(sql: string, lexemes: readonly Lexeme[]): string {
  return sql.slice(lexemes[0]?.start ?? 0, lexemes.at(-1)?.end ?? 0);
}
