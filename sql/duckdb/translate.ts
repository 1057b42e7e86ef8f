import { Dialect, parse } from '@polyglot-sql/sdk';
import { UntranslatableSqlError } from '../untranslatable-sql-error.js';
import { type KeyChoice, writeDdl } from './ddl.js';
import { bindLongArguments } from './expansion.js';
import { FUNCTIONS, translator } from './expression.js';
import { PREDICATES } from './functions/conditions.js';
import { readTableColumns, type TableColumns } from './table-columns.js';
import { nameColumns } from './tree/column-names.js';
import { SYNONYMS } from './tree/function-names.js';
import { prepareForParser } from './tree/source.js';
import { type Node, reject, toNode } from './tree/tree.js';

/**
 * The DuckDB text of one SELECT that is written in the MySQL dialect; `:p1` becomes `$1`. The text calls the macros of
 * `translate/macros.ts`, which an opened database has. Throws `UntranslatableSqlError` that names what cannot be said.
 *
 * The parser's own generator is not used: it renames functions without regard to what their results mean in MySQL.
 */
export function translate(sql: string): string {
  const { sql: text, words } = bindLongArguments(translator.query(nameColumns(parseStatement(sql))));
  if (words > MAX_WORDS) reject('A query with so many calls within calls');
  return text;
}

/** DuckDB plans this many in less than a second; the largest definition has half of it. */
const MAX_WORDS = 40_000;

/**
 * DuckDB's statements for one statement of MySQL that makes, changes or drops a table or an index: usually one, more
 * where DuckDB says in several what MySQL says in one, none for an index that is not kept.
 */
export function translateDdl(sql: string, choice: KeyChoice = { keepKeys: () => true }): readonly string[] {
  return writeDdl(parseStatement(sql), choice);
}

/** The columns that are there after statements as `translateDdl` takes them. */
export function readDefinedColumns(statements: readonly string[]): TableColumns {
  return readTableColumns(statements.map(parseStatement));
}

/** The names of the functions that a query may call, in capitals; CASE, CAST and the like are no functions here. */
export function listFunctions(): readonly string[] {
  return [...new Set([...Object.keys(FUNCTIONS), ...Object.keys(PREDICATES), ...Object.keys(SYNONYMS)])].sort();
}

/** The one statement of the text. */
function parseStatement(sql: string): Node {
  const result = parse(prepareForParser(sql), Dialect.MySQL);
  if (!result.success)
    throw new UntranslatableSqlError(`The SQL cannot be read: ${result.error ?? 'no reason is known'}.`);
  const statements = (result.ast as unknown[]) ?? [];
  const [only] = statements;
  if (only === undefined || statements.length !== 1) return reject(`A text of ${statements.length} statements`);
  return toNode(only);
}
