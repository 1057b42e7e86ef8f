import type { ReactNode } from 'react';
import styles from './layout.module.css';

/** A box with a title. */
export function Card({ title, children }: { readonly title?: ReactNode; readonly children: ReactNode }) {
  return (
    <section className={styles.card}>
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </section>
  );
}
