import type { ReactNode } from 'react';
import styles from './layout.module.css';

export type Tone = 'neutral' | 'accent' | 'good' | 'warning' | 'danger';

/** A short fact about the adjacent element, such as its state. The text contains the fact; the colour only supports the text. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
