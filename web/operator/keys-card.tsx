import type { OperatorStatus } from '../api/operator.js';
import { formatNumber } from '../parts/format/format.js';
import { Card } from '../parts/layout/card.js';
import { Rows } from './facts.js';
import styles from './operator.module.css';

/** The API keys with the most requests since the start of the process. */
export function KeysCard({ keys }: { readonly keys: OperatorStatus['keys'] }) {
  return (
    <Card title="API keys">
      {keys.length === 0 ? (
        <p className={styles.soft}>No request had a valid API key since the start of this process.</p>
      ) : (
        <Rows
          label="API keys with the most requests"
          head={['Key', 'Requests', 'Over a limit', 'Failed']}
          rows={keys.map(({ id, name, requests, limited, failed }) => ({
            key: id,
            cells: [
              name === null ? id : `${name} (${id})`,
              formatNumber(requests),
              formatNumber(limited),
              formatNumber(failed),
            ],
          }))}
        />
      )}
    </Card>
  );
}
