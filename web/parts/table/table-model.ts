import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
} from '@tanstack/react-table';
import { type CellFormat, cellFormat } from '../../../engine/charts/cell-format.js';
import { headingText } from '../../../engine/charts/label-text.js';
import { cellOf } from '../../../engine/charts/result-column.js';
import type { Row } from '../../api/rows.js';
import { type CellLinks, type CollectionIds, linksOf } from './cell-links.js';
import type { TableField, TableView } from './table-field.js';

export const TABLE_FEATURES = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  sortedRowModel: createSortedRowModel(),
});

/** A column of a result, with everything that is needed to show its cells. */
export interface TableColumn extends CellFormat {
  readonly field: TableField;
  readonly heading: string;
  readonly links: CellLinks | undefined;
  /** The width in characters. */
  readonly width: number;
  /** Whether texts in the column need more than one line. */
  readonly isLong: boolean;
}

export function columnsOf(
  fields: readonly TableField[],
  rows: readonly Row[],
  collections: CollectionIds,
  isSql: boolean,
): readonly TableColumn[] {
  return fields.map((field) => {
    const format = cellFormat(isSql ? { ...field, nullAs: 'null' } : field, rows, navigator.language);
    const heading = isSql ? field.name : headingText(field);
    return {
      ...format,
      ...sizeOf(field, heading, rows, format),
      field,
      heading,
      links: linksOf(field.name, collections),
    };
  });
}

export function definitionsOf(columns: readonly TableColumn[]): ColumnDef<typeof TABLE_FEATURES, Row>[] {
  return columns.map(({ field: { name }, isNumber, isTime }) => ({
    id: name,
    // `undefined` makes missing values sort last in both directions.
    accessorFn: (row: Row) => cellOf(row, name) ?? undefined,
    sortUndefined: 'last',
    sortDescFirst: isNumber || isTime,
    sortFn: (a, b, id) => compareCells(a.getValue(id), b.getValue(id), isNumber),
  }));
}

/** Reads the sorted columns of a view. Unknown columns are ignored. */
export function readSort({ sort = '' }: TableView, fields: readonly TableField[]): SortingState {
  return sort.split(',').flatMap((text) => {
    const isDescending = text.startsWith('-');
    const id = isDescending ? text.slice(1) : text;
    return fields.some(({ name }) => name === id) ? [{ id, desc: isDescending }] : [];
  });
}

export function writeSort(sorting: SortingState): string {
  return sorting.map(({ id, desc }) => (desc ? `-${id}` : id)).join(',');
}

const MIN_WIDTH = 6;
const MAX_WIDTH = 36;
/** The width of the sort mark in a column head, in characters. */
const MARK_WIDTH = 3;
/** The mean width of a letter relative to a digit. */
const TEXT_WIDTH = 0.95;
/** The number of rows from which the width of a column is computed. */
const MEASURED_ROWS = 500;

/** The width does not depend on the visible rows, so that columns keep their width while the reader scrolls. */
function sizeOf({ name }: TableField, heading: string, rows: readonly Row[], { format, isNumber }: CellFormat) {
  const longest = rows.slice(0, MEASURED_ROWS).reduce((most, row) => {
    return Math.max(most, format(cellOf(row, name)).length);
  }, 0);
  const text = Math.ceil(longest * (isNumber ? 1 : TEXT_WIDTH)) + 1;
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, heading.length + MARK_WIDTH, text));
  return { width, isLong: text > MAX_WIDTH };
}

/** Compares two values of a column in ascending order. Large integers are compared exactly. */
function compareCells(a: string | number, b: string | number, isNumber: boolean): number {
  if (!isNumber) return COLLATOR.compare(String(a), String(b));
  if (typeof a === 'string' && typeof b === 'string' && INTEGER.test(a) && INTEGER.test(b)) {
    const [left, right] = [BigInt(a), BigInt(b)];
    return left < right ? -1 : Number(left > right);
  }
  return Number(a) - Number(b);
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true });
const INTEGER = /^-?\d+$/;
