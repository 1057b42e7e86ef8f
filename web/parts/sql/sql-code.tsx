import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CopyButton } from '../layout/copy-button.js';
import styles from './sql-code.module.css';
import './sql-colors.css';

/** Shows SQL with colors, and a button that copies it. The highlighter is loaded on demand; until then the SQL has no colors. */
export function SqlCode({ sql, children }: { readonly sql: string; readonly children?: ReactNode }) {
  const { data: highlight } = useQuery({
    queryKey: ['sql-highlighter'],
    queryFn: async () => ({ split: (await import('./highlight-sql.js')).highlightSql }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const pieces = highlight?.split(sql) ?? [{ from: 0, text: sql, className: '' }];
  return (
    <div className={styles.box}>
      <div className={styles.bar}>
        <CopyButton text={sql} label="Copy the SQL" isLabelled />
        {children}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach an area that scrolls */}
      <section className={styles.code} tabIndex={0} aria-label="SQL">
        <pre>
          <code>
            {pieces.map(({ from, text, className }) =>
              className === '' ? (
                text
              ) : (
                <span key={from} className={className}>
                  {text}
                </span>
              ),
            )}
          </code>
        </pre>
      </section>
    </div>
  );
}
