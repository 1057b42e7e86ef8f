import { EngineError } from '../interface/errors.js';
import { QUERY_FAULTS } from '../query-faults.js';

/** Returns an error of DuckDB with the explanation for the author of the query, if there is one. */
export function asQueryError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof EngineError) return error;
  const message = explainQueryError(error.message);
  return message === undefined ? error : new Error(message, { cause: error });
}

/**
 * Explains an error of DuckDB that the SQL of a query causes, in terms of the author's SQL and with the next step. Returns undefined for
 * other errors. docs/sql-dialect.md lists the differences from a server, which accepts some of these queries.
 */
export function explainQueryError(message: string): string | undefined {
  const kind = KIND.exec(message)?.[1];
  if (kind === undefined) return undefined;
  const text = message.replace(KIND, '');
  for (const [pattern, write] of EXPLANATIONS) {
    const match = pattern.exec(text);
    if (match !== null) return write(...match.slice(1).map((part = '') => part));
  }
  return ABOUT_TEXT.has(kind) && !/^Schema with name/.test(text) ? TOO_COMPLEX : undefined;
}

/** The kinds of errors that the SQL of a query or its values cause. */
const KIND =
  /^(Binder|Parser|Catalog|Conversion|IO|Permission|Out of Range|Invalid Input|Invalid Type|Mismatch Type|Not implemented|Syntax|Divide by Zero|Invalid) Error: /;

/** The kinds of errors that only the text of a query causes. */
const ABOUT_TEXT = new Set(['Binder', 'Parser', 'Catalog', 'Not implemented', 'Syntax']);
const TOO_COMPLEX =
  'the embedded database cannot run this SQL: write it in a simpler way, for example with a derived table or a WITH';

const CAST = 'write CAST(x AS CHAR) around each value, or CASTs to another common type';

/** Messages of DuckDB, and their explanations. The first pattern that matches is used. */
const EXPLANATIONS: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  // Files as tables: their columns are those of the start.
  [
    /^COLUMN_TYPES error: Columns with names: (.*) do not exist/,
    (names) =>
      `a file does not have the columns ${names} that it had at the start: restart the service after a change of columns`,
  ],
  [
    /^CSV Error on Line: (\d+)[\s\S]*?\n((?:Error|Expected|Invalid|Value|Maximum|CSV)[^\n]*)[\s\S]*?file = ([^\n]*)/,
    (line, reason, file) => `line ${line} of ${file} cannot be read: ${reason}`,
  ],
  [
    /^(?:Malformed JSON|JSON transform error) in file "([^"]*)", (?:at|in) ([^:]*): ([^\n]*)/,
    (file, place, reason) => `${file} cannot be read at ${place}: ${reason}`,
  ],
  [
    /^Schema mismatch between globbed files\.[\s\S]*?Current file: ([^\n]*)\n((?:Column with name: [^\n]* is missing\n?)*)/,
    (file, missing) => `${file} does not have the columns of the other files: ${quotedIn(missing)}`,
  ],
  [
    /^Failed to read file "([^"]*)": schema mismatch in glob: column "([^"]*)"/,
    (file, column) => `${file} does not have the column of the other files: "${column}"`,
  ],
  [
    /^Error while reading file "([^"]*)": failed to cast column "([^"]*)" from type (.*) to ([^:]*):/,
    (file, column, from, to) => `the column "${column}" of ${file} has the type ${from} instead of ${to}`,
  ],
  [/^No files found that match the pattern "([^"]*)"/, (pattern) => `no file matches ${pattern}`],
  // DuckDB searches a missing file as a folder, which is not allowed.
  [/^Cannot access file "([^"]+)\/\*\*\/\*[^"]*" - file system operations/, (file) => `no file matches ${file}`],
  [/^Table with name "?([^"\s]+)"? does not exist/, QUERY_FAULTS.unknownTable],
  [/^Referenced column "([^"]+)" not found/, QUERY_FAULTS.unknownColumn],
  [
    /^Table "([^"]+)" does not have a column named "([^"]+)"/,
    (table, column) => QUERY_FAULTS.unknownColumn(`${table}.${column}`),
  ],
  [/^Referenced table "([^"]+)" not found/, QUERY_FAULTS.unknownAlias],
  [
    /^Column "([^"]+)" referenced that exists in the SELECT clause/,
    (name) => `the alias "${name}" cannot be used here: repeat its expression, or name it in a derived table`,
  ],
  [/^Ambiguous reference to column name "([^"]+)"/, QUERY_FAULTS.ambiguousColumn],
  [/^(?:Ambiguous reference to table|Duplicate alias) "([^"]+)"/, QUERY_FAULTS.equalNames],
  [/^column "?([^"\s]+)"? must appear in the GROUP BY clause/, QUERY_FAULTS.notGrouped],
  [
    /^(ORDER|GROUP BY) term out of range/,
    (clause) => `a number in ${clause === 'ORDER' ? 'ORDER BY' : clause} is not the position of a column`,
  ],
  [/^\* expression without FROM clause/, () => '* needs a FROM: name a table'],
  [
    /^Circular reference to CTE "([^"]+)"/,
    (name) => `the table "${name}" of WITH RECURSIVE reads itself outside of a UNION: write UNION or UNION ALL`,
  ],
  [
    /^Set operations can only apply to expressions with the same number of result columns/,
    QUERY_FAULTS.differentColumns,
  ],
  [/^Subquery returns \d+ columns - expected 1/, QUERY_FAULTS.severalColumns],
  [/^More than one row returned by a subquery/, QUERY_FAULTS.severalRows],
  [
    /Aggregate with only constant parameters has to be bound in the root subquery/,
    () => 'an aggregate of the outer SELECT is compared with the rows of a subquery: compute it in a derived table',
  ],
  [
    /^(WHERE|GROUP BY) clause cannot contain (aggregates|window functions)/,
    (clause, what) =>
      `${clause} cannot contain ${what}: ${what === 'aggregates' ? 'use HAVING or a derived table' : 'filter in an outer SELECT'}`,
  ],
  [/^aggregate function calls cannot be nested/, QUERY_FAULTS.nestedAggregate],
  [/Cannot mix values of type (\w+)\S* and (\w+)\S* in (CASE|COALESCE)/, explainChoice],
  [
    /Cannot (?:mix|compare) values of type (\w+)\S* and (?:type )?(\w+)/,
    (one, other) => `a comparison combines the types ${toMysqlType(one)} and ${toMysqlType(other)}: ${CAST}`,
  ],
  [
    /Cannot combine types of (\w+)\S* and (\w+)\S* -/,
    (one, other) => `an expression combines values of the types ${toMysqlType(one)} and ${toMysqlType(other)}: ${CAST}`,
  ],
  [
    /Unimplemented type for cast \(TIME -> TIMESTAMP\S*\)/,
    () => 'a TIME is used as a date: write TIMESTAMP(day, x) for a DATETIME, or ADDTIME(CAST(x AS TIME), y)',
  ],
  [
    /Unimplemented type for cast \((\w+)\S* -> (\w+)\S*\)/,
    (one, other) =>
      `a UNION, a comparison or a CAST combines the types ${toMysqlType(one)} and ${toMysqlType(other)}: ${CAST}`,
  ],
  [/^No function matches the given name and argument types '([^(]+)\((.*)\)'/s, explainArguments],
  // The macro `digits_of_date` replaces the point by `x`.
  [
    /^Could not convert string ['"]\d{14}x\d+['"] to/,
    () => 'a DATETIME with a fraction of a second is used as a number: write CAST(x AS DATETIME), or TIMESTAMPDIFF',
  ],
  // The text of a DOUBLE that is too large.
  [/^Could not convert string ['"]-?(?:inf|nan|\d+(?:\.\d*)?(?:e[-+]?\d+)?)['"] to DECIMAL/, QUERY_FAULTS.outOfRange],
  [
    /^Could not convert string ['"](.*?)['"] to (\w+)(?: when casting from source column (\w+))?/s,
    (text, type, column) =>
      `the text ${quote(text)}${column === '' ? '' : ` in the column ${column}`} is not a ${/DATE|TIME/.test(type) ? 'date' : 'number'}: compare text with text, or write CAST`,
  ],
  [
    /^(?:invalid|Could not parse) (?:timestamp|date|time)\w* field format: "([^"]*)"/,
    (text) => `the text ${quote(text)} is not a date: write YYYY-MM-DD or YYYY-MM-DD HH:MM:SS`,
  ],
  [
    /^(?:timestamp|date|time)\w* field value out of range: "([^"]*)"/,
    (text) => `the date ${quote(text)} does not exist`,
  ],
  [
    /^Failed to cast value to \w+: [^-\d]/,
    () => 'JSON is used as a number: read one value with JSON_VALUE, and convert it with CAST',
  ],
  [
    /^(?:Overflow in \w+|Casting value|Could not cast value|Type \w+ with value|Needed scale|Failed to cast value to numerical|Failed to cast decimal value|Integer overflow|Substring (?:length|offset)|cannot take logarithm)/,
    QUERY_FAULTS.outOfRange,
  ],
  [
    /^timestamp field value "([^"]*)" has a timestamp that is not UTC/,
    (text) => `the text ${quote(text)} is not a date: write YYYY-MM-DD HH:MM:SS in UTC, without a time zone`,
  ],
  // A fault of DuckDB for some nested subqueries.
  [/^unordered_map::at/, () => TOO_COMPLEX],
  [/out of range/i, QUERY_FAULTS.outOfRange],
  [
    /^Malformed JSON(?:.*Input: "(.*)")?/s,
    (text) => `a text is not JSON${text === '' ? '' : ` (${quote(text)})`}: check it with JSON_VALID`,
  ],
  [
    /^JSON path error near '(.*)'/,
    (path) => `a JSON path is not valid near ${quote(path)}: write a path such as $.a[0]`,
  ],
  [
    /^(?:json_group_object|JSON) key cannot be NULL/,
    () => 'a key of JSON_OBJECT or JSON_OBJECTAGG is NULL: select only rows with a key',
  ],
  [
    /^(a repeated text must not exceed .*|bytes cannot be used as text: .*|MIN and MAX of an ENUM compare texts: .*|a TIME must be within one day|a time must be a TIME or a text: .*|the year of a date needs four digits: .*)/,
    (text) => text,
  ],
  [
    /^((?:missing [\])]|unexpected \)|trailing \\|no argument for repetition|bad repetition|invalid (?:escape|character class|repetition|perl|named capture|UTF-8)).*)/,
    (fault) =>
      `a regular expression is not valid, or uses look-around or back-references, which are not supported (${fault})`,
  ],
  [/^Invalid escape string/, () => 'the ESCAPE of LIKE must be one ASCII character'],
  [/^frame (?:starting|ending)/, () => 'the frame of a window is empty: its first row is after its last row'],
  [
    /^Alias with name "([^"]+)" exists/,
    (name) => `the alias "${name}" cannot be part of an expression in GROUP BY: repeat its expression`,
  ],
  [
    /^Could not ORDER BY column/,
    () => 'the ORDER BY of a UNION names an expression: select it, or order in an outer SELECT',
  ],
  [
    /^No columns found to join on in NATURAL JOIN/,
    () => 'the tables of a NATURAL JOIN have no column in common: write ON',
  ],
];

function explainChoice(one: string, other: string, kind: string): string {
  // The translation of arithmetic contains a CASE.
  if (kind === 'CASE' && [one, other].includes('VARCHAR') && [one, other].includes('BIGINT')) {
    return 'an expression combines text and a number: write CAST(x AS SIGNED) or CAST(x AS DECIMAL(20, 4)) for arithmetic, and CAST(x AS CHAR) for text';
  }
  const words = kind === 'CASE' ? 'IF or CASE' : 'IFNULL or COALESCE';
  return `${words} has values of the types ${toMysqlType(one)} and ${toMysqlType(other)}: ${CAST}`;
}

/** Explains a function or an operator that does not accept its arguments. DuckDB's names are those of the translation. */
function explainArguments(name: string, types: string): string {
  const list = types.split(/,\s*(?![^(]*\))/).map((type) => toMysqlType(type.replace(/\(.*|"/g, '')));
  const what =
    AUTHOR_NAMES[name] ??
    (/^[a-z]+$/.test(name) && !INTERNAL_NAMES.has(name) ? name.toUpperCase() : 'a function or an operator');
  return `${what} does not accept ${list.length === 1 ? 'the type' : 'the types'} ${list.join(' and ')}: convert the values with CAST`;
}

/** The names in the author's SQL of functions that the translation calls. */
const AUTHOR_NAMES: Readonly<Record<string, string>> = {
  string_agg: 'GROUP_CONCAT',
  json_extract: 'JSON_EXTRACT',
  json_extract_string: 'JSON_VALUE',
  json_contains: 'JSON_CONTAINS',
  json_array_length: 'JSON_LENGTH',
  json_type: 'JSON_TYPE',
  stddev_pop: 'STDDEV',
  stddev_samp: 'STDDEV_SAMP',
  var_pop: 'VARIANCE',
  var_samp: 'VAR_SAMP',
};

/** Functions that the translation calls for other functions or operators. */
const INTERNAL_NAMES: ReadonlySet<string> = new Set(['abs', 'trunc', 'epoch', 'hex', 'list', 'row']);

function quote(text: string): string {
  return `'${text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text}'`;
}

const MAX_QUOTED = 60;

/** Converts the name of a DuckDB type to that of MySQL. DuckDB's types for literals end with `_LITERAL`. */
function toMysqlType(type: string): string {
  const name = type.replace(/_LITERAL$/, '');
  return { STRING: 'VARCHAR', TIMESTAMP: 'DATETIME', HUGEINT: 'DECIMAL', UBIGINT: 'UNSIGNED' }[name] ?? name;
}

/** Returns the quoted names in a text, separated by commas. */
function quotedIn(text: string): string {
  return (text.match(/"[^"]*"/g) ?? []).join(', ');
}
