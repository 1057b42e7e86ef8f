import { findGrowingTexts, isShortText } from './growing-texts.js';
import { KEYWORD_ARGUMENTS, RESERVED_WORDS } from './reserved-words.js';
import { LOCKS_ROWS } from './statement.js';
import { findTables, isDual } from './table-names.js';
import {
  expressionsOf,
  type Fields,
  IGNORED_FIELDS,
  isQuery,
  listOf,
  nameIn,
  nodeOf,
  outputName,
  parts,
  SET_OPERATIONS,
} from './tree.js';

/** Facts about a query that `inspectQuery` reads from the syntax tree. */
export interface QueryFindings {
  /** The names of the placeholders at positions where a value is allowed. */
  readonly bound: ReadonlySet<string>;
  /**
   * Placeholders that have no effect because they are a whole expression of a clause such as ORDER BY. The keys are
   * their names, and the values are the names of the clauses.
   */
  readonly meaningless: ReadonlyMap<string, string>;
  /** The parts of the query that are not allowed. */
  readonly rejections: readonly Rejection[];
  /** The names of the output columns; null for an expression without a name. Undefined if the select list has a `*`. */
  readonly outputs: readonly (string | null)[] | undefined;
  /** Whether the outermost query has a LIMIT, OFFSET or FETCH. */
  readonly hasLimit: boolean;
  /** The tables that the query reads, in lower case. See `findTables`. */
  readonly tables: ReadonlySet<string>;
  /** The names of its WITH queries, in lower case. */
  readonly named: ReadonlySet<string>;
}

/** Inspects the one statement of a parsed text. Returns undefined if it is not a SELECT. */
export function inspectQuery(statement: unknown): QueryFindings | undefined {
  const { kind, fields: body } = nodeOf(statement);
  if (!isQuery(kind)) return undefined;
  const found: Inspection = {
    bound: new Set(),
    tables: new Set(),
    named: new Set(),
    sources: new Set(),
    qualifiers: new Map(),
    meaningless: new Map(),
    rejections: [],
    reserved: new Set(),
    keywords: new Set(),
  };
  visit([statement], found);
  const unknown = [...found.qualifiers].filter(([name]) => !found.sources.has(name));
  return {
    ...found,
    rejections: [...found.rejections, ...unknown.map(([, rejection]) => rejection)],
    bound: new Set([...found.bound].filter((name) => !found.tables.has(name))),
    outputs: outputNames(statement),
    hasLimit: ['limit', 'offset', 'fetch'].some((key) => body[key] !== null && body[key] !== undefined),
    tables: findTables(statement),
  };
}

interface Inspection {
  readonly bound: Set<string>;
  /** The names of placeholders at the positions of tables, because the parser accepts `FROM (:p1) t`. */
  readonly tables: Set<string>;
  readonly named: Set<string>;
  /** The names and aliases of tables, in lower case, and all other aliases. */
  readonly sources: Set<string>;
  /** The qualifiers of columns, in lower case. */
  readonly qualifiers: Map<string, Rejection>;
  readonly meaningless: Map<string, string>;
  readonly rejections: Rejection[];
  /** Reserved words that the query uses as names. Each word is reported once. */
  readonly reserved: Set<string>;
  /** Nodes that the parser returns as names although they are keywords. */
  readonly keywords: Set<unknown>;
}

/** The check of each kind of node. For a kind that is not in this list, only the children of the node are visited. */
const VISITORS: Readonly<Record<string, (part: Fields, found: Inspection) => void>> = {
  parameter: visitMarker,
  placeholder: visitMarker,
  function: visitFunction,
  rand: (_, found) => rejectFunction('RAND', found),
  select: visitSelect,
  from: visitSources,
  joins: visitSources,
  column: visitColumn,
  star: (part, found) => addQualifier(part.table, found),
  table: ({ name, schema, catalog }, found) => {
    for (const part of [name, schema, catalog]) addSource(part, found);
    if (isDual(name)) found.keywords.add(name);
  },
  alias: addSource,
  collation: (_, found) => reject('COLLATE', `${EXACT}: remove COLLATE, or compare LOWER(x) on both sides`, found),
  introducer: (part, found) =>
    rejectCharacterSet(nameIn(((part.this as Fields).column as Fields | undefined)?.name), found),
  char_func: (part, found) => rejectCharacterSet(part.charset, found),
  cast: visitCast,
  power: (part, found) => {
    if (part.original_name === '**') reject('**', 'MySQL has no **: write POW(a, b)', found);
  },
  i_like: (_, found) => reject('ILIKE', 'MySQL has no ILIKE: write LOWER(x) LIKE LOWER(pattern)', found),
  json_extract: visitArrow,
  json_extract_scalar: visitArrow,
  with: (part, found) => {
    for (const { alias } of parts(part, 'ctes')) found.named.add(nameIn(alias)?.toLowerCase() ?? '');
    for (const message of findGrowingTexts(part, isShortText)) reject('RECURSIVE', message, found);
  },
  order_by: (part, found) => findBareMarkers(expressionsOf(part), 'ORDER BY', found),
  group_by: (part, found) => findBareMarkers(expressionsOf(part), 'GROUP BY', found),
  partition_by: (part, found) => findBareMarkers(expressionsOf(part), 'PARTITION BY', found),
  is: (part, found) => findBareMarkers([part.right], 'IS', found),
  lambda: (part, found) => findBareMarkers([part.body], '->', found),
  group_concat: (part, found) => findBareMarkers([part.separator], 'SEPARATOR', found),
  locks: (part, found) => {
    if (expressionsOf(part).length > 0) reject('FOR', LOCKS_ROWS, found);
  },
  into: (_, found) => reject('INTO', 'a query cannot write: remove INTO', found),
  ctes: (part, found) => {
    const isOther = (cte: unknown) => !isQuery(nodeOf((cte as Fields).this).kind);
    if (expressionsOf(part).some(isOther)) reject('WITH', 'WITH may contain only SELECT', found);
  },
};

function visit(node: object, found: Inspection): void {
  if (Array.isArray(node)) {
    for (const item of node) if (typeof item === 'object' && item !== null) visit(item, found);
    return;
  }
  const reserved = found.keywords.has(node) ? undefined : findReservedName(node, found.reserved);
  if (reserved !== undefined) found.rejections.push(reserved);
  for (const key in node) {
    // Index hints contain words such as USE.
    if (isFreeName(node as Fields, key) || key === 'hints') continue;
    const part: unknown = (node as Fields)[key];
    if (typeof part === 'object' && part !== null) {
      if (IGNORED_FIELDS.has(key)) continue;
      VISITORS[key]?.(part as Fields, found);
      visit(part, found);
    } else if (part === null && key === 'random') {
      rejectFunction('RANDOM', found);
    } else if (typeof part === 'boolean' && key === 'nulls_first') {
      reject(
        'NULLS',
        `MySQL has no NULLS ${part ? 'FIRST: write x IS NOT NULL, x' : 'LAST: write x IS NULL, x'}`,
        found,
      );
    }
  }
}

/** Finds placeholders in parentheses among the tables of FROM and JOIN. */
function visitSources(part: Fields, found: Inspection): void {
  for (const source of Array.isArray(part) ? part : expressionsOf(part)) {
    const subquery = (source as Fields).subquery ?? ((source as Fields).this as Fields | undefined)?.subquery;
    const marker = ((subquery as Fields | undefined)?.this as Fields | undefined)?.parameter;
    if (marker !== undefined) found.tables.add(String((marker as Fields).name));
  }
}

function visitMarker(part: Fields, found: Inspection): void {
  if (part.style === 'Colon') found.bound.add(String(part.name));
  else if (part.style === 'DoubleAt') reject('@@', 'system variables differ between databases: remove them', found);
  else reject('?', 'bind a value with {{ name }}, not with a marker', found);
}

function visitColumn(part: Fields, found: Inspection): void {
  addQualifier(part.table, found);
  const name = nameIn(part.name);
  if (!name?.startsWith('@')) return;
  reject(name, 'user variables keep state between queries: use a WITH or a window function', found);
}

function addSource(identifier: unknown, found: Inspection): void {
  const name = nameIn(identifier);
  if (name !== undefined) found.sources.add(name.toLowerCase());
}

function addQualifier(identifier: unknown, found: Inspection): void {
  const name = nameIn(identifier);
  if (name === undefined || found.qualifiers.has(name.toLowerCase())) return;
  const message = `no table of this SELECT has the name or the alias ${name}`;
  found.qualifiers.set(name.toLowerCase(), { token: name, message });
}

/** Rejects ANY_VALUE in a SELECT without groups, where MySQL does not treat it as an aggregate and returns every row. */
function visitSelect(part: Fields, found: Inspection): void {
  if (part.group_by !== null && part.group_by !== undefined) return;
  const called = collectKinds([part.expressions, part.having, part.order_by]);
  if (!called.has('any_value') || AGGREGATES.some((kind) => called.has(kind))) return;
  reject('ANY_VALUE', 'ANY_VALUE needs a group: add GROUP BY, or write MIN', found);
}

const AGGREGATES =
  'count sum avg min max group_concat std stddev stddev_pop stddev_samp variance var_pop var_samp bitwise_and_agg bitwise_or_agg bitwise_xor_agg j_s_o_n_array_agg j_s_o_n_object_agg'.split(
    ' ',
  );

/** Kinds of nodes whose aggregates do not aggregate the rows of the SELECT itself. */
const SEPARATE_ROWS = new Set(['select', 'window_function']);

/** Returns the kinds of all nodes except those in subqueries and window functions. */
function collectKinds(node: unknown, kinds = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const item of node) collectKinds(item, kinds);
  else if (typeof node === 'object' && node !== null) {
    for (const [key, part] of Object.entries(node)) {
      if (part === null || typeof part !== 'object' || IGNORED_FIELDS.has(key) || SEPARATE_ROWS.has(key)) continue;
      // The parser returns STD as an ordinary function and not as a separate kind of node.
      kinds.add(key === 'function' ? String((part as Fields).name).toLowerCase() : key);
      collectKinds(part, kinds);
    }
  }
  return kinds;
}

/** MySQL allows `->` and `->>` only after a column. */
function visitArrow(part: Fields, found: Inspection): void {
  if (part.arrow_syntax !== true || nodeOf(part.this).kind === 'column') return;
  reject('->', 'only a column can be before -> and ->>: write JSON_EXTRACT or JSON_VALUE', found);
}

function visitCast(part: Fields, found: Inspection): void {
  if (part.double_colon_syntax === true) reject('::', 'MySQL has no x::type: write CAST(x AS type)', found);
  const { data_type: type, name } = part.to as Fields;
  if (type === 'character_set') rejectCharacterSet(name, found);
}

/**
 * Rejects a named character set, because text with it has the default collation of this character set, which ignores
 * case on some databases.
 */
function rejectCharacterSet(name: unknown, found: Inspection): void {
  if (typeof name === 'string') reject(name, OTHER_CHARACTER_SET, found);
}

const EXACT = 'every database compares text by its exact bytes';
const OTHER_CHARACTER_SET = `${EXACT}, except text with a named character set: write 'x' or CAST(x AS CHAR)`;

function visitFunction(part: Fields, found: Inspection): void {
  const name = String(part.name).toUpperCase();
  const list = listOf(part.args);
  const word = KEYWORD_ARGUMENTS[name];
  if (word !== undefined) {
    findBareMarkers([list[word]], name, found);
    found.keywords.add(nodeOf(list[word]).fields.name);
  }
  if (name !== 'UNIX_TIMESTAMP' || list.length === 0) rejectFunction(name, found);
}

function rejectFunction(name: string, found: Inspection): void {
  const reason = explainForbiddenFunction(name);
  if (reason !== undefined) reject(name, reason, found);
}

function reject(token: string, message: string, found: Inspection): void {
  found.rejections.push({ token, message });
}

function findBareMarkers(expressions: readonly unknown[], place: string, found: Inspection): void {
  for (const expression of expressions) {
    const name = bareMarker(expression);
    if (name !== undefined) found.meaningless.set(name, place);
  }
}

/** Returns the name of the placeholder if the expression consists only of a placeholder, even in parentheses or with DESC. */
function bareMarker(expression: unknown): string | undefined {
  if (typeof expression !== 'object' || expression === null) return undefined;
  const { parameter, paren, this: inner } = expression as Fields;
  if (parameter !== undefined) return String((parameter as Fields).name);
  return bareMarker(paren ?? inner);
}

function outputNames(query: unknown): (string | null)[] | undefined {
  const { kind, fields: body } = nodeOf(query);
  if (kind === 'subquery') return outputNames(body.this);
  if (SET_OPERATIONS.has(kind)) return outputNames(body.left);
  const names: (string | null)[] = [];
  for (const expression of listOf(body.expressions)) {
    // The field `except` identifies `*` and `t.*`.
    if ('except' in nodeOf(expression).fields) return undefined;
    names.push(outputName(expression));
  }
  return names;
}

/** Returns why a definition must not call a function, or undefined if it may. `name` is in capital letters. */
function explainForbiddenFunction(name: string): string | undefined {
  if (CLOCK.has(name)) {
    const parameter = DAYS.has(name) ? 'today' : 'now';
    return `${name} reads the clock of the database: use {{ ${parameter} }}, the clock of the service in UTC`;
  }
  if (RANDOM.has(name)) return `${name} makes every answer different: remove it`;
  return SESSION.has(name) ? `${name} reads or changes the server, not the data: remove it` : undefined;
}

const CLOCK = new Set([
  'NOW',
  'CURRENT_DATE',
  'CURDATE',
  'CURRENT_TIME',
  'CURTIME',
  'CURRENT_TIMESTAMP',
  'LOCALTIME',
  'LOCALTIMESTAMP',
  'SYSDATE',
  'UTC_DATE',
  'UTC_TIME',
  'UTC_TIMESTAMP',
  'UNIX_TIMESTAMP',
  'GETDATE',
  'TODAY',
]);
/** Clock functions that return a date. */
const DAYS = new Set(['CURRENT_DATE', 'CURDATE', 'UTC_DATE', 'TODAY']);
const RANDOM = new Set([
  'RAND',
  'RANDOM',
  'UUID',
  'UUID_SHORT',
  'UUID_V4',
  'UUID_V7',
  'SYS_GUID',
  'RANDOM_BYTES',
  'GEN_RANDOM_UUID',
]);
const SESSION = new Set([
  'SLEEP',
  'BENCHMARK',
  'LOAD_FILE',
  'GET_LOCK',
  'RELEASE_LOCK',
  'RELEASE_ALL_LOCKS',
  'IS_FREE_LOCK',
  'IS_USED_LOCK',
  'USER',
  'CURRENT_USER',
  'SESSION_USER',
  'SYSTEM_USER',
  'CURRENT_ROLE',
  'CONNECTION_ID',
  'DATABASE',
  'SCHEMA',
  'VERSION',
  'TIDB_CURRENT_TSO',
  'LAST_INSERT_ID',
  'FOUND_ROWS',
  'ROW_COUNT',
  'GETENV',
]);

/** A part of a query that is not allowed: the token to report, its offset if the parser provides it, and a message. */
interface Rejection {
  readonly token: string;
  readonly at?: number;
  readonly message: string;
}

/**
 * Returns a rejection if a name is a reserved word of MySQL, MariaDB or TiDB without backticks. Words in `reported` are
 * not reported again; the function adds the word.
 */
function findReservedName(node: object, reported: Set<string>): Rejection | undefined {
  const { name, quoted, args, span } = node as Fields;
  if (typeof name !== 'string' || quoted !== false || args !== undefined) return undefined;
  const word = name.toUpperCase();
  if (!RESERVED_WORDS.has(word) || reported.has(word)) return undefined;
  reported.add(word);
  const at = (span as Fields | null | undefined)?.start;
  const message = `${name} is a reserved word of MySQL, MariaDB or TiDB: write \`${name}\``;
  return { token: `\`${name}\``, message, ...(typeof at === 'number' && { at }) };
}

/** Returns true for a name before or after a `.`, where every word is allowed. */
function isFreeName(node: Fields, key: string): boolean {
  const isNode = (part: unknown) => typeof part === 'object' && part !== null;
  if (key === 'table') return 'join_mark' in node || 'except' in node;
  if (key === 'schema' || key === 'catalog') return true;
  return key === 'name' && (isNode(node.schema) || ('join_mark' in node && isNode(node.table)));
}
