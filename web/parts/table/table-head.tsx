import { Fragment, type MouseEvent, type ReactNode } from 'react';
import { Icon } from '../layout/icon.js';
import styles from './table.module.css';
import type { TableColumn } from './table-model.js';

export interface SortedColumn {
  readonly getIsSorted: () => false | 'asc' | 'desc';
  readonly getSortIndex: () => number;
  readonly getToggleSortingHandler: () => undefined | ((event: unknown) => void);
}

export interface TableHeadProps {
  readonly columns: readonly TableColumn[];
  readonly sorted: (name: string) => SortedColumn | undefined;
  readonly sortedColumns: number;
}

const ORDERS = { asc: 'ascending', desc: 'descending' } as const;

/** The heads of the columns. A click sorts; with the shift key, it sorts by several columns. */
export function TableHead({ columns, sorted, sortedColumns }: TableHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column, index) => (
          <Head
            key={column.field.name}
            column={column}
            index={index + 1}
            sorted={sorted(column.field.name)}
            isMulti={sortedColumns > 1}
          />
        ))}
      </tr>
    </thead>
  );
}

/** A long name breaks after an underscore, not inside a word. */
function breakable(name: string): ReactNode {
  return name.split(/(?<=_)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never move
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

interface HeadProps {
  readonly column: TableColumn;
  readonly index: number;
  readonly sorted: SortedColumn | undefined;
  readonly isMulti: boolean;
}

function Head({ column: { field, heading, isNumber, isTime }, index, sorted, isMulti }: HeadProps) {
  const order = sorted?.getIsSorted() ?? false;
  const toggle = (event: MouseEvent) => sorted?.getToggleSortingHandler()?.(event);
  return (
    <th
      scope="col"
      aria-colindex={index}
      aria-sort={order === false ? 'none' : ORDERS[order]}
      className={isNumber ? styles.number : undefined}
    >
      <button
        type="button"
        onClick={toggle}
        title={[field.description, `${field.name} ${field.columnType}`].filter(Boolean).join(' · ')}
      >
        <span className={styles.name}>
          {breakable(heading)}
          {isTime && <small> UTC</small>}
        </span>
        <span aria-hidden="true" className={order === false ? styles.unsorted : styles.mark}>
          {order === 'asc' ? '▲' : order === 'desc' ? '▼' : <Icon name="sort" size={12} />}
          {order !== false && isMulti && (sorted?.getSortIndex() ?? 0) + 1}
        </span>
      </button>
    </th>
  );
}
