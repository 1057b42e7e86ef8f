import { useVirtualizer } from '@tanstack/react-virtual';
import { memo } from 'react';
import type { Row } from '../../api/rows.js';
import styles from './table.module.css';
import { TableCell } from './table-cell.js';
import type { TableColumn } from './table-model.js';

export interface TableBodyProps {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly { readonly id: string; readonly original: Row }[];
  readonly scroller: HTMLElement | null;
  readonly height: number;
}

/** Results with at most this number of rows are rendered completely, so that the search of the browser finds their text. */
const MAX_COMPLETE_ROWS = 60;

export function TableBody(props: TableBodyProps) {
  if (props.rows.length > MAX_COMPLETE_ROWS) return <VisibleRows {...props} />;
  return (
    <tbody>
      {props.rows.map(({ id, original }, index) => (
        <TableRow key={id} columns={props.columns} row={original} index={index} />
      ))}
    </tbody>
  );
}

const LINE_HEIGHT = 20;
/** The padding of a row and its line. */
const ROW_SPACE = 17;

/** Renders only the visible rows. Two empty rows have the height of the rows that are not rendered. All rows have the same height. */
function VisibleRows({ columns, rows, scroller, height }: TableBodyProps) {
  const rowHeight = ROW_SPACE + LINE_HEIGHT * (columns.some(({ isLong }) => isLong) ? 2 : 1);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    initialRect: { width: 0, height },
    overscan: 10,
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody>
      <Space height={before} columns={columns.length} />
      {items.map(({ index }) => {
        const row = rows[index];
        return (
          row !== undefined && (
            <TableRow key={row.id} columns={columns} row={row.original} index={index} height={rowHeight} />
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

interface TableRowProps {
  readonly columns: readonly TableColumn[];
  readonly row: Row;
  readonly index: number;
  /** Undefined if the content determines the height. */
  readonly height?: number;
}

const TableRow = memo(function TableRow({ columns, row, index, height }: TableRowProps) {
  return (
    <tr aria-rowindex={index + 2} {...(height !== undefined && { style: { height } })}>
      {columns.map((column, position) => (
        <TableCell key={column.field.name} column={column} row={row} index={position + 1} />
      ))}
    </tr>
  );
});
