import mysql, { type FieldPacket } from 'mysql2';
import type { Cell, DataType, ResultColumn } from '../../../engine/index.js';

/** How the rows of one result become cells. */
export interface RowReader {
  readonly columns: readonly ResultColumn[];
  /** Takes the values as mysql2 gives them, and changes those in place that are no cells yet. */
  read(values: unknown[]): Cell[];
}

export function rowReader(fields: readonly FieldPacket[]): RowReader {
  const changes = fields.flatMap((field, index) => {
    const change = changeOf(field);
    return change === undefined ? [] : [{ index, change }];
  });
  return {
    columns: fields.map((field) => ({ name: field.name, type: typeName(field) })),
    read(values) {
      for (const { index, change } of changes) {
        const value = values[index];
        if (value !== null) values[index] = change(value);
      }
      return values as Cell[];
    },
  };
}

const { Types } = mysql;

/** Numbers of the flags and of the character set that a column's description carries. */
const UNSIGNED = 32;
const ENUM = 256;
const SET = 2048;
const BINARY_CHARSET = 63;

const NAMES: Readonly<Record<number, DataType>> = {
  [Types.DECIMAL]: 'DECIMAL',
  [Types.NEWDECIMAL]: 'DECIMAL',
  [Types.TINY]: 'TINYINT',
  [Types.SHORT]: 'SMALLINT',
  [Types.INT24]: 'MEDIUMINT',
  [Types.LONG]: 'INT',
  [Types.LONGLONG]: 'BIGINT',
  [Types.FLOAT]: 'FLOAT',
  [Types.DOUBLE]: 'DOUBLE',
  [Types.TIMESTAMP]: 'TIMESTAMP',
  [Types.DATE]: 'DATE',
  [Types.NEWDATE]: 'DATE',
  [Types.TIME]: 'TIME',
  [Types.DATETIME]: 'DATETIME',
  [Types.YEAR]: 'YEAR',
  [Types.BIT]: 'BIT',
  [Types.JSON]: 'JSON',
  [Types.NULL]: 'INT',
};

/** The four sizes of text and blobs by the most bytes they hold, where a character of text takes up to four. */
const SIZES = [
  { bytes: 255, text: 'TINYTEXT', blob: 'TINYBLOB' },
  { bytes: 65_535, text: 'TEXT', blob: 'BLOB' },
  { bytes: 16_777_215, text: 'MEDIUMTEXT', blob: 'MEDIUMBLOB' },
  { bytes: Number.POSITIVE_INFINITY, text: 'LONGTEXT', blob: 'LONGBLOB' },
] as const;

function typeName(field: FieldPacket): DataType {
  const flags = Number(field.flags);
  if (field.extendedFormat === 'json') return 'JSON';
  if (field.columnType === Types.LONGLONG && flags & UNSIGNED) return 'UNSIGNED BIGINT';
  const name = NAMES[field.columnType ?? Types.VAR_STRING];
  if (name !== undefined) return name;
  if (flags & ENUM) return 'ENUM';
  if (flags & SET) return 'SET';
  const isBinary = field.characterSet === BINARY_CHARSET;
  if (field.columnType === Types.STRING) return isBinary ? 'BINARY' : 'CHAR';
  if (isBlob(field)) {
    const bytes = (field.columnLength ?? 0) / (isBinary ? 1 : 4);
    const size = SIZES.find((one) => bytes <= one.bytes) ?? SIZES[3];
    return isBinary ? size.blob : size.text;
  }
  return isBinary ? 'VARBINARY' : 'VARCHAR';
}

function isBlob({ columnType }: FieldPacket): boolean {
  return columnType !== undefined && columnType >= Types.TINY_BLOB && columnType <= Types.BLOB;
}

/** What makes a cell of a value that mysql2 does not give as one; undefined where it does. */
function changeOf(field: FieldPacket): ((value: unknown) => Cell) | undefined {
  switch (field.columnType) {
    case Types.LONGLONG:
      return (value) => (typeof value === 'string' ? BigInt(value) : (value as number));
    case Types.FLOAT:
      return (value) => shortest(value as number);
    case Types.BIT:
      return (value) => integer(value as Buffer);
    case Types.DATETIME:
    case Types.TIMESTAMP:
    case Types.TIME:
      return field.decimals === 0 ? undefined : (value) => sixDigits(value as string);
    case Types.GEOMETRY:
    case Types.VECTOR:
      return (value) => JSON.stringify(value);
    case Types.JSON:
      return undefined;
    default:
      if (field.characterSet !== BINARY_CHARSET) return undefined;
      return (value) => (Buffer.isBuffer(value) ? `0x${value.toString('hex')}` : (value as Cell));
  }
}

/** The shortest number that is the same FLOAT: 0.1, where its 32 bits read as a DOUBLE are 0.10000000149011612. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded;
  }
  return value;
}

function integer(bytes: Buffer): Cell {
  const value = BigInt(`0x${bytes.toString('hex')}`);
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** A fraction of a second is left out where it is zero, and written with six digits where it is not. */
function sixDigits(text: string): string {
  const point = text.indexOf('.');
  if (point < 0) return text;
  const fraction = text.slice(point + 1);
  return /[1-9]/.test(fraction) ? `${text.slice(0, point)}.${fraction.padEnd(6, '0')}` : text.slice(0, point);
}
