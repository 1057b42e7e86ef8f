import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { KnownTable } from './tables.js';

/**
 * Creates a completion source. After a table or alias and a dot, it completes the columns of the table. Elsewhere, it completes all tables,
 * the columns of the tables in the SQL, and SQL keywords.
 */
export function tableCompletions(tables: () => readonly KnownTable[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/\w*/);
    const from = word?.from ?? context.pos;
    if (isInText(context)) return null;
    const text = context.state.doc.toString();
    const qualifier = /(\w+)`?\.$/.exec(text.slice(Math.max(0, from - 80), from))?.[1];
    if (qualifier !== undefined) {
      const table = findTable(qualifier, text, tables());
      return table === undefined ? null : { from, options: columnsOf(table), validFor: NAME };
    }
    if (word?.text === '' && !context.explicit) return null;
    const named = tables().filter(({ name }) => new RegExp(`\\b${name}\\b`, 'i').test(text));
    const options = [...tables().map(toCompletion), ...named.flatMap(columnsOf), ...WORDS];
    return { from, options, validFor: NAME };
  };
}

const NAME = /^\w*$/;

function isInText({ state, pos }: CompletionContext): boolean {
  return /String|Comment/.test(syntaxTree(state).resolveInner(pos, -1).name);
}

function findTable(name: string, text: string, tables: readonly KnownTable[]): KnownTable | undefined {
  const wanted = name.toLowerCase();
  const direct = tables.find((table) => table.name === wanted);
  if (direct !== undefined) return direct;
  const named = text.matchAll(new RegExp(`\\b(\\w+)\`?\\s+(?:AS\\s+)?\`?${wanted}\\b`, 'gi'));
  const names = [...named].map(([, before = '']) => before.toLowerCase());
  return tables.find((table) => names.includes(table.name));
}

function toCompletion({ name, description }: KnownTable): Completion {
  return { label: name, type: 'class', detail: 'table', info: plain(description), boost: -1 };
}

function columnsOf({ name: table, columns = [] }: KnownTable): Completion[] {
  return columns.map(({ name, type, description }) => ({
    label: name,
    type: 'property',
    detail: type,
    info: `${table}.${name}: ${plain(description)}`,
    boost: 1,
  }));
}

/** Converts a description in Markdown to plain text, which completions need. */
function plain(text: string): string {
  return text.replaceAll('`', '');
}

/** Keywords of a SELECT, and frequent functions that the playground allows. All others are in the reference of the dialect. */
const WORDS: readonly Completion[] = [
  ...['SELECT', 'FROM', 'WHERE', 'GROUP BY', 'HAVING', 'ORDER BY', 'LIMIT', 'DISTINCT', 'AS', 'DESC', 'ASC', 'WITH'],
  ...['JOIN', 'LEFT JOIN', 'ON', 'USING', 'UNION ALL', 'AND', 'OR', 'NOT', 'IN', 'BETWEEN', 'LIKE', 'IS NULL'],
  ...['IS NOT NULL', 'EXISTS', 'CASE', 'WHEN', 'THEN', 'ELSE', 'END', 'OVER', 'PARTITION BY', 'INTERVAL'],
  ...['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'ROUND', 'COALESCE', 'CONCAT', 'LOWER', 'DATE_FORMAT', 'ROW_NUMBER'],
].map((label) => ({ label, type: 'keyword' }));
