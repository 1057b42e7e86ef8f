import type { ReactNode } from 'react';
import { Icon, type IconName } from '../layout/icon.js';
import styles from './messages.module.css';

interface EmptyProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}

/** Shown instead of content that does not exist: what is missing, and what the reader can do. */
export function Empty({ icon = 'search', title, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} size={24} />
      <strong>{title}</strong>
      {children !== undefined && <div>{children}</div>}
    </div>
  );
}
