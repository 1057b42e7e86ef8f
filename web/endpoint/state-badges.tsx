import type { DefinitionSummary } from '../api/definitions.js';
import styles from './endpoint.module.css';

export type StateBadgesProps = Pick<DefinitionSummary, 'state' | 'deprecated'>;

/** States of a definition that need attention. A definition without problems has no badge. */
export function StateBadges({ state, deprecated }: StateBadgesProps) {
  return (
    <>
      {state === 'broken' && (
        <span className={styles.broken} title="Its file has errors. Requests fail.">
          ✗ Broken
        </span>
      )}
      {state === 'outdated' && (
        <span className={styles.outdated} title="Its file has problems. Its last good version answers.">
          ⚠ Outdated
        </span>
      )}
      {deprecated !== null && (
        <span className={styles.outdated} title={`Deprecated since ${deprecated}`}>
          ⚠ Deprecated
        </span>
      )}
    </>
  );
}
