import type { ReactNode } from 'react';
import styles from './layout.module.css';

/** A row of controls that wraps on small screens. `end` is at the end of the row. */
export function Toolbar({
  label,
  end,
  children,
}: {
  readonly label?: string;
  readonly end?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className={styles.toolbar} {...(label !== undefined && { role: 'group', 'aria-label': label })}>
      <div className={styles.toolbarPart}>{children}</div>
      {end !== undefined && <div className={styles.toolbarPart}>{end}</div>}
    </div>
  );
}
