import { Link } from '@tanstack/react-router';
import type { OperatorStatus } from '../api/operator.js';
import { formatDuration, formatNumber } from '../parts/format/format.js';
import { Badge } from '../parts/layout/badge.js';
import { Card } from '../parts/layout/card.js';
import { Facts, Rows } from './facts.js';
import styles from './operator.module.css';

/** The queries of definitions: the breaker, the queue, and the slowest definitions since the start. */
export function QueriesCard({ queries }: { readonly queries: OperatorStatus['queries'] }) {
  const { isBreakerOpen, running, waiting, connections, slowest } = queries;
  return (
    <Card title="Queries">
      <Facts
        facts={[
          [
            'Circuit breaker',
            isBreakerOpen ? (
              <Badge key="breaker" tone="danger">
                Open: no query is sent
              </Badge>
            ) : (
              <Badge key="breaker" tone="good">
                Closed
              </Badge>
            ),
          ],
          ['Running', formatNumber(running)],
          ['Waiting', formatNumber(waiting)],
          [
            'Connections',
            connections === null
              ? 'Unknown'
              : `${connections.busy} of ${connections.size} busy, ${connections.waiting} queries wait`,
          ],
        ]}
      />
      <h3>Slowest endpoints</h3>
      {slowest.length === 0 ? (
        <p className={styles.soft}>No query has run since the start of this process.</p>
      ) : (
        <Rows
          label="Slowest endpoints"
          head={['Endpoint', 'Slowest', '95 % at most', 'Queries', 'Slow', 'Failed']}
          rows={slowest.map(({ operation, slowestMs, p95Ms, queries: count, slow, failed }) => ({
            key: operation,
            cells: [
              <Link key="name" to="/e/$name" params={{ name: operation }}>
                {operation}
              </Link>,
              formatDuration(slowestMs),
              formatDuration(p95Ms),
              formatNumber(count),
              formatNumber(slow),
              formatNumber(failed),
            ],
          }))}
        />
      )}
    </Card>
  );
}
