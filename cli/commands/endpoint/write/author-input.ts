import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AuthorText, TableMeanings } from '../../../../engine/index.js';
import type { CommandContext } from '../../../terminal/command-context.js';
import type { NewOptions } from './new-options.js';

/** Reads the SELECT that the options name. A table becomes a SELECT of its columns in a complete order. */
export async function readAuthorText(
  { cwd, input }: Pick<CommandContext, 'cwd' | 'input'>,
  { sql, table = '' }: NewOptions,
  tables: TableMeanings,
): Promise<AuthorText> {
  if (sql === '-') {
    const text = await input();
    if (text.trim() === '') throw new Error('--sql -: expected a SELECT on the standard input, got nothing.');
    return { file: 'stdin', text: normalizeLines(text) };
  }
  if (sql !== undefined) return { file: sql, text: normalizeLines(await readSqlFile(cwd, sql)) };
  return { file: `--table ${table}`, text: await selectTable(table, tables) };
}

/** Removes what editors of Windows add: the mark at the start of the text and the carriage returns. */
function normalizeLines(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
}

async function readSqlFile(cwd: string, file: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new Error(`--sql ${file}: the file cannot be read: ${(error as Error).message}`);
  }
}

/** The rows of a page of a table. */
const PAGE_ROWS = 30;

async function selectTable(table: string, tables: TableMeanings): Promise<string> {
  const { didYouMean, quoteName } = await import('../../../../engine/index.js');
  const meaning = tables.get(table.toLowerCase());
  if (meaning === undefined)
    throw new Error(
      `--table ${table}: the database has no such table that a definition can read${didYouMean(table, [...tables.keys()])}.`,
    );
  const columns = [...meaning.columns.keys()].map((column) => `  ${quoteName(column)}`).join(',\n');
  const order = meaning.order.map(quoteName).join(', ');
  return `SELECT\n${columns}\nFROM ${quoteName(table)}\nORDER BY ${order}\nLIMIT ${PAGE_ROWS}\n`;
}
