import type { ColumnDefinition } from '../definition/definition.js';
import type { Cell, ResultColumn } from '../interface/database.js';

/** What is wrong between a declared column and what the database returned for it; undefined when nothing is. */
export function findColumnMismatch(
  { col, data_type, nullable }: ColumnDefinition,
  got: ResultColumn | undefined,
  cells: readonly Cell[],
): { expected: string; got: string } | undefined {
  if (got === undefined || got.name !== col) return { expected: `column ${col}`, got: got?.name ?? 'no column' };
  if (!canShow(data_type, got.type)) return { expected: data_type, got: got.type };
  if (!nullable && cells.includes(null)) return { expected: 'no NULL', got: 'NULL' };
  return undefined;
}

/** Whether values of a database's type keep their meaning under a declared type. */
function canShow(declared: string, got: string): boolean {
  if (declared === got) return true;
  const [to, from] = [FAMILY[declared] ?? 'text', FAMILY[got] ?? 'text'];
  return to === from || WIDER[to]?.includes(from) === true;
}

type Family = 'integer' | 'decimal' | 'float' | 'text' | 'binary' | 'date' | 'datetime' | 'time';

const FAMILY: Readonly<Record<string, Family>> = {
  TINYINT: 'integer',
  SMALLINT: 'integer',
  MEDIUMINT: 'integer',
  INT: 'integer',
  BIGINT: 'integer',
  'UNSIGNED BIGINT': 'integer',
  YEAR: 'integer',
  BIT: 'integer',
  DECIMAL: 'decimal',
  DOUBLE: 'float',
  FLOAT: 'float',
  DATE: 'date',
  DATETIME: 'datetime',
  TIMESTAMP: 'datetime',
  TIME: 'time',
  BINARY: 'binary',
  VARBINARY: 'binary',
  BLOB: 'binary',
};

const WIDER: Partial<Record<Family, readonly Family[]>> = {
  decimal: ['integer'],
  float: ['decimal', 'integer'],
  datetime: ['date'],
};
