import { cellOf } from '../../../engine/charts/result-column.js';
import type { Row } from '../../api/rows.js';
import type { CellPart } from './cell-links.js';
import styles from './table.module.css';
import type { TableColumn } from './table-model.js';

/** Longer texts can be truncated, so their cells show the full text as a tooltip. */
const LONG = 36;
/** In a frame of another page, pages of the console open in a new tab. */
const TARGET = window.self === window.top ? {} : { target: '_blank', rel: 'noopener' };

export interface TableCellProps {
  readonly column: TableColumn;
  readonly row: Row;
  readonly index: number;
}

/** Shows a cell. Missing values and empty texts look different. */
export function TableCell({ column, row, index }: TableCellProps) {
  const value = cellOf(row, column.field.name);
  const text = column.format(value);
  const exact = String(value);
  const isCut = text.length > LONG || (column.isNumber && text !== exact && column.field.columnType === 'DOUBLE');
  return (
    <td
      aria-colindex={index}
      className={column.isNumber ? styles.number : undefined}
      {...(isCut && value !== null && { title: exact })}
    >
      <div className={styles.clamp}>
        {value === null ? (
          <span className={styles.missing}>{text}</span>
        ) : text === '' ? (
          <span className={styles.missing}>empty</span>
        ) : (
          <Parts parts={column.links?.(value, row) ?? [{ text }]} />
        )}
      </div>
    </td>
  );
}

function Parts({ parts }: { readonly parts: readonly CellPart[] }) {
  return parts.map(({ text, path }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a cell do not change
    <span key={index}>
      {index > 0 && ', '}
      {path === undefined ? (
        text
      ) : (
        // The table handles clicks on links, so that a cell need not subscribe to the router.
        <a href={path.slice(1)} {...TARGET}>
          {text}
        </a>
      )}
    </span>
  ));
}
