import type { Cell, ResultColumn } from '../../databases/interface/database.js';
import type { ColumnDefinition } from '../../definitions/definition.js';

/** Compares a declared column with the column and the cells that the database returned. Returns undefined if they match. */
export function findColumnMismatch(
  { col, data_type, nullable }: ColumnDefinition,
  got: ResultColumn | undefined,
  cells: readonly Cell[],
): { expected: string; got: string } | undefined {
  if (got === undefined || got.name !== col) return { expected: `column ${col}`, got: got?.name ?? 'no column' };
  if (!canRepresent(data_type, got.type)) return { expected: data_type, got: got.type };
  if (!nullable && cells.includes(null)) return { expected: 'no NULL', got: 'NULL' };
  return undefined;
}

/** Whether the declared type can represent the values of a database type. */
function canRepresent(declared: string, got: string): boolean {
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
