import { Dialect, generate } from '../reading/parser.js';
import { readStatement } from '../reading/statement.js';
import { type Fields, isFields, listOf, nameOf, nodeOf } from '../reading/tree.js';
import { findSelectLists, type SelectItem } from './select-items.js';

/** An expression of a SELECT list without a name. */
export interface UnnamedColumn {
  /** The fields of its SELECT. */
  readonly select: Fields;
  /** Its place in the list. */
  readonly index: number;
  readonly tree: unknown;
  /** Its position in the text; undefined if the text does not show it. */
  readonly item: SelectItem | undefined;
}

/**
 * Finds the expressions without a name in the SELECT lists of a tree, in the order of the text. Without `all`, those whose name has no effect
 * are omitted: the columns of subqueries in expressions, and of the right side of a UNION.
 */
export function findUnnamedColumns(tree: unknown, sql: string, { all = false } = {}): UnnamedColumn[] {
  const selects: FoundSelect[] = [];
  addSelects(tree, selects);
  const unnamed = selects.map(({ fields, hasNames }) =>
    !all && (!hasNames || fields.in_expression === true)
      ? []
      : listOf(fields.expressions).flatMap((item, index) => (hasName(item) ? [] : [index])),
  );
  if (unnamed.every(({ length }) => length === 0)) return [];
  const lists = findSelectLists(sql);
  const isRead =
    lists.length === selects.length &&
    selects.every(({ fields }, place) => isListOf(fields, lists[place]?.items ?? []));
  return selects.flatMap(({ fields: select }, place) =>
    (unnamed[place] ?? []).map((index) => ({
      select,
      index,
      tree: listOf(select.expressions)[index],
      item: isRead ? lists[place]?.items[index] : undefined,
    })),
  );
}

/** Returns the name that MySQL gives to a column without a name: usually its text. */
export function nameOfColumn({ tree, item }: UnnamedColumn, sql: string): string {
  const within = nameWithin(tree);
  if (within !== undefined || item !== undefined) return within ?? sql.slice(item?.start, item?.end);
  return generate([tree], Dialect.MySQL).sql?.[0] ?? 'column';
}

/** Returns the name of a column or the text of a literal in parentheses; undefined for other expressions. */
function nameWithin(tree: unknown): string | undefined {
  const { kind, fields } = nodeOf(tree);
  if (kind === 'paren') return nameWithin(fields.this);
  if (kind === 'column') return nameOf(fields.name);
  return kind === 'literal' && !WRITTEN_LITERALS.has(String(fields.literal_type)) ? nameOfLiteral(fields) : undefined;
}

/** The parser's types of literals such as `DATE '2024-01-05'` and `0x41`, whose name is their text. */
const WRITTEN_LITERALS = new Set(['date', 'datetime', 'time', 'timestamp', 'hex_string', 'hex_number']);

/** Returns the text of a literal as a name, in quotes if it is blank, because DuckDB does not allow an empty name. */
function nameOfLiteral({ value }: Fields): string {
  const text = String(value);
  return text.trim() === '' ? `'${text}'` : text;
}

/** Adds the names of the columns without a name to a text, except in subqueries of expressions, if `isNamed` is true for their text. */
export function addNames(sql: string, isNamed: (column: string) => boolean): string {
  const reading = readStatement(sql);
  if ('message' in reading) return sql;
  const ends = findUnnamedColumns(reading.tree, sql).flatMap(({ tree, item }) =>
    item === undefined || nameWithin(tree) !== undefined ? [] : [item],
  );
  let [text, done] = ['', 0];
  for (const { start, end } of ends.sort((one, other) => one.end - other.end)) {
    const name = sql.slice(start, end);
    if (!isNamed(name) || !isAllowedName(name)) continue;
    text += `${sql.slice(done, end)} AS \`${name.replaceAll('`', '``')}\``;
    done = end;
  }
  return text + sql.slice(done);
}

/** Whether MySQL allows a name. */
function isAllowedName(name: string): boolean {
  return name.length < 256 && !name.includes('\0') && name.search(BEYOND_NAMES) < 0;
}

/** Matches characters that MySQL does not allow in names. */
export const BEYOND_NAMES = /[\u{10000}-\u{10ffff}]/gu;

/** A SELECT, and whether the names of its columns have an effect. */
interface FoundSelect {
  readonly fields: Fields;
  readonly hasNames: boolean;
}

/** Adds the SELECTs of a tree to a list, in the order of the text. It copies nothing, because every load of a definition walks its tree. */
function addSelects(tree: unknown, selects: FoundSelect[], select?: FoundSelect, isRight = false): void {
  if (typeof tree !== 'object' || tree === null) return;
  const parts = tree as Fields;
  if (parts.with !== undefined) addSelects(parts.with, selects);
  if (select !== undefined) selects.push(select);
  for (const key in parts) {
    const part = parts[key];
    if (key === 'with') continue;
    const found = key === 'select' && isFields(part) ? { fields: part, hasNames: !isRight } : undefined;
    addSelects(part, selects, found, key === 'right');
  }
}

/** Whether the items of a list are those of a SELECT. */
function isListOf(select: Fields, items: readonly SelectItem[]): boolean {
  const trees = listOf(select.expressions);
  return trees.length === items.length && trees.every((tree, index) => isWithin(tree, items[index]));
}

/** Whether the names in a part of the tree are at the position of an item. */
function isWithin(tree: unknown, item: SelectItem | undefined): boolean {
  if (Array.isArray(tree)) return tree.every((part) => isWithin(part, item));
  if (!isFields(tree) || item === undefined) return true;
  const { span, ...others } = tree;
  const isInside = !isFields(span) || (Number(span.start) >= item.start && Number(span.end) <= item.end);
  return isInside && Object.values(others).every((part) => isWithin(part, item));
}

function hasName(item: unknown): boolean {
  return NAMED_KINDS.has(nodeOf(item).kind);
}

const NAMED_KINDS = new Set(['alias', 'column', 'star']);
