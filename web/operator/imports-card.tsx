import type { OperatorStatus } from '../api/operator.js';
import { formatDuration, formatNumber, formatTime } from '../parts/format/format.js';
import { Badge } from '../parts/layout/badge.js';
import { Card } from '../parts/layout/card.js';
import { Message } from '../parts/messages/message.js';
import { Facts, Rows } from './facts.js';
import styles from './operator.module.css';

/** The imported files, the age of the data and the gaps. */
export function ImportsCard({ imports }: { readonly imports: OperatorStatus['imports'] }) {
  if (imports === null) {
    return (
      <Card title="Imports">
        <Message tone="danger" title="The database did not answer in time">
          <p>The imports are not known.</p>
        </Message>
      </Card>
    );
  }
  const { files, newestFiles, newestEventAt, lagMs, gaps, newestGaps } = imports;
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
    </Card>
  );
}
