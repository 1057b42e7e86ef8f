import type { OperatorStatus } from '../api/operator.js';
import { formatDuration, formatNumber, formatTime } from '../parts/format/format.js';
import { Badge } from '../parts/layout/badge.js';
import { Card } from '../parts/layout/card.js';
import { Message } from '../parts/messages/message.js';
import { Facts, Rows } from './facts.js';
import styles from './operator.module.css';

/** The imported files, the age of the data and the gaps. */
export function ImportsCard({ status: { imports, importsFailure, follow } }: { readonly status: OperatorStatus }) {
  if (imports === null) {
    return (
      <Card title="Imports">
        <Message tone="danger" title="The imports are not known">
          <p>{importsFailure}</p>
        </Message>
        {follow !== null && <Follow follow={follow} />}
      </Card>
    );
  }
  const { files, newestFiles, newestEventAt, lagMs, gaps, newestGaps, newestPartialMonths } = imports;
  return (
    <Card title="Imports">
      <Facts
        facts={[
          ['Newest event', newestEventAt === null ? 'There are no events' : formatTime(newestEventAt)],
          ['Lag', lagMs === null ? 'Unknown' : formatDuration(lagMs)],
          ['Files', formatNumber(files)],
          ['Gaps', <Badge key="gaps" tone={gaps === 0 ? 'good' : 'warning'}>{`${formatNumber(gaps)}`}</Badge>],
        ]}
      />
      {follow !== null && <Follow follow={follow} />}
      {newestFiles.length > 0 && (
        <>
          <h3>Newest files</h3>
          <Rows
            label="Newest files"
            head={['File', 'Events', 'Broken lines', 'Imported']}
            rows={newestFiles.map(({ name, events, brokenLines, importedAt }) => ({
              key: `${name} ${importedAt}`,
              cells: [name, formatNumber(events), formatNumber(brokenLines), formatTime(importedAt)],
            }))}
          />
        </>
      )}
      {newestGaps.length > 0 && (
        <>
          <h3>Newest gaps</h3>
          <ul className={styles.list}>
            {newestGaps.map(({ type, period }) => (
              <li key={`${type} ${period}`}>
                No {type} {period}
              </li>
            ))}
          </ul>
        </>
      )}
      {newestPartialMonths.length > 0 && (
        <>
          <h3>Newest months with only a part of the events</h3>
          <ul className={styles.list}>
            {newestPartialMonths.map(({ type, month, share }) => (
              <li key={`${type} ${month}`}>
                {type} in {month}:{' '}
                {share === null ? 'unknown share' : `about ${formatNumber(Math.floor(share * 1000) / 10)} %`}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** The followed archive. */
function Follow({ follow }: { readonly follow: NonNullable<OperatorStatus['follow']> }) {
  const { state, newestHour, lagMs, missingHours, lastError } = follow;
  return (
    <>
      <h3>Follower of the archive</h3>
      <Facts
        facts={[
          [
            'State',
            <Badge key="state" tone={state === 'failing' || state === 'stopped' ? 'danger' : 'neutral'}>
              {state === 'external' ? 'in another process' : state}
            </Badge>,
          ],
          ['Newest hour', newestHour ?? 'None'],
          ['Lag', lagMs === null ? 'Unknown' : formatDuration(lagMs)],
          ['Missing hours', missingHours === null ? 'Unknown' : formatNumber(missingHours)],
          ...(state === 'external' ? [] : ownFacts(follow)),
        ]}
      />
      {lastError !== null && (
        <Message
          tone={state === 'stopped' ? 'danger' : 'warning'}
          title={state === 'stopped' ? 'The archive is not followed' : 'The newest problem'}
        >
          <p>{lastError}</p>
        </Message>
      )}
    </>
  );
}

/** Returns the facts that are only known if this process runs the follower. */
function ownFacts({ importedHours, nextAttemptAt }: NonNullable<OperatorStatus['follow']>) {
  return [
    ['Imported by this process', formatNumber(importedHours)],
    ['Next attempt', nextAttemptAt === null ? 'None' : formatTime(nextAttemptAt)],
  ] as const;
}
