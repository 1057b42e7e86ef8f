import { UntranslatableSqlError } from '../untranslatable-sql-error.js';
import { aggregate, aggregateResult, isAggregate } from './functions/aggregates.js';
import { ARITHMETIC, arithmeticResult } from './functions/arithmetic.js';
import { cast, castResult, convert } from './functions/casts.js';
import { CASE, CHOICE_FUNCTIONS, chosenBy } from './functions/choice-functions.js';
import { CONDITIONS, PREDICATES } from './functions/conditions.js';
import { DATE_FUNCTIONS, extracted } from './functions/date-functions.js';
import type { FunctionRules } from './functions/function-rule.js';
import { JSON_FUNCTIONS } from './functions/json-functions.js';
import { NUMBER_FUNCTIONS } from './functions/number-functions.js';
import { TEXT_FUNCTIONS, trim } from './functions/text-functions.js';
import { windowFunction } from './functions/windows.js';
import { query } from './query.js';
import { calledFunction } from './tree/function-names.js';
import { LITERALS, stringValue } from './tree/literals.js';
import {
  child,
  children,
  identifier,
  maybe,
  type Node,
  onlyFields,
  type Result,
  type Rewrite,
  refuse,
  shown,
  type Translator,
} from './tree/tree.js';

/** Every function that a query may call, by the name that MySQL gives it. */
export const FUNCTIONS: FunctionRules = {
  ...TEXT_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...CHOICE_FUNCTIONS,
  ...JSON_FUNCTIONS,
};

export const translator: Translator = { value, condition, query: (node) => query(node, translator), result };

function value(node: Node): string {
  const text = valueText(node);
  // Each call of a function that names an argument twice doubles the text.
  return text.length > MAX_LENGTH ? refuse('An expression with so many calls within calls') : text;
}

const MAX_LENGTH = 300_000;

function valueText(node: Node): string {
  const condition = conditionText(node);
  if (condition !== undefined) return `CAST(${condition} AS BIGINT)`;
  const rewrite = VALUES[node.kind];
  if (rewrite !== undefined) return rewrite(node, translator);
  if (isAggregate(node)) return aggregate(node, translator);
  return call(node);
}

function condition(node: Node): string {
  if (node.kind === 'paren') return condition(child(node, 'this'));
  if (node.kind === 'boolean') return node.fields.value === true ? 'TRUE' : 'FALSE';
  const negated = doubleMarked(node);
  if (negated !== undefined) return `(NOT ${condition(negated)})`;
  const literal = stringValue(node);
  if (literal !== undefined) return Number.parseFloat(literal) ? 'TRUE' : 'FALSE';
  return conditionText(node) ?? `(${result(node) === 'text' ? `mysql.double(${value(node)})` : value(node)} <> 0)`;
}

function conditionText(node: Node): string | undefined {
  const rewrite = CONDITIONS[node.kind];
  if (rewrite !== undefined) return rewrite(node, translator);
  const negated = doubleMarked(node);
  if (negated !== undefined) return `(NOT ${condition(negated)})`;
  const called = node.kind === 'function' ? calledFunction(node) : undefined;
  return called === undefined ? undefined : PREDICATES[called.name]?.(called.args, translator);
}

/** `!x`, which the parser is told as `~ ~ ~ x`. */
function doubleMarked(node: Node): Node | undefined {
  let inner = node;
  for (let marks = 0; marks < 3; marks++) {
    if (inner.kind !== 'bitwise_not') return undefined;
    inner = child(inner, 'this');
  }
  return inner;
}

function call(node: Node): string {
  const called = calledFunction(node);
  if (called === undefined) return refuse(shown(node.kind));
  if (called.name === 'CONVERT') return convert(called.args, translator);
  const rule = FUNCTIONS[called.name];
  if (rule === undefined) {
    throw new UntranslatableSqlError(
      `The function ${called.name} is not known on the embedded database; docs/sql-dialect.md lists those that are.`,
    );
  }
  const count = called.args.length;
  if (count < rule.least || count > rule.most) refuse(`${called.name} with ${count} argument${count === 1 ? '' : 's'}`);
  return rule.write(called.args, translator);
}

const VALUES: Readonly<Record<string, Rewrite>> = {
  ...LITERALS,
  ...ARITHMETIC,
  case: CASE,
  cast,
  column,
  collation,
  dot: () => refuse('A name of three parts', 'There is one database: write table.column.'),
  extract: (node, to) => extracted(extractUnit(node), child(node, 'this'), to),
  paren: (node, to) => to.value(child(node, 'this')),
  star,
  subquery: (node, to) => `(${to.query(node)})`,
  select: (node, to) => `(${to.query(node)})`,
  trim: (node, to) => {
    onlyFields('trim', node.fields, ['this', 'characters', 'position']);
    return trim(node, child(node, 'this'), maybe(node, 'characters'), to);
  },
  tuple: (node, to) =>
    `(${children(node, 'expressions')
      .map((part) => to.value(part))
      .join(', ')})`,
  window_function: windowFunction,
};

function column(node: Node): string {
  onlyFields('column', node.fields, ['table']);
  if (String((node.fields.name as { name: string }).name).startsWith('@')) refuse('A user variable');
  const table = node.fields.table;
  const name = identifier(node.fields.name);
  return table === null || table === undefined ? name : `${identifier(table)}.${name}`;
}

function star(node: Node): string {
  onlyFields('star', node.fields, ['table']);
  const table = node.fields.table;
  return table === null || table === undefined ? '*' : `${identifier(table)}.*`;
}

function collation(node: Node): string {
  return refuse(
    `The collation ${String(node.fields.collation).toLowerCase()}`,
    'Text compares by its exact bytes; compare LOWER(x) where case does not matter.',
  );
}

function extractUnit(node: Node): string {
  const field = node.fields.field;
  const name = typeof field === 'string' ? field : (field as { Custom?: string }).Custom;
  return String(name).toUpperCase();
}

function result(node: Node): Result {
  switch (node.kind) {
    case 'literal':
      return literalResult(node);
    case 'boolean':
      return 'number';
    case 'paren':
      return result(child(node, 'this'));
    case 'cast':
      return castResult(node);
    case 'trim':
      return 'text';
    case 'extract':
      return 'number';
    case 'window_function':
      return windowResult(child(node, 'this'));
    default:
      return computedResult(node);
  }
}

function literalResult(node: Node): Result {
  const type = String(node.fields.literal_type);
  return (
    ({ number: 'number', date: 'date', timestamp: 'datetime', datetime: 'datetime', time: 'time' } as const)[
      type as 'date'
    ] ?? 'text'
  );
}

function windowResult(called: Node): Result {
  if (isAggregate(called)) return aggregateResult(called);
  return ['lag', 'lead', 'first_value', 'last_value', 'nth_value'].includes(called.kind) ? 'unknown' : 'number';
}

function computedResult(node: Node): Result {
  if (node.kind in CONDITIONS) return 'number';
  if (isAggregate(node)) return aggregateResult(node);
  const choices = chosenBy(node).map(result);
  if (choices.length > 0) return commonResult(choices);
  const arithmetic = arithmeticResult(node, translator);
  if (arithmetic !== undefined) return arithmetic;
  const called = calledFunction(node);
  if (called === undefined) return 'unknown';
  if (called.name in PREDICATES) return 'number';
  const rule = FUNCTIONS[called.name];
  return rule?.resultOf?.(called.args, translator) ?? rule?.result ?? 'unknown';
}

/** Text wins, as in MySQL; otherwise only what all agree on is known. */
function commonResult(results: readonly Result[]): Result {
  if (results.includes('text')) return 'text';
  const [first] = results;
  return first !== undefined && results.every((other) => other === first) ? first : 'unknown';
}
