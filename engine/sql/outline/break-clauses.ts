import { sqlTokens } from '../reading/statement.js';

/** Writes each clause of a query of one line on its own line. Other queries have the lines of their author. */
export function breakClauses(sql: string): string {
  if (sql.includes('\n')) return sql;
  const tokens = sqlTokens(sql).map(({ start, end }) => ({ start, text: sql.slice(start, end).toUpperCase() }));
  const starts: number[] = [];
  let depth = 0;
  tokens.forEach(({ start, text }, index) => {
    // Words in the braces of a template are not clauses.
    if (text === '(' || text === '{') depth += 1;
    if (text === ')' || text === '}') depth -= 1;
    const before = tokens[index - 1]?.text ?? '';
    const next = tokens[index + 1]?.text ?? '';
    const isMain = text === 'SELECT' && before === ')';
    const isClause = isMain || CLAUSES.has(text) || (/^(GROUP|ORDER)$/.test(text) && next === 'BY');
    const isJoin = JOIN_WORDS.has(text) && !JOIN_WORDS.has(before) && next !== '(';
    if (depth === 0 && index > 0 && (isClause || isJoin)) starts.push(start);
  });
  return [0, ...starts].map((start, index) => sql.slice(start, starts[index]).trim()).join('\n');
}

const CLAUSES = new Set(['FROM', 'WHERE', 'HAVING', 'LIMIT', 'UNION', 'EXCEPT', 'INTERSECT']);
const JOIN_WORDS = new Set(['LEFT', 'RIGHT', 'INNER', 'OUTER', 'CROSS', 'NATURAL', 'JOIN']);
