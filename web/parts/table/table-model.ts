import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
} from '@tanstack/react-table';
import type { Row } from '../../api/rows.js';
import { type CellLinks, type CollectionIds, linksOf } from './cell-links.js';
import { type CellFormat, cellOf, compareCells, formatOf } from './cell-text.js';
import type { TableField, TableView } from './table-field.js';

export const TABLE_FEATURES = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  sortedRowModel: createSortedRowModel(),
});

/** A column of a result, with everything that is needed to show its cells. */
export interface TableColumn extends CellFormat {
  readonly field: TableField;
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
): readonly TableColumn[] {
  return fields.map((field) => {
    const format = formatOf(field, rows);
    return { ...format, ...sizeOf(field, rows, format), field, links: linksOf(field.name, collections) };
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
function sizeOf({ name }: TableField, rows: readonly Row[], { format, isNumber }: CellFormat) {
  const longest = rows.slice(0, MEASURED_ROWS).reduce((most, row) => {
    const value = cellOf(row, name);
    return value === null ? most : Math.max(most, format(value).length);
  }, 0);
  const text = Math.ceil(longest * (isNumber ? 1 : TEXT_WIDTH)) + 1;
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, name.length + MARK_WIDTH, text));
  return { width, isLong: text > MAX_WIDTH };
}
