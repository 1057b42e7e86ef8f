import type { ReactNode } from 'react';
import styles from './layout.module.css';

export type Tone = 'neutral' | 'accent' | 'good' | 'warning' | 'danger';

/** A short fact about the thing next to it, such as its state. The text says it; the colour only supports it. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
