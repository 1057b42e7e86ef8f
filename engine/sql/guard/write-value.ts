import { findNumberFault, isNull, stringValue } from '../duckdb/tree/literals.js';
import { requireOnlyFields } from '../duckdb/tree/translator.js';
import { child, children, formatKind, type Node, nameOf, optionalChild } from '../reading/tree.js';
import { requireFastPattern } from './patterns.js';
import { reject } from './rejection.js';
import { isAggregate, writeAggregate, writeWindowFunction } from './write-aggregate.js';
import { writeCall, writeShift } from './write-call.js';
import { writeCast } from './write-cast.js';
import { quoteName, quoteText, type Writer, writeColumn } from './writer.js';

/** Writes an expression: a literal, a column, an operator or a call. Rejects every unknown kind of node. */
export function writeValue(node: Node, writer: Writer): string {
  if (isNull(node)) return 'NULL';
  const operator = BINARY_OPERATORS[node.kind];
  if (operator !== undefined) return writeBinary(node, operator, writer);
  const form = FORMS[node.kind];
  if (form !== undefined) return form(node, writer);
  if (isAggregate(node)) return writeAggregate(node, writer);
  return writeCall(node, writer) ?? reject(`${formatKind(node.kind)} is not allowed here`);
}

type Form = (node: Node, writer: Writer) => string;

/** Binary operators by kind of node. Each list contains the field of the left side, the operator, and the field of the right side. */
const BINARY_OPERATORS: Readonly<Record<string, readonly [string, string, string]>> = {
  eq: ['left', '=', 'right'],
  neq: ['left', '<>', 'right'],
  lt: ['left', '<', 'right'],
  lte: ['left', '<=', 'right'],
  gt: ['left', '>', 'right'],
  gte: ['left', '>=', 'right'],
  null_safe_eq: ['left', '<=>', 'right'],
  and: ['left', 'AND', 'right'],
  or: ['left', 'OR', 'right'],
  xor: ['this', 'XOR', 'expression'],
  add: ['left', '+', 'right'],
  sub: ['left', '-', 'right'],
  mul: ['left', '*', 'right'],
  div: ['left', '/', 'right'],
  int_div: ['this', 'DIV', 'expression'],
  mod: ['left', '%', 'right'],
  bitwise_and: ['left', '&', 'right'],
  bitwise_or: ['left', '|', 'right'],
  bitwise_left_shift: ['left', '<<', 'right'],
  bitwise_right_shift: ['left', '>>', 'right'],
  regexp_like: ['this', 'REGEXP', 'pattern'],
};

const FORMS: Readonly<Record<string, Form>> = {
  literal: writeLiteral,
  parameter: (node, writer) =>
    node.fields.style === 'Colon' ? writer.marker(nameOf(node.fields)) : reject('variables are not allowed', '@@'),
  boolean: (node) => (node.fields.value === true ? 'TRUE' : 'FALSE'),
  column: writeColumnReference,
  star: () => reject('* is allowed only as a column of the select list and in COUNT(*)', '*'),
  paren: (node, writer) => `(${writer.value(child(node, 'this'))})`,
  tuple: (node) => reject('a row of values is allowed only with = and IN', '', node.fields),
  not: (node, writer) => `(NOT ${writer.value(child(node, 'this'))})`,
  neg: writeNegation,
  bitwise_not: (node, writer) => `(NOT ${writer.value(operandOfNot(node))})`,
  is_null: (node, writer) => writeIs(node, 'NULL', writer),
  is_true: (node, writer) => writeIs(node, 'TRUE', writer),
  is_false: (node, writer) => writeIs(node, 'FALSE', writer),
  between: writeBetween,
  in: writeIn,
  like: writeLike,
  exists: (node, writer) => {
    requireOnlyFields('exists', node.fields, ['this']);
    return `EXISTS (${writer.query(child(node, 'this')).text})`;
  },
  any: (node, writer) => writeQuantified('ANY', node, writer),
  all: (node, writer) => writeQuantified('ALL', node, writer),
  subquery: (node, writer) => writeSubquery(node, 1, writer),
  select: (node, writer) => writeSubquery(node, 1, writer),
  interval: () => reject('INTERVAL is allowed only with + and -, and in DATE_ADD and DATE_SUB', 'INTERVAL'),
  case: writeCase,
  cast: writeCast,
  collation: writeCollation,
  extract: writeExtract,
  trim: writeTrim,
  window_function: writeWindowFunction,
};

/** Writes values separated by commas. */
function writeList(nodes: readonly Node[], writer: Writer): string {
  return nodes.map((node) => writer.value(node)).join(', ');
}

function writeBinary(node: Node, [left, sign, right]: readonly [string, string, string], writer: Writer): string {
  requireOnlyFields(node.kind, node.fields, [left, right]);
  const [a, b] = [child(node, left), child(node, right)];
  if (node.kind === 'regexp_like') requireFastPattern(b);
  if (node.kind === 'eq' && (isRow(a) || isRow(b))) {
    const length = Math.max(rowLength(a), rowLength(b));
    return `(${writeRow(a, length, writer)} = ${writeRow(b, length, writer)})`;
  }
  const isSum = node.kind === 'add';
  if (isSum && a.kind === 'interval' && b.kind !== 'interval') return writeShift('DATE_ADD', b, a, writer);
  if ((isSum || node.kind === 'sub') && b.kind === 'interval' && a.kind !== 'interval')
    return writeShift(isSum ? 'DATE_ADD' : 'DATE_SUB', a, b, writer);
  return `(${writer.value(a)} ${sign} ${writer.value(b)})`;
}

function writeColumnReference(node: Node, writer: Writer): string {
  requireOnlyFields('column', node.fields, ['table']);
  const name = nameOf(node.fields.name);
  if (name.startsWith('@')) reject(`${name} is a variable; a query may read only tables`, name);
  quoteName(name);
  const { source } = writer.scope.column(node.fields);
  const isBare = (node.fields.table ?? null) === null;
  return writeColumn({ name, source: isBare ? undefined : source });
}

function isRow({ kind }: Node): boolean {
  return kind === 'tuple';
}

/** Writes `(a, b)`. The row must have `length` values, as many as the row that it is compared with. */
function writeRow(node: Node, length: number, writer: Writer): string {
  const values = isRow(node) ? children(node, 'expressions') : [node];
  if (values.length !== length) reject(`rows of ${length} and ${values.length} values are compared`, '', node.fields);
  return isRow(node) ? `(${writeList(values, writer)})` : writer.value(node);
}

function rowLength(node: Node): number {
  return isRow(node) ? children(node, 'expressions').length : 1;
}

/** Writes a subquery as a value, or as rows with `length` values. */
function writeSubquery(node: Node, length: number, writer: Writer): string {
  requireOnlyFields('subquery', { alias: node.fields.alias }, []);
  const { text, columns } = writer.query(node);
  if (columns.length === length) return `(${text})`;
  return reject(`the subquery returns ${columns.length} columns here; expected: ${length}`, '', node.fields);
}

/** Writes a negation. A negative number stays one literal, because some functions require a literal. */
function writeNegation(node: Node, writer: Writer): string {
  const x = child(node, 'this');
  return x.kind === 'literal' ? `-${writer.value(x)}` : `(- ${writer.value(x)})`;
}

/** Returns the operand of `!x`, which `prepareForParser` writes as `~ ~ ~ x`. */
function operandOfNot(node: Node): Node {
  let inner = node;
  for (let marks = 0; marks < 3; marks++) {
    if (inner.kind !== 'bitwise_not') reject('the operator ~ is not allowed', '~');
    inner = child(inner, 'this');
  }
  return inner;
}

function notKeyword(node: Node): string {
  return node.fields.not === true ? 'NOT ' : '';
}

function writeIs(node: Node, word: string, writer: Writer): string {
  requireOnlyFields(node.kind, node.fields, ['this', 'not']);
  return `(${writer.value(child(node, 'this'))} IS ${notKeyword(node)}${word})`;
}

function writeBetween(node: Node, writer: Writer): string {
  requireOnlyFields('between', node.fields, ['this', 'low', 'high', 'not']);
  const [x, low, high] = ['this', 'low', 'high'].map((field) => writer.value(child(node, field)));
  return `(${x} ${notKeyword(node)}BETWEEN ${low} AND ${high})`;
}

function writeIn(node: Node, writer: Writer): string {
  const compared = optionalChild(node, 'query') === undefined ? 'expressions' : 'query';
  requireOnlyFields('in', node.fields, ['this', compared, 'not']);
  const query = optionalChild(node, 'query');
  const values = children(node, 'expressions');
  if (query === undefined && values.length === 0) reject('IN has no values', 'IN');
  if (values.length > MAX_VALUES) reject(`IN has ${values.length} values; at most ${MAX_VALUES} are allowed`, 'IN');
  const x = child(node, 'this');
  const length = rowLength(x);
  const inside =
    query === undefined
      ? `(${values.map((value) => writeRow(value, length, writer)).join(', ')})`
      : writeSubquery(query, length, writer);
  return `(${writeRow(x, length, writer)} ${notKeyword(node)}IN ${inside})`;
}

const MAX_VALUES = 1_000;

function writeLike(node: Node, writer: Writer): string {
  requireOnlyFields('like', node.fields, ['left', 'right', 'escape']);
  const escaping = optionalChild(node, 'escape');
  const mark = escaping === undefined ? undefined : stringValue(escaping);
  if (escaping !== undefined && mark?.length !== 1) reject('ESCAPE must be one literal character', 'ESCAPE');
  const [x, pattern] = [writer.value(child(node, 'left')), writer.value(child(node, 'right'))];
  return `(${x} LIKE ${pattern}${mark === undefined ? '' : ` ESCAPE ${quoteText(mark)}`})`;
}

function writeQuantified(word: string, node: Node, writer: Writer): string {
  requireOnlyFields(word, node.fields, ['this', 'subquery', 'op']);
  const sign = { Eq: '=', Neq: '<>', Lt: '<', Lte: '<=', Gt: '>', Gte: '>=' }[String(node.fields.op)];
  if (sign === undefined) return reject(`this comparison with ${word} is not allowed`, word);
  return `(${writer.value(child(node, 'this'))} ${sign} ${word} ${writeSubquery(child(node, 'subquery'), 1, writer)})`;
}

function writeCase(node: Node, writer: Writer): string {
  requireOnlyFields('case', node.fields, ['operand', 'whens', 'else_']);
  const [operand, otherwise] = [optionalChild(node, 'operand'), optionalChild(node, 'else_')];
  const whens = (node.fields.whens as unknown[]).map((pair) => {
    const [when, then] = children({ kind: 'when', fields: { pair } }, 'pair');
    if (when === undefined || then === undefined) return reject('a WHEN has no THEN', 'CASE');
    return `WHEN ${writer.value(when)} THEN ${writer.value(then)}`;
  });
  const words = [
    ...(operand === undefined ? [] : [writer.value(operand)]),
    ...whens,
    ...(otherwise === undefined ? [] : [`ELSE ${writer.value(otherwise)}`]),
  ];
  return `CASE ${words.join(' ')} END`;
}

/**
 * Writes a binary collation as a CAST. Every database already compares text by its exact bytes, and on servers, an
 * explicit binary collation would ignore trailing spaces.
 */
function writeCollation(node: Node, writer: Writer): string {
  requireOnlyFields('collation', node.fields, ['this', 'collation']);
  const name = String(node.fields.collation);
  if (!/^utf8mb4(_0900)?_bin$/i.test(name)) reject(`the collation ${name} is not allowed; known: utf8mb4_bin`, name);
  return `CAST(${writer.value(child(node, 'this'))} AS CHAR)`;
}

function writeExtract(node: Node, writer: Writer): string {
  requireOnlyFields('extract', node.fields, ['this', 'field']);
  const { field } = node.fields;
  const unit = String(typeof field === 'string' ? field : (field as { Custom?: unknown }).Custom).toUpperCase();
  if (!EXTRACT_UNITS.has(unit)) reject(`EXTRACT(${unit} FROM …) is not allowed`, 'EXTRACT');
  return `EXTRACT(${unit} FROM ${writer.value(child(node, 'this'))})`;
}

const EXTRACT_UNITS = new Set([
  ...['YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND', 'MICROSECOND', 'YEAR_MONTH'],
  ...['DAY_HOUR', 'DAY_MINUTE', 'DAY_SECOND', 'HOUR_MINUTE', 'HOUR_SECOND', 'MINUTE_SECOND'],
]);

function writeTrim(node: Node, writer: Writer): string {
  requireOnlyFields('trim', node.fields, ['this', 'characters', 'position']);
  const part = optionalChild(node, 'characters');
  const x = writer.value(child(node, 'this'));
  const side = { Both: 'BOTH', Leading: 'LEADING', Trailing: 'TRAILING' }[String(node.fields.position ?? 'Both')];
  if (side === undefined) return reject('this form of TRIM is not allowed', 'TRIM');
  return `TRIM(${side} ${part === undefined ? "' '" : writer.value(part)} FROM ${x})`;
}

/** Writes a literal from its value, not from the author's text. */
function writeLiteral(node: Node): string {
  const value = String(node.fields.value);
  const type = String(node.fields.literal_type);
  if (type === 'number') {
    if (!NUMBER.test(value) || value.length > MAX_NUMBER_LENGTH)
      reject(`the number ${value.slice(0, 40)} is not allowed`);
    const fault = findNumberFault(value);
    if (fault !== undefined) reject(`the number ${value} ${fault}`, value);
    return value;
  }
  if (type === 'hex_string' || type === 'hex_number') {
    if (!/^[\da-f]*$/i.test(value)) reject(`the literal 0x${value.slice(0, 40)} is not allowed`);
    return `0x${value}`;
  }
  const word = PREFIXES[type];
  if (word === undefined) return reject(`a literal of the type ${type.replaceAll('_', ' ')} is not allowed`);
  if (CONTROL_CHARACTER.test(value)) reject('a text contains a control character');
  return `${word}${quoteText(value)}`;
}

const NUMBER = /^(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i;
const MAX_NUMBER_LENGTH = 80;

/** The prefix before the quoted text, by type of literal. */
const PREFIXES: Readonly<Record<string, string>> = {
  string: '',
  national_string: '',
  date: 'DATE ',
  timestamp: 'TIMESTAMP ',
  datetime: 'TIMESTAMP ',
  time: 'TIME ',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
