import { translate } from '../duckdb/translate.js';
import { placeInSource, readable } from '../duckdb/tree/source.js';
import { open, UnknownConstructError } from '../duckdb/tree/tree.js';
import { codeOf } from '../reading/lexemes.js';
import { Dialect, parse } from '../reading/parser.js';
import { createSqlReader, type SqlToken, sqlTokens } from '../reading/sql-reader.js';
import { UntranslatableSqlError } from '../untranslatable-sql-error.js';
import type { PublicTables } from './public-table.js';
import { type Pointer, RefusedWord, refuse, SqlRefusedError } from './rejection.js';
import { type WrittenQuery, writePublicQuery } from './write-tables.js';

/** The most rows that a query of a stranger gives. */
export const MAX_ROWS = 100;
/** Characters of SQL. */
export const MAX_SQL_LENGTH = 8_192;
/** Parentheses within each other: more, and the parser could run out of stack. */
const MAX_DEPTH = 32;

/**
 * Checks SQL of a stranger, in the MySQL dialect: one SELECT over public tables, with functions that are on a list. What
 * is to be run is written anew from what was checked, with a LIMIT of one row more than `MAX_ROWS`, so that nothing that
 * the parser passed over can be run. Throws `SqlRefusedError`, also for all that is not known.
 *
 * `markers` are names of bound values: the first, written `:name`, becomes `:p1`.
 */
export function guardSql(sql: string, tables: PublicTables, markers: readonly string[] = []): WrittenQuery {
  requirePlainText(sql);
  const reading = createSqlReader()(sql);
  if ('message' in reading) throw new SqlRefusedError(reading.message, reading.start);
  try {
    const written = reading.findings.refused.find(({ token }) => CLAUSES.has(token));
    if (written !== undefined) refuse(written.message, written.token);
    const tree = parsed(sql);
    const query = writePublicQuery(open(tree), sql, { tables, rows: MAX_ROWS + 1, markers });
    // What the embedded database cannot say is refused on every one, so that a query means the same wherever it runs.
    translate(query.sql);
    return query;
  } catch (error) {
    throw refusal(error, sql);
  }
}

/** What the reader of SQL can say better than that it is not known. */
const CLAUSES = new Set(['INTO', 'FOR', 'WITH']);

function requirePlainText(sql: string): void {
  const { length } = [...sql];
  if (length > MAX_SQL_LENGTH) {
    const reason = `the SQL has ${length} characters; at most ${MAX_SQL_LENGTH} are allowed`;
    throw new SqlRefusedError(reason, MAX_SQL_LENGTH);
  }
  const place = sql.search(UNPLAIN);
  if (place >= 0) throw new SqlRefusedError('the SQL holds a control character or half of a character', place);
  let depth = 0;
  for (const { 0: sign, index } of codeOf(sql).matchAll(/[()]/g)) {
    depth += sign === '(' ? 1 : -1;
    if (depth > MAX_DEPTH) {
      throw new SqlRefusedError(`more than ${MAX_DEPTH} parentheses stand within each other`, index);
    }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNPLAIN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]|\p{Surrogate}/u;

function parsed(sql: string): unknown {
  const { success, ast, error } = parse(readable(sql), Dialect.MySQL);
  const statements = (ast ?? []) as unknown[];
  if (!success) refuse(`the SQL cannot be read: ${error ?? 'no reason is known'}`);
  if (statements.length !== 1) refuse(`one SELECT is expected, got ${statements.length} statements`, ';');
  return statements[0];
}

/** What refused the SQL, with its place. */
function refusal(error: unknown, sql: string): unknown {
  if (error instanceof RefusedWord) return new SqlRefusedError(error.reason, placeOf(error.pointer, sql));
  if (error instanceof UnknownConstructError) {
    const { construct, hint } = error;
    const [first = ''] = construct.toLowerCase().split(' ', 1);
    return new SqlRefusedError(
      `${construct} is not allowed here${hint === '' ? '' : `: ${hint}`}`,
      placeOf({ word: first, name: undefined }, sql),
    );
  }
  // Whatever else the parser's tree surprises with is not known either.
  if (error instanceof UntranslatableSqlError || error instanceof TypeError || error instanceof RangeError) {
    return new SqlRefusedError(`the SQL holds something that is not known: ${error.message}`, 0);
  }
  return error;
}

function placeOf({ word, name }: Pointer, sql: string): number {
  const near = name === undefined ? undefined : placeInSource(sql, name.span.start);
  if (word === '' && near !== undefined) return near;
  const isWord = ({ text }: SqlToken) => text.toLowerCase() === word.toLowerCase();
  const tokens = sqlTokens(sql);
  const call = near === undefined ? undefined : callsAround(near, tokens).find(isWord);
  return (call ?? tokens.find(isWord))?.start ?? 0;
}

/** The words before the parentheses that are open at a place, the outermost first. */
function callsAround(place: number, tokens: readonly SqlToken[]): readonly SqlToken[] {
  const open: SqlToken[] = [];
  tokens.forEach((token, at) => {
    if (token.start >= place) return;
    if (token.text === '(') open.push(tokens[at - 1] ?? token);
    if (token.text === ')') open.pop();
  });
  return open;
}
