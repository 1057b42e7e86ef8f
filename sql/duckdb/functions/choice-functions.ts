import { isNull, stringValue } from '../tree/literals.js';
import type { Node, Rewrite, Translator } from '../tree/tree.js';
import { child, children, maybe, onlyFields } from '../tree/tree.js';
import { compared } from './conditions.js';
import { argument, asInteger, asNumber, asText, type FunctionRules, rule, shownDigits } from './function-rule.js';

/** Functions that choose among their arguments. */
export const CHOICE_FUNCTIONS: FunctionRules = {
  COALESCE: rule('unknown', 1, 99, (args, to) => `coalesce(${alike(args, to).join(', ')})`),
  IF: rule('unknown', 3, 3, (args, to) => {
    const [yes, no] = alike(args.slice(1), to);
    return `CASE WHEN ${to.condition(argument(args, 0))} THEN ${yes} ELSE ${no} END`;
  }),
  NULLIF: rule('unknown', 2, 2, (args, to) => {
    const [a, b] = [argument(args, 0), argument(args, 1)];
    return `nullif(${shownDigits(a, to)}, ${compared(b, a, to)})`;
  }),
  GREATEST: rule('unknown', 2, 99, (args, to) => extreme('greatest', args, to)),
  LEAST: rule('unknown', 2, 99, (args, to) => extreme('least', args, to)),
  ELT: rule('text', 2, 99, (args, to) => {
    const texts = args.slice(1).map((arg, index) => `WHEN ${index + 1} THEN ${asText(arg, to)}`);
    return `CASE ${asInteger(argument(args, 0), to)} ${texts.join(' ')} END`;
  }),
  FIELD: rule('number', 2, 99, (args, to) => {
    const [first, ...rest] = sameKind(args, to);
    return `CASE ${rest.map((value, index) => `WHEN ${first} = ${value} THEN ${index + 1}`).join(' ')} ELSE 0 END`;
  }),
};

/** `CASE`, in both forms. */
export const CASE: Rewrite = (node, to) => {
  onlyFields('case', node.fields, ['operand', 'whens', 'else_']);
  const operand = maybe(node, 'operand');
  const whens = (node.fields.whens as [unknown, unknown][]).map((pair) =>
    children({ kind: 'when', fields: { pair } }, 'pair'),
  );
  const otherwise = maybe(node, 'else_');
  const chosen = whens.map((pair) => argument(pair, 1));
  const values = alike(otherwise === undefined ? chosen : [...chosen, otherwise], to);
  const branches = whens.map((pair, index) => {
    const when = argument(pair, 0);
    return `WHEN ${operand === undefined ? to.condition(when) : to.value(when)} THEN ${values[index]}`;
  });
  const last = otherwise === undefined ? '' : ` ELSE ${values.at(-1)}`;
  return `CASE ${operand === undefined ? '' : `${to.value(operand)} `}${branches.join(' ')}${last} END`;
};

/** The nodes that decide the result of a choice, or none when the node is no choice. */
export function chosenBy(node: Node): readonly Node[] {
  if (node.kind === 'case') {
    const pairs = node.fields.whens as [unknown, unknown][];
    const values = pairs.flatMap((pair) => children({ kind: 'when', fields: { pair } }, 'pair').slice(1));
    const otherwise = maybe(node, 'else_');
    return otherwise === undefined ? values : [...values, otherwise];
  }
  if (node.kind === 'coalesce') return children(node, 'expressions');
  if (node.kind === 'if_func') return [child(node, 'true_value'), child(node, 'false_value')];
  return [];
}

/** As soon as one of them is text, all are; DuckDB would try to read the text as a number or date instead. */
function alike(nodes: readonly Node[], to: Translator): readonly string[] {
  const values = nodes.filter((node) => !isNull(node));
  const mixed = values.some((node) => to.result(node) === 'text') && values.some((node) => to.result(node) !== 'text');
  return nodes.map((node) => (mixed && !isNull(node) ? asText(node, to) : to.value(node)));
}

/** Text and numbers are compared as numbers. */
function sameKind(nodes: readonly Node[], to: Translator): readonly string[] {
  const results = new Set(nodes.map((node) => to.result(node)));
  const mixed = results.has('text') && results.has('number');
  return nodes.map((node) => (mixed ? asNumber(node, to) : to.value(node)));
}

/** A literal date is read as the type of the column that it stands beside. */
function isDated(literal: string | undefined): boolean {
  return literal !== undefined && /^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/.test(literal);
}

/** NULL when any of them is NULL, unlike DuckDB's, which leaves NULLs out. */
function extreme(name: string, nodes: readonly Node[], to: Translator): string {
  const values = nodes.some((node) => isDated(stringValue(node)))
    ? nodes.map((node) => to.value(node))
    : alike(nodes, to);
  const unknown = values.map((value) => `${value} IS NULL`).join(' OR ');
  return `CASE WHEN ${unknown} THEN NULL ELSE ${name}(${values.join(', ')}) END`;
}
