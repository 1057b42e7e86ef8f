import { lazy, Suspense } from 'react';
import styles from './form.module.css';
import type { SuggestInputProps } from './suggest-input.js';

const SuggestInput = lazy(() => import('./suggest-input.js'));

/** A text field whose suggestions are loaded after the page. */
export function SuggestField(props: SuggestInputProps) {
  return (
    <Suspense
      fallback={
        <input
          id={props.id}
          className={styles.input}
          value={props.value}
          placeholder={props.placeholder}
          onChange={(event) => props.onDraft(event.target.value)}
          onBlur={(event) => props.onCommit(event.target.value)}
        />
      }
    >
      <SuggestInput {...props} />
    </Suspense>
  );
}
