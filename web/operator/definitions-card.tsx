import type { OperatorStatus } from '../api/operator.js';
import { formatNumber, formatTime } from '../parts/format/format.js';
import { Badge } from '../parts/layout/badge.js';
import { Card } from '../parts/layout/card.js';
import { Facts } from './facts.js';
import styles from './operator.module.css';

/** The definitions that are served, and the problems of the definitions that are not. */
export function DefinitionsCard({ definitions }: { readonly definitions: OperatorStatus['definitions'] }) {
  const { served, broken, outdated, canaries, reloads, problems } = definitions;
  const hidden = broken + outdated - problems.length;
  return (
    <Card title="Definitions">
      <Facts
        facts={[
          ['Served', formatNumber(served)],
          ['Broken', <Badge key="broken" tone={broken === 0 ? 'good' : 'danger'}>{`${broken}`}</Badge>],
          ['Outdated', <Badge key="outdated" tone={outdated === 0 ? 'good' : 'warning'}>{`${outdated}`}</Badge>],
          ['Canaries', formatNumber(canaries)],
          ['Reloads', `${reloads.succeeded} succeeded, ${reloads.problems} with problems, ${reloads.failed} failed`],
        ]}
      />
      {problems.length > 0 && (
        <ul className={styles.list} aria-label="Problems of definitions">
          {problems.map(({ name, state, since, problem, problems: count }) => (
            <li key={`${state} ${problem}`}>
              <strong>{name ?? 'A file without a name'}</strong>{' '}
              {state === 'broken' ? (
                <Badge tone="danger">Broken: answers 503</Badge>
              ) : (
                <Badge tone="warning">Outdated: the last good version answers</Badge>
              )}
              {since !== null && <span className={styles.soft}> since {formatTime(since)}</span>}
              <div className={styles.problem}>{problem}</div>
              {count > 1 && <span className={styles.soft}>and {count - 1} more</span>}
            </li>
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <p className={styles.soft}>
          {hidden} more; <code>endpoint list</code> shows all.
        </p>
      )}
    </Card>
  );
}
