import { isNull, stringValue } from '../duckdb/tree/literals.js';
import { child, children, maybe, type Node, nameOf, onlyFields, shown } from '../duckdb/tree/tree.js';
import { refuse } from './rejection.js';
import { isAggregate, writeAggregate, writeWindowFunction } from './write-aggregate.js';
import { writeAmount, writeCall } from './write-call.js';
import { writeCast } from './write-cast.js';
import { writeLiteral } from './write-literal.js';
import { quotedName, quotedText, type Writer, writtenColumn } from './writer.js';

/** An expression: a literal, a column, an operator, a call. A kind of node that is not known here is refused. */
export function writeValue(node: Node, writer: Writer): string {
  if (isNull(node)) return 'NULL';
  const operator = BETWEEN_SIDES[node.kind];
  if (operator !== undefined) return twoSides(node, operator, writer);
  const form = FORMS[node.kind];
  if (form !== undefined) return form(node, writer);
  if (isAggregate(node)) return writeAggregate(node, writer);
  return writeCall(node, writer) ?? refuse(`${shown(node.kind)} is not allowed here`);
}

type Form = (node: Node, writer: Writer) => string;

/** Operators between two sides: the fields of the sides, then the sign. */
const BETWEEN_SIDES: Readonly<Record<string, readonly [string, string, string]>> = {
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
    node.fields.style === 'Colon' ? writer.marker(nameOf(node.fields)) : refuse('variables are not allowed', '@@'),
  boolean: (node) => (node.fields.value === true ? 'TRUE' : 'FALSE'),
  column,
  star: () => refuse('* is allowed as a column of the select list and in COUNT(*) only', '*'),
  paren: (node, writer) => `(${writer.value(child(node, 'this'))})`,
  tuple: (node) => refuse('a row of values is allowed beside = and IN only', '', node.fields),
  not: (node, writer) => `(NOT ${writer.value(child(node, 'this'))})`,
  neg: negative,
  bitwise_not: (node, writer) => `(NOT ${writer.value(negated(node))})`,
  is_null: (node, writer) => is(node, 'NULL', writer),
  is_true: (node, writer) => is(node, 'TRUE', writer),
  is_false: (node, writer) => is(node, 'FALSE', writer),
  between,
  in: isIn,
  like,
  exists: (node, writer) => `EXISTS (${writer.query(child(node, 'this')).text})`,
  any: (node, writer) => quantified('ANY', node, writer),
  all: (node, writer) => quantified('ALL', node, writer),
  subquery: (node, writer) => subquery(node, 1, writer),
  select: (node, writer) => subquery(node, 1, writer),
  interval: () => refuse('INTERVAL is allowed beside + and -, and in DATE_ADD and DATE_SUB', 'INTERVAL'),
  case: writeCase,
  cast: writeCast,
  collation,
  extract,
  trim,
  window_function: writeWindowFunction,
};

/** Values with commas between. */
function list(nodes: readonly Node[], writer: Writer): string {
  return nodes.map((node) => writer.value(node)).join(', ');
}

function twoSides(node: Node, [left, sign, right]: readonly [string, string, string], writer: Writer): string {
  onlyFields(node.kind, node.fields, [left, right]);
  const [a, b] = [child(node, left), child(node, right)];
  if (node.kind === 'eq' && (isRow(a) || isRow(b))) {
    const length = Math.max(rowLength(a), rowLength(b));
    return `(${rowOf(a, length, writer)} = ${rowOf(b, length, writer)})`;
  }
  const isSum = node.kind === 'add';
  const first = isSum && b.kind !== 'interval' ? writeAmount(a, writer) : writer.value(a);
  const second = (isSum || node.kind === 'sub') && a.kind !== 'interval' ? writeAmount(b, writer) : writer.value(b);
  return `(${first} ${sign} ${second})`;
}

function column(node: Node, writer: Writer): string {
  onlyFields('column', node.fields, ['table']);
  const name = nameOf(node.fields.name);
  if (name.startsWith('@')) refuse(`${name} is a variable; a query reads tables only`, name);
  quotedName(name);
  const { source } = writer.scope.column(node.fields);
  const isBare = (node.fields.table ?? null) === null;
  return writtenColumn({ name, source: isBare ? undefined : source });
}

function isRow({ kind }: Node): boolean {
  return kind === 'tuple';
}

/** `(a, b)`, of as many values as the row beside it. */
function rowOf(node: Node, length: number, writer: Writer): string {
  const values = isRow(node) ? children(node, 'expressions') : [node];
  if (values.length !== length) refuse(`rows of ${length} and ${values.length} values are compared`, '', node.fields);
  return isRow(node) ? `(${list(values, writer)})` : writer.value(node);
}

function rowLength(node: Node): number {
  return isRow(node) ? children(node, 'expressions').length : 1;
}

/** A query as a value, or as rows of that many values. */
function subquery(node: Node, length: number, writer: Writer): string {
  const { text, columns } = writer.query(node);
  if (columns.length === length) return `(${text})`;
  return refuse(`a subquery gives ${columns.length} columns here; expected: ${length}`, '', node.fields);
}

/** A negative number stays one literal, which some functions ask for. */
function negative(node: Node, writer: Writer): string {
  const x = child(node, 'this');
  return x.kind === 'literal' ? `-${writer.value(x)}` : `(- ${writer.value(x)})`;
}

/** `!x` comes as `~ ~ ~ x`; see `readable`. */
function negated(node: Node): Node {
  let inner = node;
  for (let marks = 0; marks < 3; marks++) {
    if (inner.kind !== 'bitwise_not') refuse('the operator ~ is not allowed', '~');
    inner = child(inner, 'this');
  }
  return inner;
}

function not(node: Node): string {
  return node.fields.not === true ? 'NOT ' : '';
}

function is(node: Node, word: string, writer: Writer): string {
  onlyFields(node.kind, node.fields, ['this', 'not']);
  return `(${writer.value(child(node, 'this'))} IS ${not(node)}${word})`;
}

function between(node: Node, writer: Writer): string {
  onlyFields('between', node.fields, ['this', 'low', 'high', 'not']);
  const [x, low, high] = ['this', 'low', 'high'].map((field) => writer.value(child(node, field)));
  return `(${x} ${not(node)}BETWEEN ${low} AND ${high})`;
}

function isIn(node: Node, writer: Writer): string {
  onlyFields('in', node.fields, ['this', 'expressions', 'query', 'not']);
  const query = maybe(node, 'query');
  const values = children(node, 'expressions');
  if (query === undefined && values.length === 0) refuse('IN has no values', 'IN');
  if (values.length > MAX_VALUES) refuse(`IN has ${values.length} values; at most ${MAX_VALUES} are allowed`, 'IN');
  const x = child(node, 'this');
  const length = rowLength(x);
  const inside =
    query === undefined
      ? `(${values.map((value) => rowOf(value, length, writer)).join(', ')})`
      : subquery(query, length, writer);
  return `(${rowOf(x, length, writer)} ${not(node)}IN ${inside})`;
}

const MAX_VALUES = 1_000;

function like(node: Node, writer: Writer): string {
  onlyFields('like', node.fields, ['left', 'right', 'escape']);
  const escaping = maybe(node, 'escape');
  const mark = escaping === undefined ? undefined : stringValue(escaping);
  if (escaping !== undefined && mark?.length !== 1) refuse('ESCAPE takes one literal character', 'ESCAPE');
  const [x, pattern] = [writer.value(child(node, 'left')), writer.value(child(node, 'right'))];
  return `(${x} LIKE ${pattern}${mark === undefined ? '' : ` ESCAPE ${quotedText(mark)}`})`;
}

function quantified(word: string, node: Node, writer: Writer): string {
  onlyFields(word, node.fields, ['this', 'subquery', 'op']);
  const sign = { Eq: '=', Neq: '<>', Lt: '<', Lte: '<=', Gt: '>', Gte: '>=' }[String(node.fields.op)];
  if (sign === undefined) return refuse(`this comparison with ${word} is not allowed`, word);
  return `(${writer.value(child(node, 'this'))} ${sign} ${word} ${subquery(child(node, 'subquery'), 1, writer)})`;
}

function writeCase(node: Node, writer: Writer): string {
  onlyFields('case', node.fields, ['operand', 'whens', 'else_']);
  const [operand, otherwise] = [maybe(node, 'operand'), maybe(node, 'else_')];
  const whens = (node.fields.whens as unknown[]).map((pair) => {
    const [when, then] = children({ kind: 'when', fields: { pair } }, 'pair');
    if (when === undefined || then === undefined) return refuse('a WHEN lacks its THEN', 'CASE');
    return `WHEN ${writer.value(when)} THEN ${writer.value(then)}`;
  });
  const words = [
    ...(operand === undefined ? [] : [writer.value(operand)]),
    ...whens,
    ...(otherwise === undefined ? [] : [`ELSE ${writer.value(otherwise)}`]),
  ];
  return `CASE ${words.join(' ')} END`;
}

/** Text compares by its exact bytes anyway; on servers a collation of its own would leave out spaces at the end. */
function collation(node: Node, writer: Writer): string {
  onlyFields('collation', node.fields, ['this', 'collation']);
  const name = String(node.fields.collation);
  if (!/^utf8mb4(_0900)?_bin$/i.test(name)) refuse(`the collation ${name} is not allowed; known: utf8mb4_bin`, name);
  return `CAST(${writer.value(child(node, 'this'))} AS CHAR)`;
}

function extract(node: Node, writer: Writer): string {
  onlyFields('extract', node.fields, ['this', 'field']);
  const { field } = node.fields;
  const unit = String(typeof field === 'string' ? field : (field as { Custom?: unknown }).Custom).toUpperCase();
  if (!EXTRACTED.has(unit)) refuse(`EXTRACT(${unit} FROM …) is not allowed`, 'EXTRACT');
  return `EXTRACT(${unit} FROM ${writer.value(child(node, 'this'))})`;
}

const EXTRACTED = new Set([
  ...['YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND', 'MICROSECOND', 'YEAR_MONTH'],
]);

function trim(node: Node, writer: Writer): string {
  onlyFields('trim', node.fields, ['this', 'characters', 'position']);
  const part = maybe(node, 'characters');
  const x = writer.value(child(node, 'this'));
  const side = { Both: 'BOTH', Leading: 'LEADING', Trailing: 'TRAILING' }[String(node.fields.position ?? 'Both')];
  if (side === undefined) return refuse('this form of TRIM is not allowed', 'TRIM');
  return `TRIM(${side} ${part === undefined ? "' '" : writer.value(part)} FROM ${x})`;
}
