import { KEYWORD_ARGUMENTS } from '../../reading/reserved-words.js';
import { children, type Node, nameOf, optionalChild, toNode } from '../../reading/tree.js';
import { reject, requireOnlyFields } from './translator.js';

/** Returns the MySQL name and the arguments of a call, for every kind of node that is a call; undefined for other nodes. */
export function readCall(node: Node): { readonly name: string; readonly args: readonly Node[] } | undefined {
  if (node.kind === 'function') {
    requireOnlyFields('function', node.fields, ['name', 'args']);
    const name = nameOf(node.fields).toUpperCase();
    return { name: SYNONYMS[name] ?? name, args: children(node, 'args') };
  }
  if (node.kind === 'json_object') return { name: 'JSON_OBJECT', args: readJsonMembers(node) };
  const [name, ...fields] = CALL_KINDS[node.kind] ?? [];
  if (name === undefined) return undefined;
  requireOnlyFields(node.kind, node.fields, fields);
  if (node.fields.arrow_syntax === true && optionalChild(node, 'this')?.kind !== 'column') {
    reject('-> after something else than a column', 'Write JSON_EXTRACT or JSON_VALUE.');
  }
  const args = fields.flatMap((field) =>
    Array.isArray(node.fields[field]) ? children(node, field) : (optionalChild(node, field) ?? []),
  );
  return { name, args };
}

/** Returns true if the argument is a keyword that the parser returns as a column: a unit of time, or the type of CONVERT. */
export function isKeywordArgument(name: string, index: number): boolean {
  return index === KEYWORD_ARGUMENTS[name];
}

/** Returns the keys and values of JSON_OBJECT, alternating. */
function readJsonMembers(node: Node): readonly Node[] {
  requireOnlyFields('JSON_OBJECT', node.fields, ['pairs']);
  return ((node.fields.pairs ?? []) as unknown[][]).flatMap((pair) => pair.map(toNode));
}

/** MySQL functions that have a second name. The keys are the second names. */
export const SYNONYMS: Readonly<Record<string, string>> = {
  CURDATE: 'UTC_DATE',
  CURRENT_DATE: 'UTC_DATE',
  CURTIME: 'UTC_TIME',
  CURRENT_TIME: 'UTC_TIME',
  CURRENT_TIMESTAMP: 'NOW',
  UTC_TIMESTAMP: 'NOW',
  LOCALTIME: 'NOW',
  LOCALTIMESTAMP: 'NOW',
  SYSDATE: 'NOW',
  CHARACTER_LENGTH: 'CHAR_LENGTH',
  MID: 'SUBSTRING',
  SUBSTR: 'SUBSTRING',
  POW: 'POWER',
  CEILING: 'CEIL',
  UCASE: 'UPPER',
  LCASE: 'LOWER',
  DATE_ADD: 'ADDDATE',
  DATE_SUB: 'SUBDATE',
  DAYOFMONTH: 'DAY',
};

/**
 * Functions for which the parser has a separate kind of node. Each list contains the name of the function, then the
 * fields that contain the arguments.
 */
const CALL_KINDS: Readonly<Record<string, readonly string[]>> = {
  abs: ['ABS', 'this'],
  acos: ['ACOS', 'this'],
  asin: ['ASIN', 'this'],
  atan: ['ATAN', 'this'],
  atan2: ['ATAN2', 'this', 'expression'],
  cot: ['COT', 'this'],
  ceil: ['CEIL', 'this'],
  coalesce: ['COALESCE', 'expressions'],
  cos: ['COS', 'this'],
  day: ['DAY', 'this'],
  day_of_month: ['DAY', 'this'],
  day_of_week: ['DAYOFWEEK', 'this'],
  day_of_year: ['DAYOFYEAR', 'this'],
  degrees: ['DEGREES', 'this'],
  exp: ['EXP', 'this'],
  floor: ['FLOOR', 'this'],
  hour: ['HOUR', 'this'],
  if_func: ['IF', 'condition', 'true_value', 'false_value'],
  j_s_o_n_array: ['JSON_ARRAY', 'expressions'],
  json_extract: ['JSON_EXTRACT', 'this', 'path'],
  json_extract_scalar: ['JSON_VALUE', 'this', 'path'],
  json_keys: ['JSON_KEYS', 'this'],
  json_type: ['JSON_TYPE', 'this'],
  json_value: ['JSON_VALUE', 'this', 'path'],
  last_day: ['LAST_DAY', 'this'],
  length: ['CHAR_LENGTH', 'this'],
  ln: ['LN', 'this'],
  log: ['LOG', 'base', 'this'],
  lower: ['LOWER', 'this'],
  minute: ['MINUTE', 'this'],
  mod_func: ['MOD', 'this', 'expression'],
  month: ['MONTH', 'this'],
  pi: ['PI'],
  power: ['POWER', 'this', 'expression'],
  quarter: ['QUARTER', 'this'],
  radians: ['RADIANS', 'this'],
  rand: ['RAND', 'seed'],
  second: ['SECOND', 'this'],
  sin: ['SIN', 'this'],
  sqrt: ['SQRT', 'this'],
  str_position: ['INSTR', 'this', 'substr', 'position'],
  substring: ['SUBSTRING', 'this', 'start', 'length'],
  tan: ['TAN', 'this'],
  upper: ['UPPER', 'this'],
  week_of_year: ['WEEKOFYEAR', 'this'],
  year: ['YEAR', 'this'],
};
