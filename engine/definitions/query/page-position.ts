import { type DataType, INTEGERS } from '../../databases/interface/data-types.js';
import type { BoundValue, Cell } from '../../databases/interface/database.js';
import { MAX_DIGITS, type PageValue } from '../../sql/paging/page-query.js';

/** The value of one sort key in the last row of a page. */
export interface PositionValue {
  readonly form: PageValue;
  readonly value: BoundValue;
}

/** The position after which the next page starts: the values of all sort keys in the last row. */
export type PagePosition = readonly PositionValue[];

/** Returns the value of a sort key with its exact type; undefined if a later comparison with it could be inexact. */
export function readPositionValue(cell: Cell, type: string): PositionValue | undefined {
  const dataType = type as DataType;
  if (cell === null) return { form: { kind: 'null' }, value: null };
  if (INTEGERS.has(dataType)) return { form: PLAIN, value: typeof cell === 'string' ? BigInt(cell) : cell };
  if (dataType === 'DECIMAL') return readDecimal(String(cell));
  if (dataType === 'DOUBLE') return { form: PLAIN, value: Number(cell) };
  if (dataType === 'DATE') return { form: { kind: 'date' }, value: String(cell) };
  if (TIMES.has(dataType)) return { form: { kind: 'datetime' }, value: String(cell) };
  return TEXTS.has(dataType) ? { form: PLAIN, value: String(cell) } : undefined;
}

/** Whether a column of this type can be a sort key of a cursor. */
export function canBeKey(type: DataType): boolean {
  return INTEGERS.has(type) || TEXTS.has(type) || TIMES.has(type) || ['DECIMAL', 'DOUBLE', 'DATE'].includes(type);
}

const PLAIN = { kind: 'plain' } as const;
const TIMES: ReadonlySet<DataType> = new Set<DataType>(['DATETIME', 'TIMESTAMP']);
/** ENUM is excluded, because servers order it by its index but compare it as text. */
const TEXTS: ReadonlySet<DataType> = new Set<DataType>([
  'CHAR',
  'VARCHAR',
  'TINYTEXT',
  'TEXT',
  'MEDIUMTEXT',
  'LONGTEXT',
]);

function readDecimal(text: string): PositionValue | undefined {
  const [, whole, fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || whole.length + fraction.length > MAX_DIGITS || fraction.length > MAX_SCALE)
    return undefined;
  return { form: { kind: 'decimal', scale: fraction.length }, value: text };
}

/** The largest scale of a DECIMAL of MySQL and MariaDB. */
const MAX_SCALE = 30;
