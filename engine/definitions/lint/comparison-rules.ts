import type { ScopeNodes } from '../../sql/analysis/scope-nodes.js';
import type { SelectScope } from '../../sql/analysis/select-scope.js';
import type { ValueType } from '../../sql/analysis/table-facts.js';
import { conjunctsOf, withoutParentheses, writeColumnName } from '../../sql/analysis/tree-search.js';
import { typeOf } from '../../sql/analysis/value-type.js';
import { isLiteral, stringValue } from '../../sql/duckdb/tree/literals.js';
import { type Fields, isFields, type Node, part, toNode, toTree } from '../../sql/reading/tree.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds comparisons of values with different types, and of times with days. */
export function findComparisons(scope: SelectScope, text: LintedText, nodes: ScopeNodes): Finding[] {
  const required = conjunctsOf(part(scope.node.fields, 'where_clause')?.this);
  return nodes.of(...COMPARISONS_AND_LISTS).flatMap((node) => {
    const isRequired = required.some((condition) => condition.fields === node.fields);
    const found = pairsOf(node).flatMap((pair) => {
      const one = describeOperand(scope, withoutParentheses(pair.left), text);
      const other = describeOperand(scope, withoutParentheses(pair.right), text);
      const ofTypes = [...findText(one, other), ...findDate(one, other)];
      return [...ofTypes, ...(isRequired ? findDay(pair.operator, one, other, text) : [])];
    });
    return found.slice(0, 1);
  });
}

/** The kinds of nodes that compare values. */
export const COMPARISONS: readonly string[] = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte'];
export const COMPARISONS_AND_LISTS: readonly string[] = [...COMPARISONS, 'between', 'in'];

export interface Pair {
  readonly operator: string;
  readonly left: Node;
  readonly right: Node;
}

interface Operand {
  readonly node: Node;
  readonly type: ValueType;
  /** The operand as it is written in messages. */
  readonly text: string;
  /** The name of the parameter; undefined if the operand is not a parameter. */
  readonly parameter: string | undefined;
  readonly isDay: boolean;
}

/** Returns the pairs of values that a comparison, BETWEEN or IN compares. */
export function pairsOf({ kind, fields }: Node): Pair[] {
  const pair = (operator: string, left: unknown, right: unknown): Pair[] =>
    isFields(left) && isFields(right) ? [{ operator, left: toNode(left), right: toNode(right) }] : [];
  if (kind === 'between') {
    return [
      ...pair('gte', fields.this, fields.low),
      ...(fields.not === true ? [] : pair('lte', fields.this, fields.high)),
    ];
  }
  if (kind !== 'in') return pair(kind, fields.left, fields.right);
  const values = Array.isArray(fields.expressions) ? (fields.expressions as Fields[]) : [];
  return values.flatMap((value) => pair('eq', fields.this, value));
}

function describeOperand(scope: SelectScope, node: Node, text: LintedText): Operand {
  const output = node.kind === 'parameter' ? text.outputOf(String(node.fields.name)) : undefined;
  const parameter = output?.parameter;
  const literal = stringValue(node);
  const definition = parameter === undefined ? undefined : text.endpoint.parameters[parameter];
  return {
    node,
    type: typeOf(scope, node, text.markers),
    text: describeNode(node, output?.name, literal),
    parameter,
    isDay: definition?.format === 'date' || (literal !== undefined && DAY.test(literal)),
  };
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const DATE_TEXT = /^\d{4}-\d{1,2}-\d{1,2}([ T]\d{1,2}:\d\d(:\d\d(\.\d+)?)?)?$/;
const NUMBER_TEXT = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

function describeNode(node: Node, parameter: string | undefined, literal: string | undefined): string {
  if (parameter !== undefined) return `{{ ${parameter} }}`;
  if (node.kind === 'column') return writeColumnName(node);
  if (literal !== undefined) return `'${literal}'`;
  return isLiteral(node, 'number') ? String(node.fields.value) : 'the other side';
}

function findText(one: Operand, other: Operand): Finding[] {
  const [text, number] = one.type === 'text' ? [one, other] : [other, one];
  if (text.type !== 'text' || number.type !== 'number') return [];
  const literal = stringValue(text.node);
  if (literal !== undefined && NUMBER_TEXT.test(literal)) return [];
  return [
    {
      rule: 'text-compared-with-number',
      at: [toTree(one.node), toTree(other.node)],
      message: `${text.text} is text and ${number.text} is a number: databases convert the text to a number, and 'abc' to 0 or an error`,
      fix: fixForText(text, number, literal),
    },
  ];
}

function fixForText(text: Operand, number: Operand, literal: string | undefined): string {
  if (text.parameter !== undefined) return `declare the parameter ${text.parameter} with type: integer`;
  if (number.parameter !== undefined) return `declare the parameter ${number.parameter} with type: string`;
  if (isLiteral(number.node, 'number')) return `write '${number.text}' in quotes`;
  return literal === undefined ? `write CAST(${number.text} AS CHAR)` : 'compare with a number';
}

/** Finds a DATE or DATETIME column that is compared with a number or with a text that is not a date. */
function findDate(one: Operand, other: Operand): Finding[] {
  const isDate = ({ type, node }: Operand) => (type === 'date' || type === 'datetime') && node.kind !== 'parameter';
  const [date, value] = isDate(one) ? [one, other] : [other, one];
  if (!isDate(date) || (value.type !== 'number' && value.type !== 'text')) return [];
  const literal = stringValue(value.node);
  const isUnclear = literal === undefined && value.parameter === undefined && value.type === 'text';
  if (isUnclear || (literal !== undefined && DATE_TEXT.test(literal))) return [];
  const kind = value.type === 'number' ? 'a number' : 'not a date';
  return [
    {
      rule: 'date-compared-with-other-type',
      at: [toTree(one.node), toTree(other.node)],
      message: `${date.text} is a ${date.type === 'date' ? 'DATE' : 'DATETIME'} and ${value.text} is ${kind}: databases convert one of them in different ways`,
      fix:
        value.parameter === undefined
          ? `write a date such as '2024-01-31'`
          : `declare the parameter ${value.parameter} with type: string, format: date`,
    },
  ];
}

/**
 * Finds `created_at <= day` in WHERE: a day is compared as its midnight, so the rest of the last day is missing. A
 * parameter with `notAfter` is excluded, because it is the first day of a range.
 */
function findDay(operator: string, time: Operand, day: Operand, { endpoint }: LintedText): Finding[] {
  const isFirst = day.parameter !== undefined && endpoint.parameters[day.parameter]?.notAfter !== undefined;
  if (time.type !== 'datetime' || time.node.kind === 'parameter' || !day.isDay || isFirst) return [];
  if (operator !== 'lte' && operator !== 'eq') return [];
  const rest = operator === 'lte' ? 'the rest of the last day is missing' : 'only midnight is equal';
  return [
    {
      rule: 'datetime-compared-with-day',
      at: [toTree(time.node), toTree(day.node)],
      message: `${time.text} is a DATETIME and ${day.text} is the midnight of a day: ${rest}`,
      fix:
        operator === 'eq'
          ? `write DATE(${time.text}) = ${day.text}`
          : `write ${time.text} < DATE_ADD(${day.text}, INTERVAL 1 DAY)`,
    },
  ];
}
