import { child, type Node } from '../../reading/tree.js';
import { writeClock, writeDay, writeInstant } from '../tree/instants.js';
import { MAX_DIGITS } from '../tree/literals.js';
import { type Result, reject, requireOnlyFields, type Translator } from '../tree/translator.js';
import { writeText } from './function-rule.js';

interface DataType {
  readonly data_type: string;
  readonly name?: string;
  readonly precision?: number | null;
  readonly scale?: number | null;
  readonly length?: number | null;
}

/** Writes `CAST(x AS type)`. The parser also returns this node for `BINARY x`. */
export function writeCast(node: Node, to: Translator): string {
  requireOnlyFields('cast', node.fields, ['this', 'to']);
  const type = node.fields.to as DataType;
  const [, write, sizes = []] = findCastRule(typeName(type)) ?? reject(`CAST(… AS ${typeName(type)})`);
  requireOnlyFields(`the type ${typeName(type)}`, { ...type }, ['data_type', ...sizes]);
  return write(child(node, 'this'), to, type);
}

/** Returns the type of the value of a CAST, or `unknown` for a type that is not supported. */
export function resultOfCast(node: Node): Result {
  return findCastRule(typeName(node.fields.to as DataType))?.[0] ?? 'unknown';
}

/** Writes `CONVERT(x, type)`. The parser returns the type as a column or as a function. */
export function writeConvert(args: readonly Node[], to: Translator): string {
  const [x, type] = args;
  if (x === undefined || type === undefined) return reject('CONVERT without exactly two arguments');
  const name = type.kind === 'column' ? (type.fields.name as { name: string }).name : String(type.fields.name);
  const values = ((type.fields.args ?? []) as { literal?: { value: string } }[]).map((size) =>
    Number(size.literal?.value),
  );
  const [, write, sizes = []] = findCastRule(name.toUpperCase()) ?? reject(`CONVERT(…, ${name.toUpperCase()})`);
  if (values.length > sizes.length) reject(`CONVERT(…, ${name.toUpperCase()}(${values.join(', ')}))`);
  const given = values.map((value, index) => [sizes[index], value] as const);
  return write(x, to, { data_type: name, ...Object.fromEntries(given) });
}

/** The rule of a cast: its result, its rewrite, and the fields with sizes that it reads from a type such as `DECIMAL(10, 2)`. */
type Cast = readonly [
  Result,
  (x: Node, to: Translator, type: DataType) => string,
  sizes?: readonly ('precision' | 'scale' | 'length')[],
];

/** Returns the rule of a type. The parser returns some type names with their size, such as `DATETIME(6)`. */
function findCastRule(name: string): Cast | undefined {
  return CASTS[name.startsWith('DATETIME(') ? 'DATETIME' : name];
}

const CASTS: Readonly<Record<string, Cast>> = {
  SIGNED: ['number', (x, to) => `mysql.signed(${to.value(x)})`],
  UNSIGNED: ['number', (x, to) => `mysql.unsigned(${to.value(x)})`],
  DECIMAL: ['number', writeDecimal, ['precision', 'scale']],
  DOUBLE: ['number', (x, to) => `mysql.double(${to.value(x)})`],
  FLOAT: ['number', writeFloat, ['precision']],
  CHAR: ['text', writeCharacters, ['length']],
  NCHAR: ['text', writeCharacters, ['length']],
  // BINARY only needs a conversion to text: DuckDB always compares text by its exact bytes.
  BINARY: ['text', writeText],
  DATE: ['date', writeDay],
  DATETIME: ['datetime', (x, to, type) => writeDateTime(writeInstant(x, to), type), ['precision']],
  TIME: ['time', (x, to) => `mysql.whole_time(${writeClock(x, to)})`],
  JSON: ['json', (x, to) => `CAST(${to.value(x)} AS JSON)`],
};

/** Converts a type in the syntax tree to its MySQL name. */
function typeName(type: DataType): string {
  if (type.data_type === 'custom') return String(type.name).toUpperCase();
  return { timestamp: 'DATETIME' }[type.data_type] ?? type.data_type.toUpperCase();
}

/** Writes a cast to FLOAT. With a precision of 25 bits or more, it becomes a DOUBLE. */
function writeFloat(x: Node, to: Translator, type: DataType): string {
  const double = `mysql.double(${to.value(x)})`;
  return (type.precision ?? 0) > 24 ? double : `CAST(${double} AS FLOAT)`;
}

/** Writes a cast to DECIMAL. A text is converted to the number at its start. */
function writeDecimal(x: Node, to: Translator, type: DataType): string {
  if ((type.precision ?? 0) > MAX_DIGITS)
    reject(`CAST(… AS DECIMAL(${type.precision}))`, `Write at most ${MAX_DIGITS} digits.`);
  const macros = { text: 'mysql.numeral', unknown: 'mysql.castable', number: 'mysql.castable_number' };
  const macro = macros[to.result(x) as 'text'] ?? '';
  const value = `${macro}(${to.value(x)})`;
  return `CAST(${value} AS DECIMAL(${type.precision ?? 10}, ${type.scale ?? 0}))`;
}

function writeCharacters(x: Node, to: Translator, type: DataType): string {
  const length = type.length ?? null;
  return length === null ? writeText(x, to) : `left(${writeText(x, to)}, ${length})`;
}

/** Writes a cast to DATETIME. It rounds to seconds unless the type is `DATETIME(6)`. */
function writeDateTime(instant: string, type: DataType): string {
  const digits = /\((\d)\)/.exec(type.name ?? '')?.[1] ?? String(type.precision ?? 0);
  if (digits === '6') return instant;
  return digits === '0'
    ? `mysql.datetime(${instant})`
    : reject(`CAST(… AS DATETIME(${digits}))`, 'Write 0 or 6 digits.');
}
