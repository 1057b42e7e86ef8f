import type { ReactNode } from 'react';
import type { Result } from '../api/rows.js';
import { formatTime } from '../parts/format/format.js';
import { Badge } from '../parts/layout/badge.js';
import styles from './home.module.css';

interface DataNoteProps {
  /** Undefined while the result is being loaded; the space for the line is reserved. */
  readonly result: Result | undefined;
  /** Links at the end of the line. */
  readonly children?: ReactNode;
}

/** One line about a result: its freshness, whether it is complete, and its notices, which open below the line. */
export function DataNote({ result, children }: DataNoteProps) {
  return (
    <div className={styles.row}>
      <div className={styles.note}>
        {result !== undefined && (
          <>
            {result.dataAsOf === null ? 'Age of the data unknown' : `Data until ${formatTime(result.dataAsOf)}`}{' '}
            {result.stale && <Badge tone="warning">Stale</Badge>}{' '}
            {result.truncated && <Badge tone="warning">Truncated</Badge>}{' '}
            {result.headers.outdated !== undefined && <Badge tone="warning">Outdated definition</Badge>}
            {result.notices.length > 0 && (
              <details>
                <summary>
                  <Badge tone="warning">
                    {result.notices.length === 1 ? '1 notice' : `${result.notices.length} notices`}
                  </Badge>
                </summary>
                {result.notices.map((notice) => (
                  <p key={notice}>{notice}</p>
                ))}
              </details>
            )}
          </>
        )}
      </div>
      {children}
    </div>
  );
}
