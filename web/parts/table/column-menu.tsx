import { useId } from 'react';
import { cellOf } from '../../../engine/charts/result-column.js';
import type { Row } from '../../api/rows.js';
import { Button } from '../layout/button.js';
import { CopyButton } from '../layout/copy-button.js';
import { Icon } from '../layout/icon.js';
import { placeAtButton } from '../popover/place-at-button.js';
import styles from './table.module.css';
import type { TableColumn } from './table-model.js';

export interface ColumnMenuProps {
  readonly columns: readonly TableColumn[];
  readonly hidden: ReadonlySet<string>;
  readonly onHiddenChange: (hidden: readonly string[]) => void;
  /** The rows in the order of the table. */
  readonly rows: () => readonly Row[];
}

/** Hides and copies columns. Copies have the values of the answer, not their shown form. */
export function ColumnMenu({ columns, hidden, onHiddenChange, rows }: ColumnMenuProps) {
  const id = useId();
  const fields = columns.map(({ field }) => field);
  const shown = fields.filter(({ name }) => !hidden.has(name));
  const change = (name: string, isShown: boolean) =>
    onHiddenChange(fields.map((field) => field.name).filter((one) => (one === name ? !isShown : hidden.has(one))));
  const copyColumn = (name: string) => () => [name, ...rows().map((row) => textOf(row, name))].join('\n');
  const copyTable = () => {
    const names = shown.map(({ name }) => name);
    return [names, ...rows().map((row) => names.map((name) => textOf(row, name)))]
      .map((cells) => cells.join('\t'))
      .join('\n');
  };
  return (
    <>
      <Button size="small" popoverTarget={id}>
        Columns{hidden.size > 0 ? ` (${shown.length} of ${fields.length})` : ''}
        <Icon name="chevron-down" size={12} />
      </Button>
      <div id={id} popover="auto" className={styles.menu} onToggle={placeAtButton} role="dialog" aria-label="Columns">
        <ul>
          {columns.map(({ field: { name }, heading }) => (
            <li key={name}>
              <label>
                <input
                  type="checkbox"
                  checked={!hidden.has(name)}
                  disabled={!hidden.has(name) && shown.length === 1}
                  onChange={(event) => change(name, event.target.checked)}
                />
                {heading}
              </label>
              <CopyButton text={copyColumn(name)} label={`Copy the column ${heading}`} />
            </li>
          ))}
        </ul>
        <div className={styles.actions}>
          <Button size="small" disabled={hidden.size === 0} onClick={() => onHiddenChange([])}>
            Show all
          </Button>
          <CopyButton text={copyTable} label="Copy table" isLabelled />
        </div>
      </div>
    </>
  );
}

/** A tab or a line break in a cell would be a new cell in a spreadsheet. */
function textOf(row: Row, name: string): string {
  return String(cellOf(row, name) ?? '').replaceAll(/[\t\r\n]+/g, ' ');
}
