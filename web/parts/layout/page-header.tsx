import { type ReactNode, useEffect } from 'react';
import { SERVICE_NAME } from '../../app/own-api.js';
import styles from './layout.module.css';

interface PageHeaderProps {
  /** The heading of the page. */
  readonly title: ReactNode;
  /** The title of the window, if the heading is not text. */
  readonly windowTitle?: string;
  /** A short text or links above the heading. */
  readonly eyebrow?: ReactNode;
  /** One or two sentences below the heading. */
  readonly description?: ReactNode;
  /** Buttons next to the heading. */
  readonly actions?: ReactNode;
  /** Further facts below the description, such as badges. */
  readonly children?: ReactNode;
}

/** The heading of a page. It sets the title of the window. */
export function PageHeader({ title, windowTitle, eyebrow, description, actions, children }: PageHeaderProps) {
  const name = windowTitle ?? (typeof title === 'string' ? title : undefined);
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · ${SERVICE_NAME}`;
  }, [name]);
  return (
    <header className={styles.pageHeader}>
      <div className={styles.pageTitle}>
        {eyebrow !== undefined && <div className={styles.eyebrow}>{eyebrow}</div>}
        <h1>{title}</h1>
        {description !== undefined && <div className={styles.description}>{description}</div>}
        {children}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
