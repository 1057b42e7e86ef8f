import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type SortingState, useTable } from '@tanstack/react-table';
import { type MouseEvent, useMemo, useState } from 'react';
import { collectionsQuery } from '../../api/collections.js';
import type { Row } from '../../api/rows.js';
import { formatNumber } from '../format/format.js';
import { needsCollections } from './cell-links.js';
import { ColumnMenu } from './column-menu.js';
import styles from './table.module.css';
import { TableBody } from './table-body.js';
import type { TableField, TableView } from './table-field.js';
import { TableHead } from './table-head.js';
import { columnsOf, definitionsOf, readSort, TABLE_FEATURES, type TableColumn, writeSort } from './table-model.js';

export type { TableField, TableView } from './table-field.js';

export interface ResultTableProps {
  /** The accessible name of the table. */
  readonly label: string;
  readonly fields: readonly TableField[];
  readonly rows: readonly Row[];
  readonly view?: TableView;
  /** If undefined, the table stores the reader's changes in its state. */
  readonly onViewChange?: (view: TableView) => void;
  /** The maximum height in pixels; the rows scroll within this height. */
  readonly maxHeight?: number;
  /** Whether to omit the number of rows and the menu of the columns. */
  readonly isPlain?: boolean;
  /** Whether the reader wrote the SQL: the heads are the names of the columns, and missing values are `null`. */
  readonly isSql?: boolean;
}

/** Shows rows. Only visible rows are in the page, so that 10,000 rows scroll smoothly. */
export function ResultTable({
  label,
  fields,
  rows,
  maxHeight = 560,
  isPlain = false,
  isSql = false,
  ...given
}: ResultTableProps) {
  const [kept, keep] = useState<TableView>({});
  const view = given.onViewChange === undefined ? { ...given.view, ...kept } : (given.view ?? {});
  const change = given.onViewChange ?? keep;
  // This is a state and not a ref, because the rows must render again when the element exists.
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const columns = useColumns(fields, rows, isSql);
  const hidden = new Set(view.hidden);
  const key = view.hidden?.join() ?? '';
  const shown = useMemo(() => columns.filter(({ field }) => !key.split(',').includes(field.name)), [columns, key]);
  const table = useSortedTable(columns, rows, view, (sort) => change({ ...view, sort }));
  const sorted = table.getRowModel().rows;
  const width = shown.reduce((sum, column) => sum + column.width, 0);
  return (
    <div>
      {!isPlain && (
        <div className={styles.bar}>
          <span>{rows.length === 1 ? '1 row' : `${formatNumber(rows.length)} rows`}</span>
          <ColumnMenu
            columns={columns}
            hidden={hidden}
            onHiddenChange={(names) => change({ ...view, hidden: names })}
            rows={() => sorted.map(({ original }) => original)}
          />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach an area that scrolls */}
      <section ref={setScroller} className={styles.scroll} style={{ maxHeight }} tabIndex={0} aria-label={label}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: links also send clicks for the enter key */}
        <table
          aria-label={label}
          aria-rowcount={rows.length + 1}
          aria-colcount={shown.length}
          style={{ minWidth: `calc(${width}ch + ${shown.length * CELL_PADDING}rem)` }}
          onClick={useLinks()}
        >
          <colgroup>
            {shown.map((column) => (
              <col key={column.field.name} style={{ width: `calc(${column.width}ch + ${CELL_PADDING}rem)` }} />
            ))}
          </colgroup>
          <TableHead
            columns={shown}
            sorted={(name) => table.getColumn(name)}
            sortedColumns={readSort(view, fields).length}
          />
          <TableBody columns={shown} rows={sorted} scroller={scroller} height={maxHeight} />
        </table>
      </section>
    </div>
  );
}

/** The padding of a cell on both sides, in rem. */
const CELL_PADDING = 1.5;
const NO_COLLECTIONS: readonly never[] = [];

function useColumns(fields: readonly TableField[], rows: readonly Row[], isSql: boolean): readonly TableColumn[] {
  const { data = NO_COLLECTIONS } = useQuery({ ...collectionsQuery, enabled: needsCollections(fields) });
  return useMemo(() => {
    const collections = new Map(data.map(({ id, name }) => [name, id] as const));
    return columnsOf(fields, rows, collections, isSql);
  }, [fields, rows, data, isSql]);
}

function useSortedTable(
  columns: readonly TableColumn[],
  rows: readonly Row[],
  view: TableView,
  onSort: (sort: string) => void,
) {
  const definitions = useMemo(() => definitionsOf(columns), [columns]);
  const fields = columns.map(({ field }) => field);
  const sorting = readSort(view, fields);
  return useTable({
    features: TABLE_FEATURES,
    columns: definitions,
    data: rows,
    state: { sorting },
    onSortingChange: (updater: SortingState | ((old: SortingState) => SortingState)) =>
      onSort(writeSort(typeof updater === 'function' ? updater(sorting) : updater)),
  });
}

/** Follows links of cells inside the console. The browser handles clicks with a modifier key, for example for a new tab. */
function useLinks() {
  const router = useRouter({ warn: false });
  return (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || router === undefined) return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.history.push(new URL(link.href).pathname);
  };
}
