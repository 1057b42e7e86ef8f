import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../../engine/databases/duckdb/connection/read-rows.js';
import type { ColumnType } from './column-type.js';
import { readColumnType } from './column-type.js';
import { type SourceColumn, STAGED_ROWS } from './read-source.js';
import type { TableDocument } from './table-document.js';

/** Infers the types of the columns from all staged values. The descriptions are empty. A text column of a Parquet file stays text. */
export async function inferDocument(
  staging: DuckDBConnection,
  columns: readonly SourceColumn[],
): Promise<TableDocument> {
  const entries: [string, TableDocument['columns'][string]][] = [];
  for (const [index, { name, type }] of columns.entries()) {
    const [[hasNull, length, ...fits] = []] = await readRows(staging, factsSql(`c${index}`));
    const candidates = isText(type) ? [] : CANDIDATES.filter((_, place) => fits[place] === 1);
    const fitting = candidates[0]?.name ?? textType(Number(length));
    const inferred = isDecimal(type) ? type : Number(length) === 0 ? 'VARCHAR(255)' : fitting;
    entries.push([name, { type: inferred, description: '', ...(hasNull === 1 && { nullable: true }) }]);
  }
  return { description: '', columns: Object.fromEntries(entries) };
}

function isText(type: string | undefined): boolean {
  return type !== undefined && /^(VARCHAR|UUID|TIME|ENUM.*)$/.test(type);
}

function isDecimal(type: string | undefined): type is string {
  return type !== undefined && readColumnType(type) !== undefined && type.startsWith('DECIMAL');
}

/** The candidate types, from the narrowest to the widest. A code such as `007` stays text, and so does a number with too many digits. */
const CANDIDATES = [
  candidate('BOOLEAN', (text) => `lower(${text}) IN ('true', 'false')`),
  candidate('BIGINT', (text) => `NOT regexp_matches(${text}, '^[+-]?0[0-9]|\\.')`),
  // A DOUBLE has at least 15 exact digits.
  candidate('DOUBLE', (text) => `NOT regexp_matches(${text}, '^[+-]?(0[0-9]|[0-9]{16})')`),
  candidate('DATE'),
  candidate('DATETIME'),
];

function candidate(name: string, restriction: (text: string) => string = () => 'TRUE') {
  const { isValid } = readColumnType(name) as ColumnType;
  return { name, fits: (text: string) => `${isValid(text)} AND ${restriction(text)}` };
}

/** Selects whether a column contains NULL, its maximum length, and for each candidate whether all values fit. NULL fits every type. */
function factsSql(column: string): string {
  const fits = CANDIDATES.map(
    (one) => `COALESCE(bool_and(${one.fits(column)}) FILTER (${column} IS NOT NULL), FALSE)::TINYINT`,
  );
  return `
    SELECT (COUNT(*) > COUNT(${column}))::TINYINT, COALESCE(MAX(length(${column})), 0), ${fits.join(', ')}
    FROM ${STAGED_ROWS}`;
}

/** Returns a text type that is longer than the longest value, because later values may be longer. */
function textType(length: number): string {
  const size = [32, 64, 255, 1000].find((some) => 1.5 * length <= some);
  return size === undefined ? 'TEXT' : `VARCHAR(${size})`;
}
