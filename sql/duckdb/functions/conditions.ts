import { stringValue } from '../tree/literals.js';
import {
  child,
  children,
  type Node,
  optionalChild,
  quoteText,
  type Rewrite,
  reject,
  requireOnlyFields,
  type Translator,
} from '../tree/tree.js';
import { writeComparedSide, writeComparison } from './comparisons.js';
import { argumentAt, writeText } from './function-rule.js';
import { writeComparisonOfRows, writeRowIn } from './row-comparisons.js';

/** Rewrites of nodes that are true or false. */
export const CONDITIONS: Readonly<Record<string, Rewrite>> = {
  eq: comparisonRewrite('='),
  neq: comparisonRewrite('<>'),
  lt: comparisonRewrite('<'),
  lte: comparisonRewrite('<='),
  gt: comparisonRewrite('>'),
  gte: comparisonRewrite('>='),
  null_safe_eq: comparisonRewrite('IS NOT DISTINCT FROM'),
  and: (node, to) => `(${to.condition(child(node, 'left'))} AND ${to.condition(child(node, 'right'))})`,
  or: (node, to) => `(${to.condition(child(node, 'left'))} OR ${to.condition(child(node, 'right'))})`,
  xor: (node, to) => {
    requireOnlyFields('xor', node.fields, ['this', 'expression']);
    return `(${to.condition(child(node, 'this'))} <> ${to.condition(child(node, 'expression'))})`;
  },
  not: (node, to) => `(NOT ${to.condition(child(node, 'this'))})`,
  is_null: (node, to) => `(${to.value(child(node, 'this'))} IS ${notKeyword(node)}NULL)`,
  is_true: (node, to) => `(${to.condition(child(node, 'this'))} IS ${notKeyword(node)}TRUE)`,
  is_false: (node, to) => `(${to.condition(child(node, 'this'))} IS ${notKeyword(node)}FALSE)`,
  between: writeBetween,
  in: writeIn,
  exists: (node, to) => {
    requireOnlyFields('exists', node.fields, ['this']);
    return `EXISTS (${to.query(child(node, 'this'))})`;
  },
  any: (node, to) => writeQuantified('ANY', node, to),
  all: (node, to) => writeQuantified('ALL', node, to),
  like: writeLike,
  regexp_like: (node, to) => {
    requireOnlyFields('regexp', node.fields, ['this', 'pattern']);
    return writeRegexp(child(node, 'this'), child(node, 'pattern'), to);
  },
};

/** Functions that return true or false. */
export const PREDICATES: Readonly<Record<string, (args: readonly Node[], to: Translator) => string>> = {
  ISNULL: (args, to) => `(${to.value(argumentAt(args, 0))} IS NULL)`,
  REGEXP_LIKE: (args, to) => writeRegexp(argumentAt(args, 0), argumentAt(args, 1), to, args[2]),
  JSON_CONTAINS: (args, to) => {
    if (args.length !== 2) reject('JSON_CONTAINS with a path');
    return `json_contains(${to.value(argumentAt(args, 0))}, ${to.value(argumentAt(args, 1))})`;
  },
  JSON_VALID: (args, to) => `json_valid(${writeText(argumentAt(args, 0), to)})`,
};

function notKeyword(node: Node): string {
  return node.fields.not === true ? 'NOT ' : '';
}

function comparisonRewrite(operator: string): Rewrite {
  return (node, to) => {
    const [left, right] = [child(node, 'left'), child(node, 'right')];
    return writeComparisonOfRows(left, operator, right, to) ?? writeComparison(left, operator, right, to);
  };
}

function writeBetween(node: Node, to: Translator): string {
  const [x, low, high] = [child(node, 'this'), child(node, 'low'), child(node, 'high')];
  requireOnlyFields('between', node.fields, ['this', 'low', 'high', 'not']);
  const [from, until] = [writeComparedSide(low, x, to), writeComparedSide(high, x, to)];
  return `(${writeComparedSide(x, low, to)} ${notKeyword(node)}BETWEEN ${from} AND ${until})`;
}

function writeIn(node: Node, to: Translator): string {
  const compared = optionalChild(node, 'query') === undefined ? 'expressions' : 'query';
  requireOnlyFields('in', node.fields, ['this', compared, 'not']);
  const x = child(node, 'this');
  const list = children(node, 'expressions');
  const query = optionalChild(node, 'query') ?? list.find(({ kind }) => list.length === 1 && SET_OPERATIONS.has(kind));
  const isEqual = query === undefined ? writeRowInList(x, list, to) : writeRowIn(x, query, to);
  if (isEqual !== undefined) return `(${notKeyword(node)}${isEqual})`;
  if (query !== undefined) return `(${to.value(x)} ${notKeyword(node)}IN (${to.query(query)}))`;
  const values = list.map((value) => writeComparedSide(value, x, to));
  if (values.length === 0) reject('IN with an empty list');
  const [first] = list;
  return `(${first === undefined ? to.value(x) : writeComparedSide(x, first, to)} ${notKeyword(node)}IN (${values.join(', ')}))`;
}

function writeRowInList(x: Node, list: readonly Node[], to: Translator): string | undefined {
  if (x.kind !== 'tuple') return undefined;
  return `(${list.map((row) => writeComparisonOfRows(x, '=', row, to)).join(' OR ')})`;
}

/**
 * If the query of an IN is a set operation whose first side is in parentheses, the parser returns the query as a list
 * with a single node of one of these kinds.
 */
const SET_OPERATIONS = new Set(['union', 'intersect', 'except']);

function writeQuantified(word: string, node: Node, to: Translator): string {
  const operator = { Eq: '=', Neq: '<>', Lt: '<', Lte: '<=', Gt: '>', Gte: '>=' }[String(node.fields.op)];
  if (operator === undefined) return reject(`This comparison with ${word}`);
  return `(${to.value(child(node, 'this'))} ${operator} ${word} ${to.value(child(node, 'subquery'))})`;
}

/** Writes LIKE. The escape character is `\` unless ESCAPE names another one. */
function writeLike(node: Node, to: Translator): string {
  requireOnlyFields('like', node.fields, ['left', 'right', 'escape']);
  const [x, pattern, escaping] = [child(node, 'left'), child(node, 'right'), optionalChild(node, 'escape')];
  const literal = stringValue(pattern);
  const mark = escaping === undefined ? '\\' : stringValue(escaping);
  if (mark?.length !== 1) return reject('LIKE with an ESCAPE that is not one literal character');
  if (literal !== undefined && !literal.includes(mark)) {
    return `(${writeText(x, to)} LIKE ${to.value(pattern)})`;
  }
  const safe = mark === '\\' ? `mysql.pattern(${writeText(pattern, to)})` : writeText(pattern, to);
  return `(${writeText(x, to)} LIKE ${safe} ESCAPE ${quoteText(mark)})`;
}

function writeRegexp(x: Node, pattern: Node, to: Translator, mode?: Node): string {
  const flags = mode === undefined ? 'c' : stringValue(mode);
  if (flags !== 'i' && flags !== 'c') return reject('This match type of REGEXP_LIKE', "Known: 'i' and 'c'.");
  return `regexp_matches(${writeText(x, to)}, ${writeText(pattern, to)}, ${quoteText(flags)})`;
}
