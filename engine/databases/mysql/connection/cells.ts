import mysql, { type FieldPacket } from 'mysql2';
import type { DataType } from '../../interface/data-types.js';
import type { Cell, DescribedColumn, ResultColumn } from '../../interface/database.js';
import { EngineError } from '../../interface/errors.js';
import { QUERY_FAULTS } from '../../query-faults.js';
import type { Flavor } from './flavor.js';

/** Converts the rows of one result into cells. */
export interface RowReader {
  readonly columns: readonly ResultColumn[];
  /** Converts the values of a row from mysql2 in place. */
  read(values: unknown[]): Cell[];
}

/** Creates the reader of a result. The column types determine the conversions. */
export function createRowReader(fields: readonly FieldPacket[]): RowReader {
  requireReadableBits(fields);
  const conversions = fields.flatMap((field, index) => {
    const convert = conversionOf(field);
    return convert === undefined ? [] : [{ index, convert }];
  });
  return {
    columns: fields.map((field) => ({ name: field.name, type: typeName(field) })),
    read(values) {
      for (const { index, convert } of conversions) {
        const value = values[index];
        if (value !== null) values[index] = convert(value);
      }
      return values as Cell[];
    },
  };
}

/**
 * Throws for an expression or a UNION of the type BIT, such as `MAX(flags)`. Servers send some of these values as bytes and others as
 * decimal digits, and nothing in the result distinguishes them: the byte 0x35 is the number 53, or the digit 5.
 */
export function requireReadableBits(fields: readonly FieldPacket[]): void {
  const field = fields.find(({ columnType, flags }) => columnType === Types.BIT && Number(flags) & BINARY);
  if (field !== undefined) throw new EngineError('query_failed', QUERY_FAULTS.calculatedBits(field.name));
}

/** Describes a column of a result. `nullable` is absent for TiDB, which wrongly reports some expressions, such as NULLIF, as not null. */
export function describeField(field: FieldPacket, flavor: Flavor): DescribedColumn {
  const type = typeName(field);
  return {
    name: field.name,
    type,
    ...(type === 'DECIMAL' && { scale: field.decimals ?? 0 }),
    ...(flavor !== 'tidb' && { nullable: (Number(field.flags) & NOT_NULL) === 0 }),
  };
}

const { Types } = mysql;

/** Values in the column description of the protocol: bits of its flags, and the number of the binary character set. */
const NOT_NULL = 1;
const UNSIGNED = 32;
/** Set for every expression of the type BIT, but not for a column of a table. */
const BINARY = 128;
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

/** The names of TEXT and BLOB types by their maximum number of bytes. A character takes up to four bytes. */
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

/** Returns the conversion from a value of mysql2 to a cell. Returns undefined if the values are already cells. */
function conversionOf(field: FieldPacket): ((value: unknown) => Cell) | undefined {
  switch (field.columnType) {
    case Types.LONGLONG:
      return (value) => (typeof value === 'string' ? BigInt(value) : (value as number));
    case Types.FLOAT:
      return (value) => shortestFloat(value as number);
    case Types.BIT:
      return (value) => integerOfBits(value as Buffer);
    case Types.DATETIME:
    case Types.TIMESTAMP:
    case Types.TIME:
      return field.decimals === 0 ? undefined : (value) => normalizeFraction(value as string);
    case Types.GEOMETRY:
    case Types.VECTOR:
      return (value) => JSON.stringify(value);
    case Types.JSON:
    // Numbers and dates also have the binary character set, but mysql2 never returns them as bytes.
    case Types.TINY:
    case Types.SHORT:
    case Types.INT24:
    case Types.LONG:
    case Types.DOUBLE:
    case Types.DECIMAL:
    case Types.NEWDECIMAL:
    case Types.YEAR:
    case Types.DATE:
      return undefined;
    default:
      if (field.characterSet !== BINARY_CHARSET) return undefined;
      return (value) => (Buffer.isBuffer(value) ? `0x${value.toString('hex')}` : (value as Cell));
  }
}

/**
 * Returns the shortest number that has the same value as a 32-bit FLOAT. For example, it returns 0.1 and not
 * 0.10000000149011612, which is the exact value of the FLOAT.
 */
function shortestFloat(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded;
  }
  return value;
}

function integerOfBits(bytes: Buffer): Cell {
  const value = BigInt(`0x${bytes.toString('hex')}`);
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** Removes a fraction of a second that is zero. Pads any other fraction to six digits. */
function normalizeFraction(text: string): string {
  const point = text.indexOf('.');
  if (point < 0) return text;
  const fraction = text.slice(point + 1);
  return /[1-9]/.test(fraction) ? `${text.slice(0, point)}.${fraction.padEnd(6, '0')}` : text.slice(0, point);
}
