import { readStatement } from '../reading/statement.js';
import { type Node, toNode } from '../reading/tree.js';
import { UntranslatableSqlError } from '../reading/untranslatable-sql-error.js';
import { type KeyChoice, writeDdl } from './ddl.js';
import { bindLongArguments } from './expansion.js';
import { FUNCTIONS, translator } from './expression.js';
import { PREDICATES } from './functions/conditions.js';
import { readTableColumns, type TableColumns } from './table-columns.js';
import { nameColumns } from './tree/column-names.js';
import { markCountColumns } from './tree/count-columns.js';
import { SYNONYMS } from './tree/function-names.js';
import { reject } from './tree/translator.js';

/**
 * Translates one SELECT from the MySQL dialect to DuckDB. `:p1` becomes `$1`. The translated SQL calls
 * the macros of `macros.ts`. Throws an `UntranslatableSqlError` that names the construct without an equivalent.
 *
 * The SQL generator of the parser package is not used, because it renames functions but does not preserve the meaning of their results.
 */
export function translate(sql: string): string {
  const { sql: text, words } = bindLongArguments(translator.query(readTypes(nameColumns(parseStatement(sql), sql))));
  if (words > MAX_WORDS) reject('A query with so many nested calls');
  return text;
}

/**
 * The maximum number of words of a translated query. DuckDB plans a query of this length in less than a second. The
 * largest definition has half as many words.
 */
const MAX_WORDS = 40_000;

/**
 * Translates one MySQL statement that creates, changes or drops a table or an index. Usually returns one DuckDB
 * statement; several if DuckDB needs them, and none for an index that `choice` omits.
 */
export function translateDdl(sql: string, choice: KeyChoice = { keepKeys: () => true }): readonly string[] {
  return writeDdl(parseStatement(sql), choice);
}

/** Returns the columns that exist after statements that `translateDdl` accepts. */
export function readDefinedColumns(statements: readonly string[]): TableColumns {
  return readTableColumns(statements.map(parseStatement));
}

/** Returns the names, in capital letters, of the functions that a query may call. Syntax such as CASE and CAST is not included. */
export function listFunctions(): readonly string[] {
  return [...new Set([...Object.keys(FUNCTIONS), ...Object.keys(PREDICATES), ...Object.keys(SYNONYMS)])].sort();
}

/** Marks the columns whose type follows from the query text alone. */
function readTypes({ kind, fields }: Node): Node {
  return toNode(markCountColumns({ [kind]: fields }));
}

/** Parses a text that contains exactly one statement. */
export function parseStatement(sql: string): Node {
  const reading = readStatement(sql);
  if ('message' in reading) throw new UntranslatableSqlError(`The SQL cannot be read: ${reading.message}.`);
  return toNode(reading.tree);
}
