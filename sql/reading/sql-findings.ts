import { isFreeName, type Refusal, reservedName } from './reserved-names.js';

/** What the parts of a syntax tree tell about a query; see `inspectQuery`. */
export interface QueryFindings {
  /** Names of the markers found where a value can stand. */
  readonly bound: ReadonlySet<string>;
  /** Names of the markers that stand alone where they mean nothing, such as in ORDER BY, with the name of the place. */
  readonly meaningless: ReadonlyMap<string, string>;
  /** Things that a query may not do. */
  readonly refused: readonly Refusal[];
  /** Names of the output columns; undefined when a `*` hides them; null for an expression without a name. */
  readonly outputs: readonly (string | null)[] | undefined;
  /** Whether the outermost query has its own LIMIT, OFFSET or FETCH. */
  readonly hasLimit: boolean;
}

type Tree = Readonly<Record<string, unknown>>;

const SET_OPERATIONS = ['union', 'intersect', 'except'];
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
/** Clocks that give a day. */
const DAYS = new Set(['CURRENT_DATE', 'CURDATE', 'UTC_DATE', 'TODAY']);
const CHANCE = new Set(['RAND', 'RANDOM', 'UUID', 'UUID_SHORT', 'RANDOM_BYTES', 'GEN_RANDOM_UUID']);
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
  'LAST_INSERT_ID',
  'FOUND_ROWS',
  'ROW_COUNT',
  'GETENV',
]);
/** Functions one argument of which is a word of the language, not a value: the parser lets a marker stand there. */
const WORD_ARGUMENTS: Readonly<Record<string, number>> = { TIMESTAMPDIFF: 0, TIMESTAMPADD: 0, CONVERT: 1 };

/** Looks at the one statement of a parsed text. Undefined when it is not a SELECT. */
export function inspectQuery(statement: unknown): QueryFindings | undefined {
  const [kind, body] = only(statement);
  if (!isQuery(kind)) return undefined;
  const found: Inspection = {
    bound: new Set(),
    meaningless: new Map(),
    refused: [],
    reserved: new Set(),
    words: new Set(),
  };
  visit([statement], found);
  return {
    ...found,
    outputs: outputNames(statement),
    hasLimit: ['limit', 'offset', 'fetch'].some((key) => body[key] !== null && body[key] !== undefined),
  };
}

interface Inspection {
  readonly bound: Set<string>;
  readonly meaningless: Map<string, string>;
  readonly refused: Refusal[];
  /** Reserved words that were found as names; each is reported once. */
  readonly reserved: Set<string>;
  /** What the parser takes for names, and is words of the language. */
  readonly words: Set<unknown>;
}

/** What to look at in each kind of node; everything else is only passed through. */
const VISITORS: Readonly<Record<string, (part: Tree, found: Inspection) => void>> = {
  parameter: visitMarker,
  placeholder: visitMarker,
  function: visitFunction,
  rand: (_, found) => refuseFunction('RAND', found),
  select: visitSelect,
  column: visitColumn,
  collation: (_, found) => refuse('COLLATE', `${EXACT}: leave COLLATE out, or compare LOWER(x) on both sides`, found),
  introducer: (part, found) => refuseCharacters(nameOf(((part.this as Tree).column as Tree | undefined)?.name), found),
  char_func: (part, found) => refuseCharacters(part.charset, found),
  cast: visitCast,
  order_by: (part, found) => refuseBare(expressionsOf(part), 'ORDER BY', found),
  group_by: (part, found) => refuseBare(expressionsOf(part), 'GROUP BY', found),
  partition_by: (part, found) => refuseBare(expressionsOf(part), 'PARTITION BY', found),
  is: (part, found) => refuseBare([part.right], 'IS', found),
  lambda: (part, found) => refuseBare([part.body], '->', found),
  group_concat: (part, found) => refuseBare([part.separator], 'SEPARATOR', found),
  locks: (part, found) => {
    if (expressionsOf(part).length > 0) refuse('FOR', 'a query takes no locks', found);
  },
  into: (_, found) => refuse('INTO', 'a query writes nothing: leave INTO out', found),
  ctes: (part, found) => {
    const isOther = (cte: unknown) => !isQuery(only((cte as Tree).this)[0]);
    if (expressionsOf(part).some(isOther)) refuse('WITH', 'WITH may hold SELECT only', found);
  },
};

/** Keys of every node that hold no part of the query; passing over them halves the time. */
const IDLE = new Set(['span', 'trailing_comments', 'left_comments', 'operator_comments', 'pre_alias_comments']);

function visit(node: object, found: Inspection): void {
  if (Array.isArray(node)) {
    for (const item of node) if (typeof item === 'object' && item !== null) visit(item, found);
    return;
  }
  const reserved = found.words.has(node) ? undefined : reservedName(node, found.reserved);
  if (reserved !== undefined) found.refused.push(reserved);
  for (const key in node) {
    if (isFreeName(node as Tree, key)) continue;
    const part: unknown = (node as Tree)[key];
    if (typeof part === 'object' && part !== null) {
      if (IDLE.has(key)) continue;
      VISITORS[key]?.(part as Tree, found);
      visit(part, found);
    } else if (part === null && key === 'random') {
      refuseFunction('RANDOM', found);
    }
  }
}

function visitMarker(part: Tree, found: Inspection): void {
  if (part.style === 'Colon') found.bound.add(String(part.name));
  else if (part.style === 'DoubleAt') refuse('@@', 'system variables differ between databases: leave them out', found);
  else refuse('?', 'a value is bound with {{ name }}, not with a marker of your own', found);
}

function visitColumn(part: Tree, found: Inspection): void {
  const name = nameOf(part.name);
  if (!name?.startsWith('@')) return;
  refuse(name, 'user variables keep state between queries: use a WITH or a window function', found);
}

/** Without a group it is no aggregate in MySQL, and gives every row. */
function visitSelect(part: Tree, found: Inspection): void {
  if (part.group_by !== null && part.group_by !== undefined) return;
  const called = kindsIn([part.expressions, part.having, part.order_by]);
  if (!called.has('any_value') || AGGREGATES.some((kind) => called.has(kind))) return;
  refuse('ANY_VALUE', 'ANY_VALUE stands for one value of a group: add GROUP BY, or write MIN', found);
}

const AGGREGATES =
  'count sum avg min max group_concat std stddev stddev_pop stddev_samp variance var_pop var_samp bitwise_and_agg bitwise_or_agg bitwise_xor_agg j_s_o_n_array_agg j_s_o_n_object_agg'.split(
    ' ',
  );

/** What is not of the SELECT's own rows. */
const APART = new Set(['select', 'window_function']);

/** The kinds of the nodes, those of subqueries and windows left out. */
function kindsIn(node: unknown, kinds = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const item of node) kindsIn(item, kinds);
  else if (typeof node === 'object' && node !== null) {
    for (const [key, part] of Object.entries(node)) {
      if (part === null || typeof part !== 'object' || IDLE.has(key) || APART.has(key)) continue;
      // The parser has no kind of its own for STD.
      kinds.add(key === 'function' ? String((part as Tree).name).toLowerCase() : key);
      kindsIn(part, kinds);
    }
  }
  return kinds;
}

function visitCast(part: Tree, found: Inspection): void {
  const { data_type: type, name } = part.to as Tree;
  if (type === 'character_set') refuseCharacters(name, found);
}

/** The collation of a named character set is its default one, which ignores case on some databases. */
function refuseCharacters(name: unknown, found: Inspection): void {
  if (typeof name === 'string') refuse(name, OTHER_CHARACTERS, found);
}

const EXACT = 'text compares by its exact bytes on every database';
const OTHER_CHARACTERS = `${EXACT}, except in a character set of its own: write 'x' or CAST(x AS CHAR)`;

function visitFunction(part: Tree, found: Inspection): void {
  const name = String(part.name).toUpperCase();
  const list = Array.isArray(part.args) ? part.args : [];
  const word = WORD_ARGUMENTS[name];
  if (word !== undefined) {
    refuseBare([list[word]], name, found);
    found.words.add(only(list[word])[1].name);
  }
  if (name !== 'UNIX_TIMESTAMP' || list.length === 0) refuseFunction(name, found);
}

function refuseFunction(name: string, found: Inspection): void {
  if (CLOCK.has(name)) {
    refuse(
      name,
      `${name} reads the database's own clock: use {{ ${DAYS.has(name) ? 'today' : 'now'} }}, the service's clock in UTC`,
      found,
    );
  } else if (CHANCE.has(name)) {
    refuse(name, `${name} makes every answer different: leave it out`, found);
  } else if (SESSION.has(name)) {
    refuse(name, `${name} is about the server, not about the data: leave it out`, found);
  }
}

function refuse(token: string, message: string, found: Inspection): void {
  found.refused.push({ token, message });
}

function refuseBare(expressions: readonly unknown[], place: string, found: Inspection): void {
  for (const expression of expressions) {
    const name = bareMarker(expression);
    if (name !== undefined) found.meaningless.set(name, place);
  }
}

function expressionsOf(part: Tree): readonly unknown[] {
  const list = Array.isArray(part) ? part : part.expressions;
  return Array.isArray(list) ? list : [];
}

/** The marker that an expression consists of, in brackets or with DESC perhaps. */
function bareMarker(expression: unknown): string | undefined {
  if (typeof expression !== 'object' || expression === null) return undefined;
  const { parameter, paren, this: inner } = expression as Tree;
  if (parameter !== undefined) return String((parameter as Tree).name);
  return bareMarker(paren ?? inner);
}

function only(node: unknown): [string, Tree] {
  const [entry] = typeof node === 'object' && node !== null ? Object.entries(node as Tree) : [];
  return entry === undefined ? ['', {}] : [entry[0], (entry[1] ?? {}) as Tree];
}

function isQuery(kind: string): boolean {
  return kind === 'select' || kind === 'subquery' || SET_OPERATIONS.includes(kind);
}

function outputNames(query: unknown): (string | null)[] | undefined {
  const [kind, body] = only(query);
  if (kind === 'subquery') return outputNames(body.this);
  if (SET_OPERATIONS.includes(kind)) return outputNames(body.left);
  const names: (string | null)[] = [];
  for (const expression of Array.isArray(body.expressions) ? body.expressions : []) {
    const [part, content] = only(expression);
    // Only `*` and `t.*` can except columns.
    if ('except' in content) return undefined;
    names.push(part === 'alias' ? nameOf(content.alias) : part === 'column' ? nameOf(content.name) : null);
  }
  return names;
}

function nameOf(identifier: unknown): string | null {
  const name = typeof identifier === 'object' && identifier !== null ? (identifier as Tree).name : undefined;
  return typeof name === 'string' ? name : null;
}
