import { integerValue, stringValue } from '../tree/literals.js';
import { type Node, type Result, refuse, type Translator } from '../tree/tree.js';
import { argument, asInteger, asNumber, asText, type FunctionRule, type FunctionRules, rule } from './function-rule.js';

/** Functions on text. Positions count characters from 1, and from the end when they are negative. */
export const TEXT_FUNCTIONS: FunctionRules = {
  CONCAT: rule('text', 1, 99, (args, to) => `(${args.map((arg) => asText(arg, to)).join(' || ')})`),
  CONCAT_WS: rule('text', 2, 99, (args, to) => `concat_ws(${args.map((arg) => asText(arg, to)).join(', ')})`),
  OCTET_LENGTH: onText('number', (s) => `strlen(${s})`),
  CHAR_LENGTH: onText('number', (s) => `length(${s})`),
  UPPER: onText('text', (s) => `upper(${s})`),
  LOWER: onText('text', (s) => `lower(${s})`),
  REVERSE: onText('text', (s) => `mysql.reversed(${s})`),
  ASCII: onText('number', (s) => `CAST(mysql.first_byte(ascii(left(${s}, 1))) AS BIGINT)`),
  MD5: onText('text', (s) => `md5(${s})`),
  SHA2: rule('text', 2, 2, (args, to) => {
    if (![0, 256].includes(integerValue(argument(args, 1)) ?? -1)) refuse('SHA2 of other than 256 bits');
    return `sha256(${asText(argument(args, 0), to)})`;
  }),
  HEX: rule('text', 1, 1, (args, to) => `mysql.hexadecimal(${to.value(argument(args, 0))})`),
  BIN: rule('text', 1, 1, (args, to) => `bin(mysql.unsigned(${asNumber(argument(args, 0), to)}))`),
  INSERT: rule('text', 4, 4, (args, to) => {
    const [s, start, length, part] = [argument(args, 0), argument(args, 1), argument(args, 2), argument(args, 3)];
    return `mysql.with_part(${asText(s, to)}, ${asInteger(start, to)}, ${asInteger(length, to)}, ${asText(part, to)})`;
  }),
  FORMAT: rule('text', 2, 2, grouped),
  SHA1: onText('text', (s) => `sha1(${s})`),
  LTRIM: onText('text', (s) => `ltrim(${s}, ' ')`),
  RTRIM: onText('text', (s) => `rtrim(${s}, ' ')`),
  SPACE: rule('text', 1, 1, (args, to) => `repeat(' ', mysql.bounded(${asInteger(argument(args, 0), to)}, 1))`),
  REPEAT: withCount((s, n) => `repeat(${s}, mysql.bounded(${n}, strlen(${s})))`),
  LEFT: withCount((s, n) => `left(${s}, ${natural(n)})`),
  RIGHT: withCount((s, n) => `right(${s}, ${natural(n)})`),
  LPAD: padding('lpad'),
  RPAD: padding('rpad'),
  SUBSTRING: rule('text', 2, 3, substring),
  REPLACE: onTexts(3, 'text', (s, from, by) => `replace(${s}, ${from}, ${by})`),
  INSTR: rule('number', 2, 3, position),
  SUBSTRING_INDEX: rule('text', 3, 3, (args, to) => {
    const [s, delimiter, count] = [argument(args, 0), argument(args, 1), argument(args, 2)];
    return `mysql.up_to_delimiter(${asText(s, to)}, ${asText(delimiter, to)}, ${asInteger(count, to)})`;
  }),
  FIND_IN_SET: onTexts(2, 'number', (x, list) => `mysql.place_in_set(${x}, ${list})`),
  STRCMP: onTexts(
    2,
    'number',
    (a, b) => `CASE WHEN ${a} = ${b} THEN 0 WHEN ${a} < ${b} THEN -1 WHEN ${a} > ${b} THEN 1 END`,
  ),
  REGEXP_REPLACE: onTexts(3, 'text', (s, pattern, by) => `regexp_replace(${s}, ${pattern}, ${by}, 'g')`),
  REGEXP_SUBSTR: onTexts(2, 'text', (s, pattern) => `nullif(regexp_extract(${s}, ${pattern}, 0), '')`),
};

/** `TRIM([BOTH | LEADING | TRAILING] part FROM s)`: the whole part, as often as it occurs. */
export function trim(node: Node, s: Node, part: Node | undefined, to: Translator): string {
  const side = String(node.fields.position ?? 'Both');
  const inner = asText(s, to);
  const isSpace = part === undefined || stringValue(part) === ' ';
  const removed = part === undefined ? "' '" : asText(part, to);
  if (isSpace) return `${{ Leading: 'ltrim', Trailing: 'rtrim' }[side] ?? 'trim'}(${inner}, ' ')`;
  if (part !== undefined && stringValue(part) === '') return inner;
  const fromStart = side === 'Trailing' ? inner : `mysql.without_start(${inner}, ${removed})`;
  return side === 'Leading' ? fromStart : `mysql.without_end(${fromStart}, ${removed})`;
}

function onText(result: Result, write: (s: string) => string): FunctionRule {
  return onTexts(1, result, (s = '') => write(s));
}

function onTexts(count: number, result: Result, write: (...texts: string[]) => string): FunctionRule {
  return rule(result, count, count, (args, to) => write(...args.map((arg) => asText(arg, to))));
}

/** DuckDB's `greatest` would make 0 of NULL. */
function natural(n: string): string {
  return `CASE WHEN ${n} < 0 THEN 0 ELSE ${n} END`;
}

function withCount(write: (s: string, count: string) => string): FunctionRule {
  return rule('text', 2, 2, (args, to) => write(asText(argument(args, 0), to), asInteger(argument(args, 1), to)));
}

function padding(name: string): FunctionRule {
  return rule('text', 3, 3, (args, to) => {
    const [s, length, pad] = [argument(args, 0), argument(args, 1), argument(args, 2)];
    const size = asInteger(length, to);
    return `CASE WHEN ${size} >= 0 THEN ${name}(${asText(s, to)}, CAST(mysql.bounded(${size}, 1) AS INTEGER), ${asText(pad, to)}) END`;
  });
}

function substring(args: readonly Node[], to: Translator): string {
  const s = asText(argument(args, 0), to);
  const start = argument(args, 1);
  const length = args[2];
  // The usual case needs no macro, and DuckDB can then use its statistics.
  if ((integerValue(start) ?? 0) > 0 && (length === undefined || (integerValue(length) ?? 0) > 0)) {
    return `substring(${s}, ${to.value(start)}${length === undefined ? '' : `, ${to.value(length)}`})`;
  }
  if (length === undefined) return `mysql.part_from(${s}, ${asInteger(start, to)})`;
  return `mysql.part_of(${s}, ${asInteger(start, to)}, ${asInteger(length, to)})`;
}

function position(args: readonly Node[], to: Translator): string {
  const s = asText(argument(args, 0), to);
  const part = asText(argument(args, 1), to);
  const start = args[2];
  if (start === undefined) return `instr(${s}, ${part})`;
  return `mysql.position_from(${s}, ${part}, ${asInteger(start, to)})`;
}

/** `FORMAT(x, digits)`: commas between thousands. */
function grouped(args: readonly Node[], to: Translator): string {
  const digits = integerValue(argument(args, 1)) ?? refuse('FORMAT to digits that are not a literal number');
  const places = Math.min(Math.max(digits, 0), 18);
  return `mysql.grouped(CAST(mysql.rounded(${asNumber(argument(args, 0), to)}, ${places}) AS DECIMAL(38, ${places})))`;
}
