import type { OperatorStatus } from '../api/operator.js';
import { formatNumber, formatTime } from '../parts/format/format.js';
import { Card } from '../parts/layout/card.js';
import { Facts, Rows } from './facts.js';

/** The tracked repositories, and how much of their data was read from GitHub. */
export function TrackingCard({ tracking }: { readonly tracking: NonNullable<OperatorStatus['tracking']> }) {
  const { repositories, requestsLeft, shares } = tracking;
  const left = requestsLeft.flatMap((requests) => (requests === null ? [] : [formatNumber(requests)]));
  return (
    <Card title="Tracked repositories">
      <Facts
        facts={[
          ['Repositories', formatNumber(repositories)],
          ['Requests left per token', left.length === 0 ? 'Unknown' : left.join(', ')],
        ]}
      />
      <Rows
        label="Sources of tracked repositories"
        head={['Source', 'Complete', 'Due', 'Failing', 'Oldest success']}
        rows={tracking.sources.map(({ source, complete, due, failing, oldest }) => ({
          key: source,
          cells: [
            source,
            formatNumber(complete),
            formatNumber(due),
            formatNumber(failing),
            oldest === null ? 'Never' : formatTime(`${oldest.replace(' ', 'T')}Z`),
          ],
        }))}
      />
      {shares.length > 0 && (
        <Rows
          label="Share of the archive in what GitHub has"
          head={['Events', 'Month', 'Share', 'Compared repositories']}
          rows={shares.map(({ type, month, share, repositories: compared }) => ({
            key: type,
            cells: [type, month, `${formatNumber(Math.floor(share * 1000) / 10)} %`, formatNumber(compared)],
          }))}
        />
      )}
    </Card>
  );
}
