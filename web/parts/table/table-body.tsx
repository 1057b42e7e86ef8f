import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import type { Row } from '../../api/rows.js';
import styles from './table.module.css';
import { TableCell } from './table-cell.js';
import type { TableColumn } from './table-model.js';

export interface TableBodyProps {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly { readonly id: string; readonly original: Row }[];
  readonly scroller: RefObject<HTMLElement | null>;
  readonly height: number;
}

/** Results with at most this many rows are in the page completely, so that the search of the browser finds their text. */
const MAX_COMPLETE_ROWS = 60;

export function TableBody(props: TableBodyProps) {
  if (props.rows.length > MAX_COMPLETE_ROWS) return <VisibleRows {...props} />;
  return (
    <tbody>
      {props.rows.map(({ id, original }, index) => (
        <tr key={id} aria-rowindex={index + 2}>
          <Cells columns={props.columns} row={original} />
        </tr>
      ))}
    </tbody>
  );
}

const ROW_HEIGHT = 37;

/** Only the visible rows are in the page. Two empty rows have the height of the others. */
function VisibleRows({ columns, rows, scroller, height }: TableBodyProps) {
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    initialRect: { width: 0, height },
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody>
      <Space height={before} columns={columns.length} />
      {items.map(({ key, index }) => {
        const row = rows[index];
        return (
          row !== undefined && (
            <tr key={key} ref={virtualizer.measureElement} data-index={index} aria-rowindex={index + 2}>
              <Cells columns={columns} row={row.original} />
            </tr>
          )
        );
      })}
      <Space height={after} columns={columns.length} />
    </tbody>
  );
}

function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: the row cannot have the focus
    <tr aria-hidden="true" className={styles.space}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

function Cells({ columns, row }: { readonly columns: readonly TableColumn[]; readonly row: Row }) {
  return columns.map((column, index) => (
    <TableCell key={column.field.name} column={column} row={row} index={index + 1} />
  ));
}
