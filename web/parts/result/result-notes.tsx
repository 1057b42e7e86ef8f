import type { Result } from '../../api/rows.js';
import { useServiceTime } from '../../api/use-service-time.js';
import { Icon } from '../layout/icon.js';
import styles from './result.module.css';
import { factsOf, timingOf } from './result-facts.js';

export interface ResultNotesProps {
  readonly result: Result;
  /** Whether to show the duration, the state of the cache and the remaining requests. */
  readonly hasTiming?: boolean;
  /** Whether the result is one of several pages, and the caller shows whether there are more. */
  readonly isPage?: boolean;
}

/** Shows how old and complete a result is: its freshness, truncation, notices and the state of its definition. */
export function ResultNotes({ result, hasTiming = false, isPage = false }: ResultNotesProps) {
  const now = useServiceTime();
  return (
    <aside className={styles.notes} aria-label="About this result">
      <ul>
        {factsOf(result, now, isPage).map(({ icon, badge, text, isWarning }) => (
          <li key={`${badge} ${text}`} className={isWarning === true ? styles.warning : undefined}>
            <Icon name={icon} size={14} />
            <span>
              {badge !== undefined && <strong className={styles.badge}>{badge}</strong>}
              {text}
            </span>
          </li>
        ))}
        {hasTiming && (
          <li>
            <Icon name="play" size={14} />
            <span>{timingOf(result).join(' · ')}</span>
          </li>
        )}
      </ul>
    </aside>
  );
}
