import type { Cell, ResultSet } from '../../engine/index.js';
import { MAX_ROWS } from '../../sql/guard/guard-sql.js';
import { SqlRejectedError } from '../../sql/guard/rejection.js';
import { findTable, type TableReferences, UnknownTableError } from '../../warehouse/reference/find-table.js';
import { readShowStatement } from './read-show.js';

/**
 * Answers `SHOW TABLES`, `SHOW COLUMNS` and `DESCRIBE` from the table reference, so that only public tables and columns appear. No
 * query runs. Returns undefined for other SQL. Throws `SqlRejectedError`.
 */
export function showTables(sql: string, reference: TableReferences): ResultSet | undefined {
  const statement = readShowStatement(sql);
  if (statement === undefined) return undefined;
  if (statement.kind === 'columns') return showColumns(statement, reference);
  const { like } = statement;
  const tables = [...reference].filter(([name]) => like === undefined || isLike(name, like));
  return resultOf(
    ['name', 'description'],
    tables.map(([name, { description }]) => [name, description]),
  );
}

function showColumns({ table, at }: { readonly table: string; readonly at: number }, reference: TableReferences) {
  const [, { columns }] = findPublicTable(table, at, reference);
  return resultOf(
    ['name', 'type', 'unit', 'description'],
    [...columns].map(([name, { type, unit = null, description }]) => [name, type, unit, description]),
  );
}

function findPublicTable(table: string, at: number, reference: TableReferences) {
  try {
    return findTable(reference, table);
  } catch (error) {
    if (!(error instanceof UnknownTableError)) throw error;
    throw new SqlRejectedError(error.message, at);
  }
}

function resultOf(names: readonly string[], rows: readonly (readonly Cell[])[]): ResultSet {
  const columns = names.map((name) => ({ name, type: 'VARCHAR' }));
  return { columns, rows: rows.slice(0, MAX_ROWS), more: rows.length > MAX_ROWS };
}

/**
 * Whether a name matches a pattern of LIKE, in upper or lower case: `%` is any text, `_` is one character, and a backslash makes them
 * plain. A regular expression would need very long for some patterns.
 */
function isLike(name: string, pattern: string): boolean {
  let ends: readonly number[] = [0];
  for (const part of pattern.toLowerCase().match(/\\?[\s\S]/gu) ?? []) {
    const [first = name.length + 1] = ends;
    const plain = part.length > 1 ? part.slice(1) : part;
    const fits = (at: number) => at < name.length && (part === '_' || name.startsWith(plain, at));
    ends =
      part === '%'
        ? Array.from({ length: name.length + 1 - first }, (_, index) => first + index)
        : ends.filter(fits).map((at) => at + 1);
  }
  return ends.includes(name.length);
}
