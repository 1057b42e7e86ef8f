import type { ChartCell, ChartFields, ChartRow, ChartRows } from './result-column.js';

/** A field of an answer of `/q`. With a list, the objects of this list contain its values. */
export type AnswerField = ChartFields[number] & { readonly list?: string };

type AnswerRow = Readonly<Record<string, unknown>>;

/**
 * Returns the rows of an answer of `/q` for charts and tables: one row for each object of a list, with the values of its
 * parent, and JSON values as text. A parent with an empty list is one row.
 */
export function flattenRows(fields: readonly AnswerField[], data: readonly AnswerRow[]): ChartRows {
  const name = fields.find(({ list }) => list !== undefined)?.list;
  if (name === undefined) return data.map(withTexts);
  const empty = Object.fromEntries(fields.flatMap(({ name: col, list }) => (list === name ? [[col, null]] : [])));
  return data.flatMap(({ [name]: list, ...parent }) => {
    const children = list as readonly AnswerRow[];
    return (children.length === 0 ? [empty] : children).map((child) => withTexts({ ...parent, ...child }));
  });
}

function withTexts(row: AnswerRow): ChartRow {
  if (Object.values(row).every(isPlain)) return row as ChartRow;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isPlain(value) ? value : JSON.stringify(value)]),
  );
}

function isPlain(value: unknown): value is ChartCell {
  return value === null || typeof value === 'string' || typeof value === 'number';
}
