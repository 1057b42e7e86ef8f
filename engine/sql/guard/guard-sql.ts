import { parseStatement, translate } from '../duckdb/translate.js';
import { UntranslatableConstructError } from '../duckdb/tree/translator.js';
import { maskNonCode } from '../reading/lexemes.js';
import { createSqlReader } from '../reading/sql-reader.js';
import { findToken, type SqlToken, sqlTokens } from '../reading/statement.js';
import { toTree } from '../reading/tree.js';
import { UntranslatableSqlError } from '../reading/untranslatable-sql-error.js';
import { depthOfGroups, MAX_NESTED_GROUPS } from './nested-groups.js';
import type { PublicTables } from './public-table.js';
import { type Pointer, reject, SqlRejectedError, UnplacedRejection } from './rejection.js';
import { type WrittenQuery, writePublicQuery } from './write-public-query.js';

/** The maximum number of rows that an untrusted query returns. */
export const MAX_ROWS = 100;
/** The maximum number of characters of untrusted SQL. */
export const MAX_SQL_LENGTH = 8_192;
/** The maximum depth of nested parentheses. Deeper nesting could overflow the stack of the parser. */
const MAX_DEPTH = 32;

/**
 * Checks untrusted SQL in the MySQL dialect. The SQL must be one SELECT that reads only public tables and calls only
 * listed functions. Returns a new query that is written from the checked parts, so that text that the parser skipped
 * never runs. The LIMIT of the new query is at most `MAX_ROWS` + 1. Throws `SqlRejectedError`, also for every construct
 * that the guard does not know.
 *
 * `markers` are the names of bound values: the placeholder `:name` with the first name becomes `:p1`.
 */
export function guardSql(sql: string, tables: PublicTables, markers: readonly string[] = []): WrittenQuery {
  requirePlainText(sql);
  const reading = createSqlReader()(sql);
  if ('message' in reading) throw new SqlRejectedError(reading.message, reading.start);
  try {
    const written = reading.findings.rejections.find(({ token }) => EXPLAINED_CLAUSES.has(token));
    if (written !== undefined) reject(written.message, written.token);
    const tree = parseStatement(sql);
    if (depthOfGroups(toTree(tree)) > MAX_NESTED_GROUPS) {
      reject(`SELECTs with aggregates are nested deeper than ${MAX_NESTED_GROUPS}`, 'SELECT');
    }
    const query = writePublicQuery(tree, sql, { tables, rows: MAX_ROWS + 1, markers });
    // Queries that the embedded database cannot run are rejected on every database, so that all databases accept the
    // same queries.
    translate(query.sql);
    return query;
  } catch (error) {
    throw toRejection(error, sql);
  }
}

/** Clauses for which the SQL reader's rejection has a better message than that of the guard. */
const EXPLAINED_CLAUSES = new Set(['INTO', 'FOR', 'WITH']);

function requirePlainText(sql: string): void {
  const { length } = [...sql];
  if (length > MAX_SQL_LENGTH) {
    const reason = `the SQL has ${length} characters; at most ${MAX_SQL_LENGTH} are allowed`;
    throw new SqlRejectedError(reason, MAX_SQL_LENGTH);
  }
  const position = sql.search(FORBIDDEN_CHARACTERS);
  if (position >= 0)
    throw new SqlRejectedError('the SQL contains a control character or half of a surrogate pair', position);
  let depth = 0;
  for (const { 0: sign, index } of maskNonCode(sql).matchAll(/[()]/g)) {
    depth += sign === '(' ? 1 : -1;
    if (depth > MAX_DEPTH) {
      throw new SqlRejectedError(`parentheses are nested deeper than ${MAX_DEPTH}`, index);
    }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]|\p{Surrogate}/u;

/**
 * Converts an error of the guard, the parser or the translation to a rejection with a position in the SQL. Returns
 * other errors unchanged.
 */
function toRejection(error: unknown, sql: string): unknown {
  if (error instanceof UnplacedRejection) return new SqlRejectedError(error.reason, placeOf(error.pointer, sql));
  if (error instanceof UntranslatableConstructError) {
    const { construct, hint } = error;
    const [first = ''] = construct.toLowerCase().split(' ', 1);
    return new SqlRejectedError(
      `${construct} is not allowed here${hint === '' ? '' : `: ${hint}`}`,
      placeOf({ word: first, name: undefined }, sql),
    );
  }
  // The guard throws a TypeError or RangeError if the parser returns a syntax tree with an unexpected structure.
  if (error instanceof UntranslatableSqlError || error instanceof TypeError || error instanceof RangeError) {
    return new SqlRejectedError(`the SQL contains an unknown construct: ${error.message}`, 0);
  }
  return error;
}

function placeOf({ word, name }: Pointer, sql: string): number {
  const near = name?.span.start;
  if (word === '' && near !== undefined) return near;
  const tokens = sqlTokens(sql);
  const calls = near === undefined ? [] : findOpenCalls(near, tokens);
  return (findToken(calls, word) ?? findToken(tokens, word))?.start ?? 0;
}

/** Finds the parentheses that are open at a position. Returns the token before each open parenthesis, the outermost first. */
function findOpenCalls(position: number, tokens: readonly SqlToken[]): readonly SqlToken[] {
  const open: SqlToken[] = [];
  tokens.forEach((token, at) => {
    if (token.start >= position) return;
    if (token.text === '(') open.push(tokens[at - 1] ?? token);
    if (token.text === ')') open.pop();
  });
  return open;
}
