import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../../engine/databases/duckdb/connection/read-rows.js';
import { didYouMean } from '../../engine/index.js';
import { type ColumnType, readColumnType } from './column-type.js';
import { OwnTableError, quoteValue } from './own-table-error.js';
import { type SourceColumn, STAGED_ROWS } from './read-source.js';
import { findNameProblem, type OwnColumn, type TableDocument } from './table-document.js';

/** A column of the table, with its column in the staged rows. */
interface CheckedColumn extends OwnColumn {
  readonly name: string;
  readonly kind: ColumnType;
  /** The name of the column in the staged rows, which contains the text of the value. */
  readonly text: string;
}

/** Checks that the names of the columns of a file can be used. Throws `OwnTableError`. */
export function checkNames(file: string, columns: readonly SourceColumn[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    const problem = seen.has(name) ? `two columns have the name ${name}` : findNameProblem(name);
    if (problem !== undefined) throw new OwnTableError(`${file}: ${problem}`);
    seen.add(name);
  }
}

/**
 * Checks the staged rows against the types in the documentation. Returns the SELECT that converts the rows. Throws `OwnTableError` for the
 * first invalid value.
 */
export async function checkRows(
  staging: DuckDBConnection,
  file: string,
  columns: readonly SourceColumn[],
  document: TableDocument,
): Promise<string> {
  const checked = matchColumns(file, columns, document);
  await checkValues(staging, file, checked);
  await checkKey(staging, file, checked, document.key ?? []);
  return `SELECT ${checked.map(({ name, kind, text }) => `${kind.toValue(text)} AS ${name}`).join(', ')} FROM ${STAGED_ROWS}`;
}

function matchColumns(file: string, columns: readonly SourceColumn[], document: TableDocument): CheckedColumn[] {
  const declared = Object.keys(document.columns);
  const found = columns.map(({ name }) => name);
  const missing = declared.filter((name) => !found.includes(name));
  const extra = found.filter((name) => !declared.includes(name));
  const problems = [
    ...missing.map((name) => `the column ${name} is missing`),
    ...extra.map((name) => `the column ${quoteValue(name)} is not documented${didYouMean(name, missing)}`),
  ];
  if (problems.length > 0) throw new OwnTableError(`${file}: ${problems.join('; ')}`);
  return Object.entries(document.columns).map(([name, column]) => ({
    ...column,
    name,
    kind: readColumnType(column.type) as ColumnType,
    text: `c${found.indexOf(name)}`,
  }));
}

async function checkValues(staging: DuckDBConnection, file: string, columns: readonly CheckedColumn[]): Promise<void> {
  const wrong = columns.map(wrongSql);
  const firsts = wrong.map((condition) => `MIN("row") FILTER (${condition}), COUNT(*) FILTER (${condition})`);
  const [facts = []] = await readRows(staging, `SELECT ${firsts.join(', ')} FROM ${STAGED_ROWS}`);
  const places = columns.flatMap((column, index) => {
    const row = facts[2 * index] ?? null;
    return row === null ? [] : [{ column, row: Number(row), count: Number(facts[2 * index + 1]) }];
  });
  const [first] = places.sort((a, b) => a.row - b.row);
  if (first === undefined) return;
  const { column, row } = first;
  const [[value = null] = []] = await readRows(
    staging,
    `SELECT ${column.text} FROM ${STAGED_ROWS} WHERE "row" = ${row}`,
  );
  const more = places.reduce((sum, { count }) => sum + count, 0) - 1;
  const others = more === 0 ? '' : `; ${more} more ${more === 1 ? 'value does' : 'values do'} not fit`;
  const got = value === null ? 'no value; declare nullable: true if it can be missing' : quoteValue(String(value));
  const { expected } = column.kind;
  throw new OwnTableError(
    `${file}: row ${row}, column ${column.name}: expected ${expected} (${column.type}), got ${got}${others}`,
  );
}

function wrongSql({ kind, text, nullable }: CheckedColumn): string {
  const isValid = `COALESCE(${kind.isValid(text)}, FALSE)`;
  return `WHERE ${nullable ? `${text} IS NOT NULL AND ` : ''}NOT ${isValid}`;
}

async function checkKey(
  staging: DuckDBConnection,
  file: string,
  columns: readonly CheckedColumn[],
  key: readonly string[],
): Promise<void> {
  if (key.length === 0) return;
  const parts = columns.filter(({ name }) => key.includes(name));
  const values = parts.map(({ kind, text }) => kind.toValue(text)).join(', ');
  const [again] = await readRows(
    staging,
    `SELECT MIN("row"), MIN("row", 2)[2] AS second FROM ${STAGED_ROWS} GROUP BY ${values} HAVING COUNT(*) > 1
     ORDER BY second LIMIT 1`,
  );
  if (again === undefined) return;
  const [first, second] = again.map(Number) as [number, number];
  const texts = parts.map(({ text }) => text).join(', ');
  const [cells = []] = await readRows(staging, `SELECT ${texts} FROM ${STAGED_ROWS} WHERE "row" = ${second}`);
  const shown = parts.map(({ name }, index) => `${name} ${quoteValue(String(cells[index]))}`).join(', ');
  throw new OwnTableError(`${file}: row ${second} has the same key as row ${first}: ${shown}`);
}
