import type { ReactNode } from 'react';
import styles from './layout.module.css';

interface CardProps {
  readonly title?: ReactNode;
  /** One sentence below the title. */
  readonly description?: ReactNode;
  /** Controls next to the title. */
  readonly actions?: ReactNode;
  /** The last line, such as a link to more. */
  readonly footer?: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A box with a title. */
export function Card({ title, description, actions, footer, className, children }: CardProps) {
  return (
    <section className={className === undefined ? styles.card : `${styles.card} ${className}`}>
      {(title !== undefined || actions !== undefined) && (
        <div className={styles.cardHead}>
          <div className={styles.cardTitle}>
            {title !== undefined && <h2>{title}</h2>}
            {description !== undefined && <p>{description}</p>}
          </div>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      {children}
      {footer !== undefined && <div className={styles.cardFooter}>{footer}</div>}
    </section>
  );
}
