import { formatTime } from '../parts/format/format.js';
import styles from './playground.module.css';
import { clearHistory, type PastQuery, removeFromHistory } from './sql-history.js';

export interface HistoryPanelProps {
  readonly queries: readonly PastQuery[];
  readonly onChange: (queries: readonly PastQuery[]) => void;
  readonly onChoose: (sql: string) => void;
}

/** The queries that ran in this browser. They are stored in the browser only. */
export function HistoryPanel({ queries, onChange, onChoose }: HistoryPanelProps) {
  return (
    <details className={styles.panel}>
      <summary>History ({queries.length})</summary>
      {queries.length === 0 ? (
        <p className={styles.soft}>Queries that you run appear here. They are stored in this browser only.</p>
      ) : (
        <>
          <ul className={styles.list}>
            {queries.map(({ sql, at }) => (
              <li key={sql} className={styles.past}>
                <button type="button" className={styles.query} onClick={() => onChoose(sql)} title={sql}>
                  <code>{sql}</code>
                </button>
                <time className={styles.soft} dateTime={at}>
                  {formatTime(at)}
                </time>
                <button
                  type="button"
                  onClick={() => onChange(removeFromHistory(sql))}
                  aria-label={`Remove from the history: ${sql.slice(0, 60)}`}
                >
                  Remove
                </button>
              </li>
            ))}
          </ul>
          <button type="button" onClick={() => onChange(clearHistory())}>
            Clear the history
          </button>
        </>
      )}
    </details>
  );
}
