import { parseStatement } from './duckdb/translate.js';
import { addNames, findUnnamedColumns } from './outline/unnamed-columns.js';
import { findForbiddenSign, NOT_CODE, quoteName } from './reading/lexemes.js';
import { RESERVED_WORDS } from './reading/reserved-words.js';
import { NOT_A_SELECT, readStatement } from './reading/statement.js';
import { findTables, isDual } from './reading/table-names.js';
import {
  type Fields,
  IGNORED_FIELDS,
  isFields,
  isQuery,
  listOf,
  nameIn,
  nodeOf,
  parts,
  toTree,
} from './reading/tree.js';
import { UntranslatableSqlError } from './reading/untranslatable-sql-error.js';

/** Returns the condition on the rows of a table, in SQL with placeholders; undefined for a table without one. The name is in lower case. */
export type ConditionOf = (table: string) => string | undefined;

/**
 * Restricts the rows that a SELECT of the MySQL dialect reads: `FROM orders o` becomes
 * `FROM (SELECT * FROM orders WHERE (condition)) AS o`. A table of another schema has the condition of its name without the schema. All other
 * text stays unchanged, except that a column without a name gets its text as its name if this text changes. Tables that a condition reads are
 * not restricted.
 *
 * Throws an `UntranslatableSqlError` if the function cannot find every reference to a table with certainty. Two searches must agree: one in the
 * tree of the author's text, and one in the tree of the result.
 */
export function filterTables(sql: string, conditionOf: ConditionOf): string {
  const sign = findForbiddenSign(sql);
  if (sign !== undefined) reject(sign.message);
  const named = addNames(sql, (column) => isChangedColumn(column, conditionOf));
  const tree = readQuery(named);
  const words = readWords(named);
  requireSameNames(words, tree, conditionOf);
  requireNamedColumns(tree, named, conditionOf);
  const search: Search = { conditionOf, references: [] };
  visit(tree, new Map(), search);
  const references = search.references.sort((one, other) => one.start - other.start);
  const written = write(
    named,
    references.map((reference) => readEdit(named, words, reference)),
  );
  requireComplete(written, conditionOf);
  return written.text;
}

function reject(message: string): never {
  throw new UntranslatableSqlError(`The rows of this SQL cannot be restricted: ${message}.`);
}

function readQuery(sql: string): unknown {
  const node = parseStatement(sql);
  return isQuery(node.kind) ? toTree(node) : reject(NOT_A_SELECT);
}

/** A word, a quoted text or a sign of the code. */
interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Matches as MySQL does, so that a text in which the parser reads other words is rejected. */
const WORDS = new RegExp(`(?:\`[^\`]*\`)+|(${NOT_CODE})|[:@]*[\\w$\\u0080-\\uffff]+|\\s+|.`, 'gs');

function readWords(sql: string): Word[] {
  return [...sql.matchAll(WORDS)].flatMap(({ 0: text, 1: noCode, index: start }) => {
    if (noCode !== undefined && /^(?:--|#|\/\*)/.test(noCode)) {
      if (UNCLEAR_COMMENT.test(noCode)) reject(`databases differ in where the comment ${noCode.slice(0, 20)} ends`);
      return [];
    }
    return text.trim() === '' ? [] : [{ text, start, end: start + text.length }];
  });
}

/** Matches `--` before a space that MySQL does not know, and optimizer hints in which MySQL reads quoted names before it looks for the end. */
const UNCLEAR_COMMENT = /^--[^\t-\r ]|^\/\*\+.*['"`]/s;

function nameOfWord({ text }: Word): string {
  return (text.startsWith('`') ? text.slice(1, -1).replaceAll('``', '`') : text).toLowerCase();
}

/** Whether the text of a column contains a subquery that can read a restricted table. */
function isChangedColumn(column: string, conditionOf: ConditionOf): boolean {
  return /\bselect\b/i.test(column) && readWords(column).some((word) => conditionOf(nameOfWord(word)) !== undefined);
}

/** Rejects words that can name a restricted table, but that the parser does not read as a name, and TABLE, which it reads as a name. */
function requireSameNames(words: readonly Word[], tree: unknown, conditionOf: ConditionOf): void {
  const known = new Set<number>();
  collectStarts(tree, known);
  for (const [index, word] of words.entries()) {
    const [before = '', after = ''] = [words[index - 1]?.text, words[index + 1]?.text];
    if (before !== '.' && /^table$/i.test(word.text)) reject('write SELECT * FROM instead of TABLE');
    const { text, start } = word;
    const isKeyword = before !== '.' && RESERVED_WORDS.has(text.toUpperCase());
    if (isKeyword || conditionOf(nameOfWord(word)) === undefined) continue;
    if (before === '.' && after === '.') {
      reject(`a column cannot have a schema before the table ${text}: write an alias after the table, and use it`);
    }
    if (BEFORE_TABLES.test(before) && after !== '(' && !known.has(start)) reject(`it is unclear what ${text} names`);
  }
}

const BEFORE_TABLES = /^(?:from|join|straight_join|[.,(])$/i;

function collectStarts(tree: unknown, starts: Set<number>): void {
  if (Array.isArray(tree)) for (const item of tree) collectStarts(item, starts);
  if (!isFields(tree)) return;
  if (isFields(tree.span)) starts.add(Number(tree.span.start));
  for (const key in tree) if (!IGNORED_FIELDS.has(key)) collectStarts(tree[key], starts);
}

/** Rejects a column without a name whose text changes, because its name would change too. */
function requireNamedColumns(tree: unknown, sql: string, conditionOf: ConditionOf): void {
  const isChanged = findUnnamedColumns(tree, sql).some((column) => readsFiltered(column.tree, conditionOf));
  if (isChanged) reject('a column with a subquery has no name: write AS name');
}

function readsFiltered(tree: unknown, conditionOf: ConditionOf): boolean {
  return [...findTables(tree)].some((table) => conditionOf(table.slice(table.lastIndexOf('.') + 1)) !== undefined);
}

/**
 * The WITH queries by their names in lower case. The value is the name as written; undefined if databases differ in whether the name is visible.
 */
type Scope = ReadonlyMap<string, string | undefined>;

/** A reference to a restricted table. */
interface Reference {
  readonly table: Fields;
  readonly start: number;
  readonly nameStart: number;
  readonly condition: string;
}

interface Search {
  readonly conditionOf: ConditionOf;
  readonly references: Reference[];
}

function visit(node: unknown, scope: Scope, search: Search): void {
  if (Array.isArray(node)) for (const item of node) visit(item, scope, search);
  if (!isFields(node)) return;
  const inner = isFields(node.with) ? visitWith(node.with, scope, search) : scope;
  for (const key in node) {
    const part = node[key];
    if (typeof part !== 'object' || part === null || IGNORED_FIELDS.has(key) || key === 'with') continue;
    const sources = key === 'from' ? listOf((part as Fields).expressions) : [];
    const joined = key === 'joins' ? listOf(part).map((join) => (join as Fields).this) : [];
    if (![...sources, ...joined].every(isKnownSource)) {
      reject(
        'FROM can read tables, joins, derived tables and JSON_TABLE, and only a derived table has an alias after )',
      );
    }
    // The parser uses the key `table` also for the qualifier of a column, which is a plain identifier.
    if (key === 'table' && isFields((part as Fields).name)) addReference(part as Fields, inner, search);
    visit(part, inner, search);
  }
}

/** Whether the names of all tables that a source of FROM reads are in the tree. */
function isKnownSource(source: unknown): boolean {
  const { kind, fields } = nodeOf(source);
  const inner = nodeOf(fields.this).kind;
  if (kind === 'paren') return isKnownSource(fields.this);
  if (kind === 'joined_table') return isEmpty(fields.alias) && isKnownSource(fields.left);
  if (kind === 'subquery') return isQuery(inner) || inner === 'values';
  return kind === 'table' || (kind === 'alias' && inner === 'j_s_o_n_table');
}

/** Visits the queries of a WITH, and returns the scope of the statement after it. */
function visitWith(clause: Fields, scope: Scope, search: Search): Scope {
  const ctes = parts(clause, 'ctes');
  // A query of a WITH in a subquery reads a table on MariaDB, not the query of an outer WITH with the name of the table.
  const visible = new Map<string, string | undefined>([...scope.keys()].map((name) => [name, undefined]));
  const own = new Map<string, string | undefined>();
  // MariaDB also allows names of later queries of a WITH RECURSIVE.
  if (clause.recursive === true) for (const { alias } of ctes) visible.set(keyOf(alias), undefined);
  for (const { alias, this: query } of ctes) {
    const { kind, fields } = nodeOf(query);
    if (clause.recursive === true && kind === 'union' && isEmpty(fields.with)) {
      // Only the right side of the UNION reads the WITH query itself in every database.
      const { right, ...others } = fields;
      visit(others, visible, search);
      visit(right, new Map(visible).set(keyOf(alias), nameIn(alias)), search);
    } else {
      visit(query, visible, search);
    }
    for (const names of [visible, own]) names.set(keyOf(alias), nameIn(alias));
  }
  return new Map([...scope, ...own]);
}

function keyOf(identifier: unknown): string {
  return nameIn(identifier)?.toLowerCase() ?? '';
}

function isEmpty(field: unknown): boolean {
  return field === undefined || field === null || field === false || (Array.isArray(field) && field.length === 0);
}

function addReference(table: Fields, scope: Scope, { conditionOf, references }: Search): void {
  const name = nameIn(table.name) ?? '';
  const key = keyOf(table.name);
  const isQualified = !isEmpty(table.schema);
  const condition = !isQualified && isDual(table.name) ? undefined : conditionOf(key);
  if (condition === undefined) return;
  if (!isQualified && scope.has(key)) {
    if (scope.get(key) === name) return;
    reject(`${name} can be a table or a query of WITH: give the query another name`);
  }
  const other = Object.keys(table).find((field) => !TABLE_FIELDS.has(field) && !isEmpty(table[field]));
  if (other !== undefined) reject(`remove ${other.replaceAll('_', ' ')} from the table ${name}`);
  const hidden = readConditionTables(condition, key).find((one) => scope.has(one));
  if (hidden !== undefined) reject(`its condition on ${name} reads ${hidden}: give the query of WITH another name`);
  const nameStart = startOf(table.name);
  references.push({ table, start: isQualified ? startOf(table.schema) : nameStart, nameStart, condition });
}

const TABLE_FIELDS = new Set(['name', 'schema', 'alias', 'alias_explicit_as', 'hints', 'partitions']);

function startOf(identifier: unknown): number {
  return isFields(identifier) && isFields(identifier.span) ? Number(identifier.span.start) : Number.NaN;
}

/** Returns the tables that a condition reads in subqueries. Rejects a text that is not one expression. */
function readConditionTables(condition: string, table: string): readonly string[] {
  let depth = 0;
  for (const { text } of readWords(condition)) {
    depth += text === '(' ? 1 : text === ')' ? -1 : 0;
    if (depth < 0) reject(`the condition on ${table} is not one expression`);
  }
  const { fields } = parseStatement(`SELECT 1 FROM ${quoteName(table)} WHERE (${condition})`);
  return [...findTables(fields.where_clause)];
}

/** The parts of a reference: `table AS alias`, with the text that belongs into the derived table. */
interface Edit {
  readonly start: number;
  readonly end: number;
  /** The table with its PARTITION and its index hints. */
  readonly table: string;
  /** The position of the name in `table`. */
  readonly nameAt: number;
  readonly condition: string;
  /** The text from AS on. */
  readonly alias: string;
}

/** Reads `schema.table PARTITION (…) AS alias FORCE INDEX (…)` from the text. */
function readEdit(sql: string, words: readonly Word[], { table, start, nameStart, condition }: Reference): Edit {
  let next = words.findIndex((word) => word.start === nameStart);
  const isNext = (pattern: RegExp) => pattern.test(words[next]?.text ?? '');
  const expect = (isExpected: boolean): void => {
    if (!isExpected) reject(`the text after the table ${nameIn(table.name)} cannot be read`);
    next += 1;
  };
  const endOf = () => words[next - 1]?.end ?? 0;
  const skipList = () => {
    while (next < words.length && !isNext(/^\)$/)) next += 1;
    expect(isNext(/^\)$/));
  };
  expect(next >= 0);
  if (!isEmpty(table.partitions)) {
    expect(isNext(/^partition$/i));
    skipList();
  }
  const tableEnd = endOf();
  if (table.alias_explicit_as === true) expect(isNext(/^as$/i));
  if (!isEmpty(table.alias)) expect(words[next]?.start === startOf(table.alias));
  const aliasEnd = endOf();
  for (const _ of listOf(table.hints)) {
    expect(isNext(/^(?:use|ignore|force)$/i));
    skipList();
  }
  const as = table.alias_explicit_as === true ? '' : ' AS';
  return {
    start,
    end: endOf(),
    table: sql.slice(start, tableEnd) + sql.slice(aliasEnd, endOf()),
    nameAt: nameStart - start,
    condition,
    alias: isEmpty(table.alias) ? ` AS ${quoteName(nameIn(table.name) ?? '')}` : as + sql.slice(tableEnd, aliasEnd),
  };
}

/** A text, and the positions of the names of the restricted tables in it. */
interface Written {
  readonly text: string;
  readonly names: ReadonlySet<number>;
}

/** Writes a text with a derived table for each reference. */
function write(sql: string, edits: readonly Edit[]): Written {
  let [text, done] = ['', 0];
  const names = edits.map(({ start, end, table, nameAt, condition, alias }) => {
    text += `${sql.slice(done, start)}(SELECT * FROM `;
    const name = text.length + nameAt;
    text += `${table} WHERE (${condition}))${alias}`;
    done = end;
    return name;
  });
  return { text: text + sql.slice(done), names: new Set(names) };
}

/**
 * Reads the result again. Rejects it if a restricted table is not directly in a derived table with a condition, or if the tree without these
 * derived tables still reads a restricted table.
 */
function requireComplete({ text, names }: Written, conditionOf: ConditionOf): void {
  const reading = readStatement(text);
  if ('message' in reading) {
    reject(
      `${reading.message}; if joined tables are in parentheses, write JOIN, not a comma, NATURAL or STRAIGHT_JOIN`,
    );
  }
  const found = new Set<number>();
  const rest = removeDerived(reading.tree, names, found);
  if (found.size !== names.size || readsFiltered(rest, conditionOf)) {
    reject('not every reference to its tables can be found');
  }
}

/** Returns a copy of a tree without the derived tables of the tables at these positions, which are added to `found`. */
function removeDerived(tree: unknown, names: ReadonlySet<number>, found: Set<number>): unknown {
  if (Array.isArray(tree)) return tree.map((item) => removeDerived(item, names, found));
  if (!isFields(tree)) return tree;
  const name = isFields(tree.subquery) ? findDerivedTable(tree.subquery) : undefined;
  if (name !== undefined && names.has(name)) {
    found.add(name);
    return {};
  }
  return Object.fromEntries(Object.entries(tree).map(([key, part]) => [key, removeDerived(part, names, found)]));
}

/** Returns the position of the table in `(SELECT * FROM table WHERE (…)) AS alias`, or undefined for another derived table. */
function findDerivedTable({ this: query, alias }: Fields): number | undefined {
  const { kind, fields } = nodeOf(query);
  const { expressions, from, where_clause: where, ...others } = fields;
  if (kind !== 'select' || isEmpty(alias) || !Object.values(others).every(isEmpty)) return undefined;
  const [column, nextColumn] = listOf(expressions);
  const [source, nextSource] = listOf((from as Fields | null)?.expressions);
  const isAll = nodeOf(column).kind === 'star' && nextColumn === undefined && nextSource === undefined;
  const isRestricted = nodeOf((where as Fields | null)?.this).kind === 'paren';
  return isAll && isRestricted ? startOf(nodeOf(source).fields.name) : undefined;
}
