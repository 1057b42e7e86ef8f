import { requireOnlyFields } from '../duckdb/tree/translator.js';
import { child, type Node } from '../reading/tree.js';
import { reject } from './rejection.js';
import type { Writer } from './writer.js';

/** Writes `CAST(x AS type)`. The parser also returns this node for `BINARY x`. */
export function writeCast(node: Node, writer: Writer): string {
  requireOnlyFields('cast', node.fields, ['this', 'to']);
  const { data_type, name, length, precision, scale } = node.fields.to as DataType;
  if (data_type === 'character_set' && !/^utf8(mb4)?$/i.test(String(name))) {
    reject(`the character set ${name} is not allowed; known: utf8mb4`, name);
  }
  const word = data_type === 'custom' ? String(name).toUpperCase() : data_type.toUpperCase();
  const sizes = [precision ?? length, scale].filter((size) => size !== null && size !== undefined).map(Number);
  return writeTypeCast(child(node, 'this'), word, sizes, writer);
}

/** Writes `CONVERT(x, type)` as a CAST. The parser returns the type as a column or as a function. */
export function writeConvert(args: readonly Node[], writer: Writer): string {
  const [x, type] = args;
  if (x === undefined || type === undefined || args.length > 2)
    return reject('CONVERT needs a value and a type', 'CONVERT');
  const { name } = type.fields;
  const word = type.kind === 'column' ? (name as { name: string }).name : String(name);
  const sizes = ((type.fields.args ?? []) as { literal?: { value: string } }[]).map(({ literal }) =>
    Number(literal?.value),
  );
  return writeTypeCast(x, word.toUpperCase(), sizes, writer);
}

interface DataType {
  readonly data_type: string;
  readonly name?: string;
  readonly precision?: number | null;
  readonly scale?: number | null;
  readonly length?: number | null;
}

/**
 * The allowed types, by their names in the author's text. Each list contains the type in the written query, then the
 * maximum of each of its sizes.
 */
const TYPES: Readonly<Record<string, readonly [string, ...number[]]>> = {
  SIGNED: ['SIGNED'],
  UNSIGNED: ['UNSIGNED'],
  DECIMAL: ['DECIMAL', 38, 30],
  DOUBLE: ['DOUBLE'],
  CHAR: ['CHAR', 16_384],
  NCHAR: ['CHAR', 16_384],
  CHARACTER_SET: ['CHAR'],
  BINARY: ['BINARY'],
  DATE: ['DATE'],
  DATETIME: ['DATETIME', 6],
  TIMESTAMP: ['DATETIME', 6],
  TIME: ['TIME'],
};

function writeTypeCast(x: Node, type: string, given: readonly number[], writer: Writer): string {
  // The parser returns some types as one text, such as DATETIME(6) or SIGNED INTEGER.
  const [, name = '', written] = /^([A-Z_]+)(?: INTEGER| INT)?(?:\((\d+)\))?$/.exec(type) ?? [];
  const sizes = written === undefined ? given : [Number(written)];
  // FLOAT is rejected, because databases display it with different digits.
  if (name === 'FLOAT') reject('CAST(… AS FLOAT) is not allowed; write DOUBLE', name);
  const [word, ...largest] = TYPES[name] ?? reject(`CAST(… AS ${type}) is not allowed`, name);
  const isWrong = (size: number, index: number) => !Number.isInteger(size) || size < 0 || size > (largest[index] ?? -1);
  if (sizes.some(isWrong)) reject(`the size of ${word} is not allowed`, name);
  return `CAST(${writer.value(x)} AS ${word}${sizes.length === 0 ? '' : `(${sizes.join(', ')})`})`;
}
