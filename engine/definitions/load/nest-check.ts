import { type DataType, INTEGERS } from '../../databases/interface/data-types.js';
import { didYouMean } from '../../sql/did-you-mean.js';
import { readOrderedColumns } from '../../sql/paging/page-order.js';
import type { EndpointDefinition, NestDefinition } from '../definition.js';
import type { DefinitionPath, DefinitionSource } from '../definition-source.js';
import { formatPlace, type Problem } from '../problem.js';
import type { Query } from '../query/query.js';
import { writeTraced } from '../query/traced-text.js';
import { formatChoices } from '../template/template-variants.js';

/** Checks the names and columns of `nest`. */
export function checkNest(source: DefinitionSource, definition: EndpointDefinition): Problem[] {
  const { nest, columns, pagination } = definition;
  if (nest === undefined) return [];
  const { name } = nest;
  const names = columns.map(({ col }) => col);
  const problems = Object.keys(source.value.nest as object)
    .slice(1)
    .map((other) => source.problem(['nest', other], SECOND_LIST, { at: 'key' }));
  if (names.some((col) => col.toLowerCase() === name.toLowerCase())) {
    const message = `"${name}" is also a column: give the list another name`;
    problems.push(source.problem(['nest', name], message, { at: 'key' }));
  }
  problems.push(...checkNames(source, ['nest', name, 'columns'], nest.columns, names));
  problems.push(...checkNames(source, ['nest', name, 'by'], nest.by ?? [], names));
  for (const [index, col] of (nest.by ?? []).entries()) {
    if (!nest.columns.includes(col)) continue;
    const message = `"${col}" is a column of the list, and cannot identify a parent`;
    problems.push(source.problem(['nest', name, 'by', index], message));
  }
  if (problems.length === 0 && names.every((col) => nest.columns.includes(col))) {
    problems.push(source.problem(['nest', name, 'columns'], 'no column is left for the parents', { at: 'key' }));
  }
  if (pagination !== undefined) problems.push(source.problem(['nest'], PAGES, { at: 'key' }));
  return problems;
}

const SECOND_LIST =
  'only one list is possible: a second join to many rows multiplies the rows of the first; write another definition for it';
const PAGES =
  'nest does not apply to a definition with pagination, because pages count rows and can cut a list: select the parents of a page in a derived table, with a parameter';

function checkNames(
  source: DefinitionSource,
  path: DefinitionPath,
  given: readonly string[],
  names: readonly string[],
): Problem[] {
  return given.flatMap((col, index) => {
    if (names.includes(col)) return [];
    const hint = didYouMean(col, names);
    const facts = hint === '' ? { expected: `one of ${names.join(', ')}` } : {};
    return [source.problem([...path, index], `"${col}" is not a declared column${hint}`, facts)];
  });
}

/** Checks that the SQL of every variant returns the rows of each parent together, and none of them without the others. */
export function checkNestedOrder(source: DefinitionSource, definition: EndpointDefinition, query: Query): Problem[] {
  const { nest, columns, limits } = definition;
  if (nest === undefined) return [];
  if (query.limited.size > 0) return [source.problem(['nest'], OWN_LIMIT, { at: 'key' })];
  const names = columns.map(({ col }) => col);
  const isExact = (col: string) => columns.some((column) => column.col === col && EXACT.has(column.data_type));
  const faults = query.variants.all.flatMap((variant) => {
    const { sql, templateOffset } = writeTraced(variant.pieces, () => 1);
    const order = readOrderedColumns(sql, names);
    const fault = findFault(order, names, nest) ?? (limits.streamRows && findStreamFault(order, nest, isExact));
    return fault ? [{ ...fault, at: templateOffset(fault.at), when: formatChoices(variant.choices) }] : [];
  });
  const isAlways = faults.length === query.variants.all.length;
  const problems = faults.map(({ message, when, at, expected }) =>
    source.problem(['sql'], isAlways ? message : `${message} (when ${when})`, { at, expected }),
  );
  return [...new Map(problems.map((problem) => [formatPlace(problem), problem])).values()];
}

const OWN_LIMIT =
  'the SQL has a LIMIT, which can cut the list of the last parent: limit the parents in a derived table instead';

/** Types whose equal values are the same in the answer. Texts are not, because a collation can ignore capitals. */
const EXACT: ReadonlySet<DataType> = new Set<DataType>([...INTEGERS, 'DECIMAL', 'DATE', 'DATETIME', 'TIMESTAMP']);

type Order = ReturnType<typeof readOrderedColumns>;

const TOGETHER = 'nest needs the rows of a parent together';

interface Fault {
  readonly message: string;
  readonly at: number;
  readonly expected: string;
}

/** Finds an order that certainly separates rows of a parent. An expression that is not a column can be the same for all of them. */
function findFault(order: Order, names: readonly string[], nest: NestDefinition): Fault | undefined {
  const { by, columns, name } = nest;
  const keys = by ?? names.filter((col) => !columns.includes(col));
  const expected = `ORDER BY ${keys.join(', ')}`;
  if ('reason' in order) return { message: `${TOGETHER}: ${order.reason}`, at: order.at, expected };
  const open = new Set(keys);
  for (const [index, { column, at }] of order.entries()) {
    if (column === undefined) continue;
    // Some columns of the parents often determine the others, which are then not in ORDER BY.
    const isNeeded = (key: string) =>
      by !== undefined || index === 0 || order.slice(index).some((later) => later.column === key);
    const missing = [...open].filter(isNeeded);
    if (columns.includes(column) && missing.length > 0) {
      return {
        message: `${TOGETHER}: ${column} is a column of ${name}`,
        at,
        expected: `${missing.join(', ')} before it`,
      };
    }
    open.delete(column);
  }
  if (by === undefined || open.size === 0) return undefined;
  const message = `${TOGETHER}: ORDER BY does not contain ${[...open].join(', ')}`;
  return { message, at: order[0]?.at ?? 0, expected };
}

/** Finds an order that does not guarantee that rows of a parent are together. A stream cannot keep the keys of all parents to check them. */
function findStreamFault(
  order: Order,
  { by }: NestDefinition,
  isExact: (column: string) => boolean,
): Fault | undefined {
  const expected = 'ORDER BY that begins with the columns of nest.by, which are integers, decimals, dates or times';
  const message = 'nest with stream_rows needs an order that keeps the rows of a parent together';
  if ('reason' in order || by === undefined) return { message, at: 0, expected };
  const open = new Set(by);
  for (const { column, at } of order) {
    if (open.size === 0) break;
    if (column === undefined || !by.includes(column) || !isExact(column)) return { message, at, expected };
    open.delete(column);
  }
  return undefined;
}
