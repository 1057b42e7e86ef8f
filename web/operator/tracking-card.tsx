import type { OperatorStatus } from '../api/operator.js';
import { formatNumber, formatTime } from '../parts/format/format.js';
import { Card } from '../parts/layout/card.js';
import { Facts, Rows } from './facts.js';

/** The tracked repositories, and how far their sources at GitHub were read. */
export function TrackingCard({ tracking }: { readonly tracking: NonNullable<OperatorStatus['tracking']> }) {
  return (
    <Card title="Tracked repositories">
      <Facts facts={[['Repositories', formatNumber(tracking.repositories)]]} />
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
    </Card>
  );
}
