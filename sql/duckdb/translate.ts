import { Dialect, parse } from '../reading/parser.js';
import { UntranslatableSqlError } from '../untranslatable-sql-error.js';
import { ddl, type KeyChoice } from './ddl.js';
import { boundOnce } from './expansion.js';
import { FUNCTIONS, translator } from './expression.js';
import { PREDICATES } from './functions/conditions.js';
import { type TableColumns, tableColumns } from './table-columns.js';
import { named } from './tree/column-names.js';
import { SYNONYMS } from './tree/function-names.js';
import { readable } from './tree/source.js';
import { type Node, open, refuse } from './tree/tree.js';

/**
 * The DuckDB text of one SELECT that is written in the MySQL dialect; `:p1` becomes `$1`. The text calls the macros of
 * `translate/macros.ts`, which an opened database has. Throws `UntranslatableSqlError` that names what cannot be said.
 *
 * The parser's own generator is not used: it renames functions without regard to what their results mean in MySQL.
 */
export function translate(sql: string): string {
  const { sql: text, words } = boundOnce(translator.query(named(parsed(sql))));
  if (words > MAX_WORDS) refuse('A query with so many calls within calls');
  return text;
}

/** DuckDB plans this many in less than a second; the largest definition has half of it. */
const MAX_WORDS = 40_000;

/**
 * DuckDB's statements for one statement of MySQL that makes, changes or drops a table or an index: usually one, more
 * where DuckDB says in several what MySQL says in one, none for an index that is not kept.
 */
export function translateDdl(sql: string, choice: KeyChoice = { keepKeys: () => true }): readonly string[] {
  return ddl(parsed(sql), choice);
}

/** The columns that are there after statements as `translateDdl` takes them. */
export function definedColumns(statements: readonly string[]): TableColumns {
  return tableColumns(statements.map(parsed));
}

/** The names of the functions that a query may call, in capitals; CASE, CAST and the like are no functions here. */
export function knownFunctions(): readonly string[] {
  return [...new Set([...Object.keys(FUNCTIONS), ...Object.keys(PREDICATES), ...Object.keys(SYNONYMS)])].sort();
}

/** The one statement of the text. */
function parsed(sql: string): Node {
  const result = parse(readable(sql), Dialect.MySQL);
  if (!result.success)
    throw new UntranslatableSqlError(`The SQL cannot be read: ${result.error ?? 'no reason is known'}.`);
  const statements = (result.ast as unknown[]) ?? [];
  const [only] = statements;
  if (only === undefined || statements.length !== 1) return refuse(`A text of ${statements.length} statements`);
  return open(only);
}
