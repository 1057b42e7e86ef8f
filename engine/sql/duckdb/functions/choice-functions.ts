import { children, type Node, optionalChild } from '../../reading/tree.js';
import { isNull, stringValue } from '../tree/literals.js';
import { type Rewrite, requireOnlyFields, type Translator } from '../tree/translator.js';
import { writeComparedSide } from './comparisons.js';
import {
  argumentAt,
  type FunctionRules,
  rule,
  writeInteger,
  writeNumber,
  writeShownDigits,
  writeText,
} from './function-rule.js';

/** Functions that return one of their arguments. */
export const CHOICE_FUNCTIONS: FunctionRules = {
  COALESCE: rule('unknown', 1, 99, (args, to) => `coalesce(${writeChoices(args, to).join(', ')})`),
  IF: rule('unknown', 3, 3, (args, to) => {
    const [yes, no] = writeChoices(args.slice(1), to);
    return `CASE WHEN ${to.condition(argumentAt(args, 0))} THEN ${yes} ELSE ${no} END`;
  }),
  NULLIF: rule('unknown', 2, 2, (args, to) => {
    const [a, b] = [argumentAt(args, 0), argumentAt(args, 1)];
    return `mysql.null_if(${writeShownDigits(a, to)}, ${writeComparedSide(b, a, to)})`;
  }),
  GREATEST: rule('unknown', 2, 99, (args, to) => writeExtreme('greatest', args, to)),
  LEAST: rule('unknown', 2, 99, (args, to) => writeExtreme('least', args, to)),
  ELT: rule('text', 2, 99, (args, to) => {
    const texts = args.slice(1).map((arg, index) => `WHEN ${index + 1} THEN ${writeText(arg, to)}`);
    return `CASE ${writeInteger(argumentAt(args, 0), to)} ${texts.join(' ')} END`;
  }),
  FIELD: rule('number', 2, 99, (args, to) => {
    const [first, ...rest] = writeComparableValues(args, to);
    return `CASE ${rest.map((value, index) => `WHEN ${first} = ${value} THEN ${index + 1}`).join(' ')} ELSE 0 END`;
  }),
};

/** Writes CASE, with or without an operand. */
export const writeCase: Rewrite = (node, to) => {
  requireOnlyFields('case', node.fields, ['operand', 'whens', 'else_']);
  const operand = optionalChild(node, 'operand');
  const whens = (node.fields.whens as [unknown, unknown][]).map((pair) =>
    children({ kind: 'when', fields: { pair } }, 'pair'),
  );
  const otherwise = optionalChild(node, 'else_');
  const chosen = whens.map((pair) => argumentAt(pair, 1));
  const values = writeChoices(otherwise === undefined ? chosen : [...chosen, otherwise], to);
  const branches = whens.map((pair, index) => {
    const when = argumentAt(pair, 0);
    return `WHEN ${operand === undefined ? to.condition(when) : to.value(when)} THEN ${values[index]}`;
  });
  const last = otherwise === undefined ? '' : ` ELSE ${values.at(-1)}`;
  return `CASE ${operand === undefined ? '' : `${to.value(operand)} `}${branches.join(' ')}${last} END`;
};

/**
 * Writes the values of a choice. If one value is text, all values are converted to text, as in MySQL. DuckDB would
 * instead convert the text to a number or a date.
 */
function writeChoices(nodes: readonly Node[], to: Translator): readonly string[] {
  const values = nodes.filter((node) => !isNull(node));
  const mixed = values.some((node) => to.result(node) === 'text') && values.some((node) => to.result(node) !== 'text');
  return nodes.map((node) => (mixed && !isNull(node) ? writeText(node, to) : to.value(node)));
}

/** Writes values that are compared with each other. A text and a number are compared as numbers. */
function writeComparableValues(nodes: readonly Node[], to: Translator): readonly string[] {
  const results = new Set(nodes.map((node) => to.result(node)));
  const mixed = results.has('text') && results.has('number');
  return nodes.map((node) => (mixed ? writeNumber(node, to) : to.value(node)));
}

/**
 * Returns true for a text literal that contains a date. DuckDB converts such a literal to the type of the column on the
 * other side of the comparison.
 */
function isDateText(literal: string | undefined): boolean {
  return literal !== undefined && /^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/.test(literal);
}

/** Writes GREATEST or LEAST. The result is NULL if an argument is NULL; DuckDB's own functions ignore NULL. */
function writeExtreme(name: string, nodes: readonly Node[], to: Translator): string {
  const values = nodes.some((node) => isDateText(stringValue(node)))
    ? nodes.map((node) => to.value(node))
    : writeChoices(nodes, to);
  const unknown = values.map((value) => `${value} IS NULL`).join(' OR ');
  return `CASE WHEN ${unknown} THEN NULL ELSE ${name}(${values.join(', ')}) END`;
}
