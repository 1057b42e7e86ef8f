import { quoteName } from '../reading/lexemes.js';
import { type OrderFault, type PagedRows, type PageOrder, readPageOrder } from './page-order.js';

/** How the value of a sort key is compared. Its placeholder is `:pN`; NULL has no placeholder. */
export type PageValue =
  | { readonly kind: 'null' | 'plain' | 'date' | 'datetime' }
  | { readonly kind: 'decimal'; readonly scale: number };

/** A query that can be read in pages. Each page starts after the last row of the previous page. */
export interface PageQuery extends Pick<PageOrder, 'keys'> {
  /** The query with the additional columns that its sort keys need. */
  readonly sql: string;
  /** Writes the query for the rows after the row with these key values. The placeholder of the first value has the number `firstMarker`. */
  after(values: readonly PageValue[], firstMarker: number): string;
}

/** Reads the page order of a query, or the reason why it does not allow cursors. See `readPageOrder`. */
export function readPageQuery(sql: string, rows: PagedRows): PageQuery | OrderFault {
  const order = readPageOrder(sql, rows);
  if ('reason' in order) return order;
  const { columns } = rows;
  const added = order.keys.filter((key) => key.expression !== undefined);
  const list = added.map(({ column, expression }) => `,\n  (${expression}) AS ${column}`).join('');
  const body = order.body.slice(0, order.listEnd) + list + order.body.slice(order.listEnd);
  const selected = [...columns.map(quoteName), ...added.map(({ column }) => column)].map((name) => `page.${name}`);
  const sorted = order.keys.map((key) => `${nameOf(key)}${key.isDescending ? ' DESC' : ''}`);
  return {
    keys: order.keys,
    sql: added.length === 0 ? sql : `${body}\n${order.orderBy}`,
    after: (values, firstMarker) =>
      [
        `SELECT ${selected.join(', ')}`,
        `FROM (\n${body}\n) AS page`,
        `WHERE ${writeCondition(order.keys, writeMarkers(values, firstMarker))}`,
        `ORDER BY ${sorted.join(', ')}`,
      ].join('\n'),
  };
}

type Key = PageOrder['keys'][number];

function nameOf({ column, expression }: Key): string {
  return `page.${expression === undefined ? quoteName(column) : column}`;
}

/** Writes the placeholder of each value, with a CAST where the comparison needs it to be exact; undefined for NULL. */
function writeMarkers(values: readonly PageValue[], firstMarker: number): (string | undefined)[] {
  let next = firstMarker;
  return values.map((value) => {
    if (value.kind === 'null') return undefined;
    const marker = `:p${next}`;
    next += 1;
    if (value.kind === 'decimal') return `CAST(${marker} AS DECIMAL(${MAX_DIGITS}, ${value.scale}))`;
    if (value.kind === 'date') return `CAST(${marker} AS DATE)`;
    return value.kind === 'datetime' ? `CAST(${marker} AS DATETIME(6))` : marker;
  });
}

/** The maximum number of digits of a DECIMAL that every database can compare. */
export const MAX_DIGITS = 38;

/** Writes the condition for the rows after a row in the order of the keys. NULL is the smallest value. */
function writeCondition(keys: readonly Key[], values: readonly (string | undefined)[]): string {
  let condition = 'FALSE';
  for (let index = keys.length - 1; index >= 0; index -= 1) {
    const [key, value] = [keys[index] as Key, values[index]];
    const name = nameOf(key);
    const equal = value === undefined ? `${name} IS NULL` : `${name} = ${value}`;
    const rest = condition === 'FALSE' ? [] : [`(${equal} AND ${condition})`];
    const all = [...writeGreater(name, value, key.isDescending), ...rest];
    condition = all.length === 0 ? 'FALSE' : all.length === 1 ? String(all[0]) : `(${all.join(' OR ')})`;
  }
  return condition;
}

function writeGreater(name: string, value: string | undefined, isDescending: boolean): string[] {
  if (value === undefined) return isDescending ? [] : [`${name} IS NOT NULL`];
  return isDescending ? [`${name} < ${value}`, `${name} IS NULL`] : [`${name} > ${value}`];
}
