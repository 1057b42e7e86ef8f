import type { ReactNode } from 'react';
import { Icon, type IconName } from '../layout/icon.js';
import styles from './messages.module.css';

type Tone = 'info' | 'warning' | 'danger' | 'good';

const ICONS: Readonly<Record<Tone, IconName>> = { info: 'info', warning: 'warning', danger: 'warning', good: 'check' };

interface MessageProps {
  readonly tone?: Tone;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** `alert` reads the message at once; `status` when the screen reader is idle. */
  readonly role?: 'alert' | 'status' | 'note';
}

/** A box with a fact that the reader must not miss. */
export function Message({ tone = 'info', title, children, actions, role = 'note' }: MessageProps) {
  return (
    <div role={role} className={`${styles.message} ${styles[tone]}`}>
      <Icon name={ICONS[tone]} size={18} />
      <div className={styles.text}>
        {title !== undefined && <strong>{title}</strong>}
        {children !== undefined && <div>{children}</div>}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  );
}
