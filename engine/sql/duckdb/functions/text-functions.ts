import type { Node } from '../../reading/tree.js';
import { integerValue, stringValue } from '../tree/literals.js';
import { type Result, reject, type Translator } from '../tree/translator.js';
import {
  argumentAt,
  type FunctionRule,
  type FunctionRules,
  rule,
  writeInteger,
  writeNumber,
  writeText,
} from './function-rule.js';

/** Functions on text. A position counts characters from 1, or from the end if it is negative. */
export const TEXT_FUNCTIONS: FunctionRules = {
  CONCAT: rule('text', 1, 99, (args, to) => `(${args.map((arg) => writeText(arg, to)).join(' || ')})`),
  CONCAT_WS: rule('text', 2, 99, (args, to) => `concat_ws(${args.map((arg) => writeText(arg, to)).join(', ')})`),
  OCTET_LENGTH: bytesRule('number', (bytes) => `octet_length(${bytes})`),
  BIT_LENGTH: bytesRule('number', (bytes) => `(8 * octet_length(${bytes}))`),
  CHAR_LENGTH: textRule('number', (s) => `length(${s})`),
  UPPER: textRule('text', (s) => `upper(${s})`),
  LOWER: textRule('text', (s) => `lower(${s})`),
  REVERSE: textRule('text', (s) => `mysql.reversed(${s})`),
  ASCII: textRule('number', (s) => `CAST(mysql.first_byte(ascii(left(${s}, 1))) AS BIGINT)`),
  MD5: bytesRule('text', (bytes) => `md5(${bytes})`),
  SHA2: rule('text', 2, 2, (args, to) => {
    if (![0, 256].includes(integerValue(argumentAt(args, 1)) ?? -1)) reject('SHA2 with a length other than 256 bits');
    return `sha256(${writeBytes(argumentAt(args, 0), to)})`;
  }),
  CRC32: bytesRule('number', (bytes) => `mysql.checksum(${bytes})`),
  TO_BASE64: bytesRule('text', (bytes) => `mysql.in_base64(${bytes})`),
  HEX: rule('text', 1, 1, (args, to) => `mysql.hexadecimal(${to.value(argumentAt(args, 0))})`),
  BIN: textRule('text', (s) => writeInBase(s, 10, 2)),
  OCT: textRule('text', (s) => writeInBase(s, 10, 8)),
  CONV: rule('text', 3, 3, writeConversion),
  INSERT: rule('text', 4, 4, (args, to) => {
    const [s, start, length, part] = [
      argumentAt(args, 0),
      argumentAt(args, 1),
      argumentAt(args, 2),
      argumentAt(args, 3),
    ];
    return `mysql.with_part(${writeText(s, to)}, ${writeInteger(start, to)}, ${writeInteger(length, to)}, ${writeText(part, to)})`;
  }),
  FORMAT: rule('text', 2, 2, writeFormat),
  SHA1: bytesRule('text', (bytes) => `sha1(${bytes})`),
  LTRIM: textRule('text', (s) => `ltrim(${s}, ' ')`),
  RTRIM: textRule('text', (s) => `rtrim(${s}, ' ')`),
  SPACE: rule('text', 1, 1, (args, to) => `repeat(' ', mysql.bounded(${writeInteger(argumentAt(args, 0), to)}, 1))`),
  REPEAT: countRule((s, n) => `repeat(${s}, mysql.bounded(${n}, strlen(${s})))`),
  LEFT: countRule((s, n) => `left(${s}, ${writeNonNegative(n)})`),
  RIGHT: countRule((s, n) => `right(${s}, ${writeNonNegative(n)})`),
  LPAD: paddingRule('lpad'),
  RPAD: paddingRule('rpad'),
  SUBSTRING: rule('text', 2, 3, writeSubstring),
  REPLACE: textsRule(3, 'text', (s, from, by) => `replace(${s}, ${from}, ${by})`),
  INSTR: rule('number', 2, 3, writePosition),
  SUBSTRING_INDEX: rule('text', 3, 3, (args, to) => {
    const [s, delimiter, count] = [argumentAt(args, 0), argumentAt(args, 1), argumentAt(args, 2)];
    return `mysql.up_to_delimiter(${writeText(s, to)}, ${writeText(delimiter, to)}, ${writeInteger(count, to)})`;
  }),
  FIND_IN_SET: textsRule(2, 'number', (x, list) => `mysql.place_in_set(${x}, ${list})`),
  STRCMP: textsRule(
    2,
    'number',
    (a, b) => `CASE WHEN ${a} = ${b} THEN 0 WHEN ${a} < ${b} THEN -1 WHEN ${a} > ${b} THEN 1 END`,
  ),
  REGEXP_REPLACE: textsRule(3, 'text', (s, pattern, by) => `regexp_replace(${s}, ${pattern}, ${by}, 'g')`),
  REGEXP_INSTR: textsRule(2, 'number', (s, pattern) => `mysql.position_of_match(${s}, ${pattern})`),
  REGEXP_SUBSTR: textsRule(2, 'text', (s, pattern) => `nullif(regexp_extract(${s}, ${pattern}, 0), '')`),
};

/** Writes `TRIM([BOTH | LEADING | TRAILING] part FROM s)`, which removes every repetition of the whole part. */
export function writeTrim(node: Node, s: Node, part: Node | undefined, to: Translator): string {
  const side = String(node.fields.position ?? 'Both');
  const inner = writeText(s, to);
  const isSpace = part === undefined || stringValue(part) === ' ';
  const removed = part === undefined ? "' '" : writeText(part, to);
  if (isSpace) return `${{ Leading: 'ltrim', Trailing: 'rtrim' }[side] ?? 'trim'}(${inner}, ' ')`;
  if (part !== undefined && stringValue(part) === '') return inner;
  const fromStart = side === 'Trailing' ? inner : `mysql.without_start(${inner}, ${removed})`;
  return side === 'Leading' ? fromStart : `mysql.without_end(${fromStart}, ${removed})`;
}

function textRule(result: Result, write: (s: string) => string): FunctionRule {
  return textsRule(1, result, (s = '') => write(s));
}

/** Creates the rule of a function that reads the bytes of a text, or of a column of bytes. */
function bytesRule(result: Result, write: (bytes: string) => string): FunctionRule {
  return rule(result, 1, 1, (args, to) => write(writeBytes(argumentAt(args, 0), to)));
}

function writeBytes(node: Node, to: Translator): string {
  const isText = node.kind === 'parameter' || to.result(node) !== 'unknown';
  return isText ? `encode(${writeText(node, to)})` : `mysql.bytes(${to.value(node)})`;
}

function textsRule(count: number, result: Result, write: (...texts: string[]) => string): FunctionRule {
  return rule(result, count, count, (args, to) => write(...args.map((arg) => writeText(arg, to))));
}

/** Writes 0 for a negative number. It does not use DuckDB's `greatest`, which would convert NULL to 0. */
function writeNonNegative(n: string): string {
  return `CASE WHEN ${n} < 0 THEN 0 ELSE ${n} END`;
}

function countRule(write: (s: string, count: string) => string): FunctionRule {
  return rule('text', 2, 2, (args, to) =>
    write(writeText(argumentAt(args, 0), to), writeInteger(argumentAt(args, 1), to)),
  );
}

function paddingRule(name: string): FunctionRule {
  return rule('text', 3, 3, (args, to) => {
    const [s, length, pad] = [argumentAt(args, 0), argumentAt(args, 1), argumentAt(args, 2)];
    const size = writeInteger(length, to);
    const [text, filler] = [writeText(s, to), writeText(pad, to)];
    const padded = `${name}(${text}, CAST(mysql.bounded(${size}, 1) AS INTEGER), ${filler})`;
    // Nothing can be added: the result is NULL.
    const isShort = stringValue(pad) === undefined ? `NOT (${filler} = '' AND length(${text}) < ${size})` : 'TRUE';
    if (stringValue(pad) === '') return `CASE WHEN ${size} BETWEEN 0 AND length(${text}) THEN ${padded} END`;
    return `CASE WHEN ${size} >= 0 AND ${isShort} THEN ${padded} END`;
  });
}

function writeSubstring(args: readonly Node[], to: Translator): string {
  const s = writeText(argumentAt(args, 0), to);
  const start = argumentAt(args, 1);
  const length = args[2];
  // A positive start and length need no macro. DuckDB can use its statistics only without the macro.
  if ((integerValue(start) ?? 0) > 0 && (length === undefined || (integerValue(length) ?? 0) > 0)) {
    return `substring(${s}, ${to.value(start)}${length === undefined ? '' : `, ${to.value(length)}`})`;
  }
  if (length === undefined) return `mysql.part_from(${s}, ${writeInteger(start, to)})`;
  return `mysql.part_of(${s}, ${writeInteger(start, to)}, ${writeInteger(length, to)})`;
}

function writePosition(args: readonly Node[], to: Translator): string {
  const s = writeText(argumentAt(args, 0), to);
  const part = writeText(argumentAt(args, 1), to);
  const start = args[2];
  if (start === undefined) return `instr(${s}, ${part})`;
  return `mysql.position_from(${s}, ${part}, ${writeInteger(start, to)})`;
}

/** Writes `CONV(x, from, to)`: the digits of a whole number in another base. The bases must be literals from 2 to 36. */
function writeConversion(args: readonly Node[], to: Translator): string {
  const bases = [1, 2].map((index) => integerValue(argumentAt(args, index)) ?? 0);
  const [from = 0, target = 0] = bases;
  if (bases.some((base) => base < 2 || base > 36)) reject('CONV with a base that is not a literal from 2 to 36');
  return writeInBase(writeText(argumentAt(args, 0), to), from, target);
}

function writeInBase(s: string, from: number, target: number): string {
  return `mysql.to_base_of(mysql.from_base_of(${s}, ${from}), ${target})`;
}

/** Writes `FORMAT(x, digits)`, which adds commas between thousands. */
function writeFormat(args: readonly Node[], to: Translator): string {
  const digits = integerValue(argumentAt(args, 1)) ?? reject('FORMAT with a number of digits that is not a literal');
  const places = Math.min(Math.max(digits, 0), 18);
  return `mysql.grouped(CAST(mysql.rounded(${writeNumber(argumentAt(args, 0), to)}, ${places}) AS DECIMAL(38, ${places})))`;
}
