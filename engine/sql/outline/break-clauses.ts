import { sqlTokens } from '../reading/statement.js';

/** Puts each clause of a one-line query on a separate line. Queries with several lines stay unchanged. */
export function breakClauses(sql: string): string {
  if (sql.includes('\n')) return sql;
  const tokens = sqlTokens(sql);
  const starts: number[] = [];
  let braces = 0;
  for (const [index, { word, start, depth }] of tokens.entries()) {
    // Words in the braces of a template do not start clauses.
    if (word === '{') braces += 1;
    if (word === '}') braces -= 1;
    const before = tokens[index - 1]?.word ?? '';
    const next = tokens[index + 1]?.word ?? '';
    const isMain = word === 'SELECT' && before === ')';
    const isClause = isMain || CLAUSES.has(word) || (/^(GROUP|ORDER)$/.test(word) && next === 'BY');
    const isJoin = JOIN_WORDS.has(word) && !JOIN_WORDS.has(before) && next !== '(';
    if (depth + braces === 0 && index > 0 && (isClause || isJoin)) starts.push(start);
  }
  return [0, ...starts].map((start, index) => sql.slice(start, starts[index]).trim()).join('\n');
}

const CLAUSES = new Set(['FROM', 'WHERE', 'HAVING', 'LIMIT', 'UNION', 'EXCEPT', 'INTERSECT']);
const JOIN_WORDS = new Set(['LEFT', 'RIGHT', 'INNER', 'OUTER', 'CROSS', 'NATURAL', 'JOIN']);
