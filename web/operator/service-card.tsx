import type { OperatorStatus } from '../api/operator.js';
import { formatAge, formatTime } from '../parts/format/format.js';
import { Badge } from '../parts/layout/badge.js';
import { Card } from '../parts/layout/card.js';
import { Facts } from './facts.js';
import { formatBytes } from './format-bytes.js';

/** The process that answered, and its parts. */
export function ServiceCard({ status: { at, process, health } }: { readonly status: OperatorStatus }) {
  const { pid, worker, workers, version, node, startedAt, memoryBytes } = process;
  return (
    <Card title="Service" description={workers === null ? undefined : describeWorkers(workers)}>
      <Facts
        facts={[
          ['Process', worker === null ? pid : `${pid}, worker ${worker}`],
          ['Version', `${version}, Node ${node}`],
          ['Started', `${formatTime(startedAt)}, ${formatAge(startedAt, Date.parse(at))}`],
          ['Memory', formatBytes(memoryBytes)],
          ['Database', <Health key="database" isHealthy={health.database} />],
          ['Redis', <Health key="redis" isHealthy={health.redis} />],
          ['Shadow database', <Health key="shadow" isHealthy={health.shadow} />],
        ]}
      />
    </Card>
  );
}

function describeWorkers(workers: number): string {
  if (workers === 1) return 'The service has one worker.';
  return `One of ${workers} workers answered. Cache, queries and definitions are those of this worker; /metrics has the sums of all workers.`;
}

function Health({ isHealthy }: { readonly isHealthy: boolean | null }) {
  if (isHealthy === null) return <Badge>Not configured</Badge>;
  return isHealthy ? <Badge tone="good">Answers</Badge> : <Badge tone="danger">Does not answer</Badge>;
}
