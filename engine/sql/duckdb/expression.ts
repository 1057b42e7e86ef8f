import { child, type Fields, formatKind, type Node, optionalChild } from '../reading/tree.js';
import { UntranslatableSqlError } from '../reading/untranslatable-sql-error.js';
import { isAggregate, resultOfAggregate, writeAggregate } from './functions/aggregates.js';
import { ARITHMETIC, resultOfArithmetic } from './functions/arithmetic.js';
import { resultOfCast, writeCast, writeConvert } from './functions/casts.js';
import { CHOICE_FUNCTIONS, writeCase } from './functions/choice-functions.js';
import { CONDITIONS, PREDICATES } from './functions/conditions.js';
import { DATE_FUNCTIONS, writeExtract } from './functions/date-functions.js';
import type { FunctionRules } from './functions/function-rule.js';
import { JSON_FUNCTIONS, writeArrow } from './functions/json-functions.js';
import { NUMBER_FUNCTIONS } from './functions/number-functions.js';
import { TEXT_FUNCTIONS, writeTrim } from './functions/text-functions.js';
import { writeWindowFunction } from './functions/windows.js';
import { writeQuery } from './query.js';
import { choicesOf } from './tree/choices.js';
import { readCall } from './tree/function-names.js';
import { LITERALS, stringValue } from './tree/literals.js';
import {
  quoteIdentifier,
  type Result,
  type Rewrite,
  reject,
  requireOnlyFields,
  type Translator,
} from './tree/translator.js';

/** Every function that a query may call, by its MySQL name. */
export const FUNCTIONS: FunctionRules = {
  ...TEXT_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...CHOICE_FUNCTIONS,
  ...JSON_FUNCTIONS,
};

/** Translates every expression and query of the MySQL dialect to DuckDB. */
export const translator: Translator = {
  value: writeValue,
  condition: writeCondition,
  query: (node) => writeQuery(node, translator),
  result: resultOf,
};

function writeValue({ kind, fields }: Node): string {
  const known = translated.get(fields);
  if (known?.kind === kind) return known.text;
  const text = writeUncheckedValue({ kind, fields });
  // The translation of some functions contains an argument twice, so nested calls of such functions can double the text
  // at each level.
  if (text.length > MAX_LENGTH) reject('An expression with so many nested calls');
  translated.set(fields, { kind, text });
  return text;
}

/** The translated values, because some rewrites need the text of an argument twice: without it, nested calls would take exponential time. */
const translated = new WeakMap<Fields, { readonly kind: string; readonly text: string }>();

const MAX_LENGTH = 300_000;

function writeUncheckedValue(node: Node): string {
  const condition = writeIfCondition(node);
  if (condition !== undefined) return `CAST(${condition} AS BIGINT)`;
  const rewrite = VALUES[node.kind];
  if (rewrite !== undefined) return rewrite(node, translator);
  if (isAggregate(node)) return writeAggregate(node, translator);
  return writeCall(node);
}

function writeCondition(node: Node): string {
  if (node.kind === 'paren') return writeCondition(child(node, 'this'));
  if (node.kind === 'boolean') return node.fields.value === true ? 'TRUE' : 'FALSE';
  const negated = operandOfNot(node);
  if (negated !== undefined) return `(NOT ${writeCondition(negated)})`;
  const literal = stringValue(node);
  if (literal !== undefined) return Number.parseFloat(literal) ? 'TRUE' : 'FALSE';
  return (
    writeIfCondition(node) ??
    `(${resultOf(node) === 'text' ? `mysql.double(${writeValue(node)})` : writeValue(node)} <> 0)`
  );
}

function writeIfCondition(node: Node): string | undefined {
  const rewrite = CONDITIONS[node.kind];
  if (rewrite !== undefined) return rewrite(node, translator);
  const negated = operandOfNot(node);
  if (negated !== undefined) return `(NOT ${writeCondition(negated)})`;
  const called = node.kind === 'function' ? readCall(node) : undefined;
  return called === undefined ? undefined : PREDICATES[called.name]?.(called.args, translator);
}

/** Returns the operand of `!x`, which `prepareForParser` writes as `~ ~ ~ x`, or undefined for any other node. */
function operandOfNot(node: Node): Node | undefined {
  let inner = node;
  for (let marks = 0; marks < 3; marks++) {
    if (inner.kind !== 'bitwise_not') return undefined;
    inner = child(inner, 'this');
  }
  return inner;
}

function writeCall(node: Node): string {
  const called = readCall(node);
  if (called === undefined) return rejectKind(node);
  if (called.name === 'CONVERT') return writeConvert(called.args, translator);
  const rule = FUNCTIONS[called.name];
  if (rule === undefined) {
    const hint = FOREIGN_FUNCTIONS[called.name] ?? 'docs/sql-dialect.md lists the known functions.';
    const separator = called.name in FOREIGN_FUNCTIONS ? '.' : ';';
    throw new UntranslatableSqlError(
      `The function ${called.name} is unknown on the embedded database${separator} ${hint}`,
    );
  }
  const count = called.args.length;
  if (count < rule.minArguments || count > rule.maxArguments)
    reject(`${called.name} with ${count} argument${count === 1 ? '' : 's'}`);
  return rule.write(called.args, translator);
}

/** Rejects a kind of node without a translation, for example an aggregate of another database. */
function rejectKind({ kind, fields }: Node): never {
  const hint = FOREIGN_FUNCTIONS[kind.toUpperCase()];
  if (typeof fields.name === 'string') return reject(fields.name, hint);
  return reject(hint === undefined ? formatKind(kind) : kind.toUpperCase(), hint);
}

const VALUES: Readonly<Record<string, Rewrite>> = {
  ...LITERALS,
  ...ARITHMETIC,
  case: writeCase,
  cast: writeCast,
  column: writeColumn,
  collation: rejectCollation,
  dot: () => reject('A name of three parts', 'There is only one database: write table.column.'),
  extract: (node, to) => writeExtract(unitOfExtract(node), child(node, 'this'), to),
  json_extract_scalar: (node, to) => writeArrow(child(node, 'this'), child(node, 'path'), to),
  paren: (node, to) => to.value(child(node, 'this')),
  star: writeStar,
  subquery: (node, to) => {
    requireOnlyFields('subquery', { alias: node.fields.alias, columns: node.fields.column_aliases }, []);
    return `(${to.query(node)})`;
  },
  select: (node, to) => `(${to.query(node)})`,
  trim: (node, to) => {
    requireOnlyFields('trim', node.fields, ['this', 'characters', 'position']);
    return writeTrim(node, child(node, 'this'), optionalChild(node, 'characters'), to);
  },
  tuple: () => reject('A row as one value', 'Write its columns one by one.'),
  window_function: writeWindowFunction,
};

function writeColumn(node: Node): string {
  requireOnlyFields('column', node.fields, ['table']);
  const { name: text, quoted } = node.fields.name as { readonly name: string; readonly quoted?: boolean };
  if (text.startsWith('@')) reject('A user variable');
  if (/^0b[01]+$/.test(text) && quoted !== true) reject(`The literal ${text}`, 'Write a number.');
  const table = node.fields.table;
  const name = quoteIdentifier(node.fields.name);
  return table === null || table === undefined ? name : `${quoteIdentifier(table)}.${name}`;
}

function writeStar(node: Node): string {
  requireOnlyFields('star', node.fields, ['table']);
  const table = node.fields.table;
  return table === null || table === undefined ? '*' : `${quoteIdentifier(table)}.*`;
}

function rejectCollation(node: Node): string {
  return reject(
    `The collation ${String(node.fields.collation).toLowerCase()}`,
    'Text is compared by its exact bytes; compare LOWER(x) to ignore the case.',
  );
}

function unitOfExtract(node: Node): string {
  const field = node.fields.field;
  const name = typeof field === 'string' ? field : (field as { Custom?: string }).Custom;
  return String(name).toUpperCase();
}

function resultOf(node: Node): Result {
  switch (node.kind) {
    case 'literal':
      return resultOfLiteral(node);
    case 'boolean':
      return 'number';
    case 'paren':
      return resultOf(child(node, 'this'));
    case 'cast':
      return resultOfCast(node);
    case 'trim':
      return 'text';
    case 'extract':
      return 'number';
    case 'window_function':
      return resultOfWindow(child(node, 'this'));
    default:
      return resultOfComputation(node);
  }
}

function resultOfLiteral(node: Node): Result {
  const type = String(node.fields.literal_type);
  return (
    ({ number: 'number', date: 'date', timestamp: 'datetime', datetime: 'datetime', time: 'time' } as const)[
      type as 'date'
    ] ?? 'text'
  );
}

function resultOfWindow(called: Node): Result {
  if (isAggregate(called)) return resultOfAggregate(called);
  return ['lag', 'lead', 'first_value', 'last_value', 'nth_value'].includes(called.kind) ? 'unknown' : 'number';
}

function resultOfComputation(node: Node): Result {
  if (node.kind in CONDITIONS) return 'number';
  if (isAggregate(node)) return resultOfAggregate(node);
  const choices = choicesOf(node).map(resultOf);
  if (choices.length > 0) return mergeResults(choices);
  const arithmetic = resultOfArithmetic(node, translator);
  if (arithmetic !== undefined) return arithmetic;
  const called = readCall(node);
  if (called === undefined) return 'unknown';
  if (called.name in PREDICATES) return 'number';
  const rule = FUNCTIONS[called.name];
  return rule?.resultOf?.(called.args, translator) ?? rule?.result ?? 'unknown';
}

/** Returns `text` if one of the results is text, as in MySQL; otherwise the common result, or `unknown` if the results differ. */
function mergeResults(results: readonly Result[]): Result {
  if (results.includes('text')) return 'text';
  const [first] = results;
  return first !== undefined && results.every((other) => other === first) ? first : 'unknown';
}

/** Replacements for functions that authors know from other databases. The parser returns COUNTIF as COUNT_IF, and LISTAGG as LIST_AGG. */
const FOREIGN_FUNCTIONS: Readonly<Record<string, string>> = {
  ARRAY_AGG: 'Write GROUP_CONCAT or JSON_ARRAYAGG.',
  COUNT_IF: 'Write COUNT(CASE WHEN … THEN 1 END).',
  DATEADD: 'Write DATE_ADD(x, INTERVAL 1 DAY).',
  DATE_PART: 'Write EXTRACT(YEAR FROM x).',
  DATE_TRUNC: "Write DATE(x) for days, or DATE_FORMAT(x, '%Y-%m-01') for months.",
  LIST_AGG: 'Write GROUP_CONCAT(x SEPARATOR …).',
  MEDIAN: 'Write a window function with ROW_NUMBER().',
  NVL: 'Write IFNULL.',
  STRFTIME: 'Write DATE_FORMAT.',
  STRING_AGG: 'Write GROUP_CONCAT(x SEPARATOR …).',
  TO_CHAR: 'Write DATE_FORMAT or FORMAT.',
  TO_DATE: 'Write STR_TO_DATE.',
};
