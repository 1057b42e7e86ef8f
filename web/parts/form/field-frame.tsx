import type { ReactNode } from 'react';
import { InlineMarkdown } from '../markdown/markdown.js';
import styles from './form.module.css';

export interface FieldFrameProps {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly error: string | undefined;
  readonly isRequired: boolean;
  readonly children: ReactNode;
}

/** The label, the description and the message of a field. `describedBy` of the field is `${id}-hint ${id}-error`. */
export function FieldFrame({ id, label, description, error, isRequired, children }: FieldFrameProps) {
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {isRequired && <span className={styles.required}> (required)</span>}
      </label>
      {children}
      <p id={`${id}-error`} className={styles.error} aria-live="polite">
        {error !== undefined && <>⚠ {error}</>}
      </p>
      <p id={`${id}-hint`} className={styles.hint}>
        <InlineMarkdown text={description} />
      </p>
    </div>
  );
}
