import { useId, useState } from 'react';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import type { KnownTable } from './editor/tables.js';
import styles from './playground.module.css';

export interface TablePanelProps {
  readonly tables: readonly KnownTable[] | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly onInsert: (name: string) => void;
  readonly onExample: (sql: string) => void;
}

/** The tables and their columns, with a search. A click inserts a name into the editor. */
export function TablePanel({ tables, error, onRetry, onInsert, onExample }: TablePanelProps) {
  const id = useId();
  const [search, setSearch] = useState('');
  const words = search.toLowerCase().trim();
  const shown = (tables ?? []).filter((table) => matches(table, words));
  return (
    <aside className={styles.tables} aria-label="Tables">
      <h2>Tables</h2>
      <label htmlFor={id} className={styles.soft}>
        Search tables and columns
      </label>
      <input id={id} type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
      {error !== null && <ErrorMessage error={error} onRetry={onRetry} />}
      {tables === undefined && error === null && <Loading height={400} label="Loading the tables" />}
      {tables !== undefined && shown.length === 0 && <p className={styles.soft}>No table matches “{search}”.</p>}
      <ul className={styles.list}>
        {shown.map((table) => (
          <li key={table.name}>
            <Table table={table} words={words} onInsert={onInsert} onExample={onExample} />
          </li>
        ))}
      </ul>
    </aside>
  );
}

interface TableProps extends Pick<TablePanelProps, 'onInsert' | 'onExample'> {
  readonly table: KnownTable;
  readonly words: string;
}

function Table({ table, words, onInsert, onExample }: TableProps) {
  const { name, description, grain, columns, example } = table;
  const hits = words === '' ? [] : (columns ?? []).filter((column) => contains(column.name, words));
  return (
    <details className={styles.table} open={hits.length > 0 || undefined}>
      <summary>
        <code>{name}</code>
      </summary>
      <p className={styles.soft}>{withoutMarks(description)}</p>
      {grain !== null && <p className={styles.soft}>One row per {withoutMarks(grain)}.</p>}
      <div className={styles.actions}>
        <button type="button" onClick={() => onInsert(name)} aria-label={`Insert name ${name}`}>
          Insert name
        </button>
        {example !== null && (
          <button type="button" onClick={() => onExample(example)} aria-label={`Use example of ${name}`}>
            Use example
          </button>
        )}
      </div>
      {columns === undefined ? (
        <Loading height={120} label={`Loading the columns of ${name}`} />
      ) : (
        <ul className={styles.list} aria-label={`Columns of ${name}`}>
          {columns.map((column) => (
            <li key={column.name}>
              <button
                type="button"
                className={styles.column}
                onClick={() => onInsert(column.name)}
                aria-label={`Insert ${column.name} ${column.type}: ${withoutMarks(column.description)}`}
                title={withoutMarks(column.description)}
                data-hit={hits.includes(column)}
              >
                <code>{column.name}</code> <span>{column.type}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

function matches({ name, columns = [] }: KnownTable, words: string): boolean {
  return words === '' || contains(name, words) || columns.some((column) => contains(column.name, words));
}

function contains(name: string, words: string): boolean {
  return name.toLowerCase().includes(words);
}

/** Descriptions are Markdown with code marks only. */
function withoutMarks(text: string): string {
  return text.replaceAll('`', '');
}
