import { isNull, stringValue } from '../tree/literals.js';
import {
  child,
  children,
  maybe,
  type Node,
  onlyFields,
  quoted,
  type Rewrite,
  refuse,
  type Translator,
} from '../tree/tree.js';
import { argument, asText, shownDigits } from './function-rule.js';

/** Nodes that are true or false. */
export const CONDITIONS: Readonly<Record<string, Rewrite>> = {
  eq: comparison('='),
  neq: comparison('<>'),
  lt: comparison('<'),
  lte: comparison('<='),
  gt: comparison('>'),
  gte: comparison('>='),
  null_safe_eq: comparison('IS NOT DISTINCT FROM'),
  and: (node, to) => `(${to.condition(child(node, 'left'))} AND ${to.condition(child(node, 'right'))})`,
  or: (node, to) => `(${to.condition(child(node, 'left'))} OR ${to.condition(child(node, 'right'))})`,
  xor: (node, to) => `(${to.condition(child(node, 'this'))} <> ${to.condition(child(node, 'expression'))})`,
  not: (node, to) => `(NOT ${to.condition(child(node, 'this'))})`,
  is_null: (node, to) => `(${to.value(child(node, 'this'))} IS ${not(node)}NULL)`,
  is_true: (node, to) => `(${to.condition(child(node, 'this'))} IS ${not(node)}TRUE)`,
  is_false: (node, to) => `(${to.condition(child(node, 'this'))} IS ${not(node)}FALSE)`,
  between,
  in: isIn,
  exists: (node, to) => `EXISTS (${to.query(child(node, 'this'))})`,
  any: (node, to) => quantified('ANY', node, to),
  all: (node, to) => quantified('ALL', node, to),
  like,
  regexp_like: (node, to) => matches(child(node, 'this'), child(node, 'pattern'), to),
};

/** Functions that are true or false. */
export const PREDICATES: Readonly<Record<string, (args: readonly Node[], to: Translator) => string>> = {
  ISNULL: (args, to) => `(${to.value(argument(args, 0))} IS NULL)`,
  REGEXP_LIKE: (args, to) => matches(argument(args, 0), argument(args, 1), to, args[2]),
  JSON_CONTAINS: (args, to) => {
    if (args.length !== 2) refuse('JSON_CONTAINS with a path');
    return `json_contains(${to.value(argument(args, 0))}, ${to.value(argument(args, 1))})`;
  },
  JSON_VALID: (args, to) => `json_valid(${asText(argument(args, 0), to)})`,
};

function not(node: Node): string {
  return node.fields.not === true ? 'NOT ' : '';
}

function comparison(operator: string): Rewrite {
  return (node, to) => {
    const [left, right] = [child(node, 'left'), child(node, 'right')];
    if (operator === '=' && left.kind === 'tuple' && right.kind === 'tuple') return sameRows(left, right, to);
    return `(${shown(left, right, to)} ${operator} ${shown(right, left, to)})`;
  };
}

/** A quotient is compared by the digits that it shows. */
function shown(side: Node, other: Node, to: Translator): string {
  return shownDigits(side, { ...to, value: (node) => (node === side ? compared(side, other, to) : to.value(node)) });
}

function between(node: Node, to: Translator): string {
  const [x, low, high] = [child(node, 'this'), child(node, 'low'), child(node, 'high')];
  onlyFields('between', node.fields, ['this', 'low', 'high', 'not']);
  const [from, until] = [compared(low, x, to), compared(high, x, to)];
  return `(${compared(x, low, to)} ${not(node)}BETWEEN ${from} AND ${until})`;
}

function isIn(node: Node, to: Translator): string {
  onlyFields('in', node.fields, ['this', 'expressions', 'query', 'not']);
  const x = child(node, 'this');
  const list = children(node, 'expressions');
  const query = maybe(node, 'query') ?? list.find(({ kind }) => list.length === 1 && COMBINED.has(kind));
  if (x.kind === 'tuple' && query === undefined) {
    const rows = list.map((row) => sameRows(x, row, to)).join(' OR ');
    return `(${not(node)}(${rows}))`;
  }
  if (query !== undefined) return `(${to.value(x)} ${not(node)}IN (${to.query(query)}))`;
  const values = list.map((value) => compared(value, x, to));
  if (values.length === 0) refuse('IN with an empty list');
  const [first] = list;
  return `(${first === undefined ? to.value(x) : compared(x, first, to)} ${not(node)}IN (${values.join(', ')}))`;
}

/** The parser returns a list for queries whose first part is in parentheses. */
const COMBINED = new Set(['union', 'intersect', 'except']);

/** Column by column, so that text can become what it is compared with. */
function sameRows(left: Node, right: Node, to: Translator): string {
  const [as, bs] = [children(left, 'expressions'), children(right, 'expressions')];
  if (right.kind !== 'tuple' || as.length !== bs.length) return refuse('A comparison of rows of different lengths');
  return `(${as.map((a, index) => `${to.value(a)} = ${compared(argument(bs, index), a, to)}`).join(' AND ')})`;
}

function quantified(word: string, node: Node, to: Translator): string {
  const operator = { Eq: '=', Neq: '<>', Lt: '<', Lte: '<=', Gt: '>', Gte: '>=' }[String(node.fields.op)];
  if (operator === undefined) return refuse(`This comparison with ${word}`);
  return `(${to.value(child(node, 'this'))} ${operator} ${word} ${to.value(child(node, 'subquery'))})`;
}

/**
 * One side of a comparison. DuckDB reads a literal or a parameter as the type of the other side by itself, but would
 * cut the time off text that meets a DATE, and does not compare other text with dates and numbers.
 */
export function compared(side: Node, other: Node, to: Translator): string {
  const literal = stringValue(side);
  const meets = to.result(other);
  if (literal !== undefined) {
    if (meets === 'number') return numberIn(literal);
    return HAS_TIME.test(literal) && meets !== 'text' ? `TIMESTAMP ${quoted(literal)}` : to.value(side);
  }
  if (to.result(side) !== 'text' || meets === 'text' || other.kind === 'parameter' || isNull(other)) {
    return to.value(side);
  }
  if (meets === 'number') return `mysql.double(${to.value(side)})`;
  return `cast_to_type(${to.value(side)}, ${to.value(other)})`;
}

/** Midnight is left out: read as a DATE, nothing is lost of it. */
const HAS_TIME = /^\d{4}-\d{2}-\d{2}[ T](?!00:00:00$)\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/** Text that meets a number counts as the number it starts with, or 0. */
function numberIn(literal: string): string {
  return /^\s*([-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?)/i.exec(literal)?.[1]?.replace(/\.$/, '') ?? '0';
}

/** `\` escapes unless another character is named. */
function like(node: Node, to: Translator): string {
  onlyFields('like', node.fields, ['left', 'right', 'escape']);
  const [x, pattern, escaping] = [child(node, 'left'), child(node, 'right'), maybe(node, 'escape')];
  const literal = stringValue(pattern);
  const mark = escaping === undefined ? '\\' : stringValue(escaping);
  if (mark?.length !== 1) return refuse('LIKE with an ESCAPE that is not one literal character');
  if (literal !== undefined && !literal.includes(mark)) {
    return `(${asText(x, to)} LIKE ${to.value(pattern)})`;
  }
  const safe = mark === '\\' ? `mysql.pattern(${asText(pattern, to)})` : asText(pattern, to);
  return `(${asText(x, to)} LIKE ${safe} ESCAPE ${quoted(mark)})`;
}

function matches(x: Node, pattern: Node, to: Translator, mode?: Node): string {
  const flags = mode === undefined ? 'c' : stringValue(mode);
  if (flags !== 'i' && flags !== 'c') return refuse('This match type of REGEXP_LIKE', "Known: 'i' and 'c'.");
  return `regexp_matches(${asText(x, to)}, ${asText(pattern, to)}, ${quoted(flags)})`;
}
