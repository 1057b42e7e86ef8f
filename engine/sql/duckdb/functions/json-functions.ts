import type { Node } from '../../reading/tree.js';
import { stringValue } from '../tree/literals.js';
import { reject, type Translator } from '../tree/translator.js';
import { argumentAt, type FunctionRules, rule, writeShownDigits, writeText } from './function-rule.js';

/** Functions on JSON. A path must be a literal. */
export const JSON_FUNCTIONS: FunctionRules = {
  JSON_EXTRACT: rule('json', 2, 99, (args, to) => {
    const paths = args.slice(1).map((path) => writePath(path, to));
    const document = writeDocument(args, to);
    return paths.length === 1
      ? `mysql.spaced(json_extract(${document}, ${paths[0]}))`
      : `mysql.spaced(mysql.found_values(json_extract(${document}, [${paths.join(', ')}])))`;
  }),
  JSON_VALUE: rule(
    'text',
    2,
    2,
    (args, to) => `json_extract_string(${writeDocument(args, to)}, ${writePath(argumentAt(args, 1), to)})`,
  ),
  JSON_UNQUOTE: rule('text', 1, 1, (args, to) => `mysql.unquoted(${writeText(argumentAt(args, 0), to)})`),
  JSON_LENGTH: rule('number', 1, 2, writeJsonLength),
  JSON_OBJECT: rule(
    'json',
    0,
    98,
    (args, to) =>
      `mysql.spaced(json_object(${args.map((arg, index) => (index % 2 === 0 ? writeText(arg, to) : writeMember(arg, to))).join(', ')}))`,
  ),
  JSON_ARRAY: rule(
    'json',
    0,
    99,
    (args, to) => `mysql.spaced(json_array(${args.map((arg) => writeMember(arg, to)).join(', ')}))`,
  ),
  JSON_QUOTE: rule('text', 1, 1, (args, to) => `mysql.quoted_json(${to.value(argumentAt(args, 0))})`),
  JSON_TYPE: rule('text', 1, 1, (args, to) => `mysql.type_of_json(${writeDocument(args, to)})`),
  JSON_KEYS: rule('json', 1, 2, writeKeys),
  JSON_CONTAINS_PATH: rule('number', 3, 99, writeContainsPath),
};

/** Writes a member of a JSON value. The literals TRUE and FALSE become JSON booleans here; in all other expressions they are numbers. */
export function writeMember(arg: Node, to: Translator): string {
  if (arg.kind === 'boolean') return `CAST('${arg.fields.value === true}' AS JSON)`;
  const shown = writeShownDigits(arg, to);
  return to.result(arg) === 'unknown' ? `mysql.member(${shown})` : shown;
}

/** Writes `document ->> path`. A JSON null is the text `null`, unlike the value of JSON_VALUE. */
export function writeArrow(document: Node, path: Node, to: Translator): string {
  return `mysql.unquoted(CAST(mysql.spaced(json_extract(${writeDocument([document], to)}, ${writePath(path, to)})) AS VARCHAR))`;
}

/** Writes `JSON_CONTAINS(document, value)`, with or without a path. */
export function writeContains(args: readonly Node[], to: Translator): string {
  const [document, value] = [to.value(argumentAt(args, 0)), to.value(argumentAt(args, 1))];
  const path = args[2] === undefined ? undefined : writePath(args[2], to);
  return `json_contains(${path === undefined ? document : `json_extract(${writeDocument(args, to)}, ${path})`}, ${value})`;
}

/** Writes `JSON_CONTAINS_PATH(document, 'one' | 'all', path, …)`. */
function writeContainsPath(args: readonly Node[], to: Translator): string {
  const operator = { one: 'OR', all: 'AND' }[stringValue(argumentAt(args, 1))?.toLowerCase() ?? ''];
  if (operator === undefined) return reject('JSON_CONTAINS_PATH without the literal one or all');
  const document = writeDocument(args, to);
  return `CAST((${args
    .slice(2)
    .map((path) => `json_exists(${document}, ${writePath(path, to)})`)
    .join(` ${operator} `)}) AS BIGINT)`;
}

function writeDocument(args: readonly Node[], to: Translator): string {
  const document = argumentAt(args, 0);
  return to.result(document) === 'json' ? to.value(document) : writeText(document, to);
}

/** Writes a path. Rejects a wildcard, for which DuckDB returns a list and MySQL does not. */
function writePath(node: Node, to: Translator): string {
  const value = stringValue(node);
  if (value === undefined) return reject('A JSON path that is not a literal text');
  if (value.includes('*')) return reject(`The JSON path ${value} with a wildcard`);
  return to.value(node);
}

/** Writes JSON_LENGTH: the number of members of an object or elements of an array, and 1 for any other value. */
function writeJsonLength(args: readonly Node[], to: Translator): string {
  const inner = writePart(args, to);
  return (
    `CAST(CASE json_type(${inner}) WHEN 'ARRAY' THEN json_array_length(${inner}) ` +
    `WHEN 'OBJECT' THEN len(json_keys(${inner})) ` +
    `ELSE CASE WHEN ${inner} IS NULL THEN NULL ELSE 1 END END AS BIGINT)`
  );
}

/** Writes JSON_KEYS, which is NULL for a value that is not an object. */
function writeKeys(args: readonly Node[], to: Translator): string {
  const inner = writePart(args, to);
  return `CASE json_type(${inner}) WHEN 'OBJECT' THEN mysql.spaced(CAST(to_json(mysql.distinct_keys(json_keys(${inner}))) AS JSON)) END`;
}

/** Writes the document, or its part at the path of the second argument. */
function writePart(args: readonly Node[], to: Translator): string {
  const document = writeDocument(args, to);
  return args[1] === undefined ? document : `json_extract(${document}, ${writePath(args[1], to)})`;
}
