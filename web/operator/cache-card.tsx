import type { OperatorStatus } from '../api/operator.js';
import { formatNumber } from '../parts/format/format.js';
import { Card } from '../parts/layout/card.js';
import { Facts } from './facts.js';
import { formatBytes } from './format-bytes.js';

/** Where the answers of definitions came from since the start. */
export function CacheCard({ cache }: { readonly cache: OperatorStatus['cache'] }) {
  const { memory, redis, computed, coalesced, bypassed, stale, entries, bytes, evictions } = cache;
  const total = memory + redis + computed + coalesced + bypassed;
  const share = (count: number) =>
    total === 0 ? formatNumber(count) : `${formatNumber(count)} (${Math.round((count / total) * 100)} %)`;
  return (
    <Card title="Cache" description="Answers of definitions since the start of this process.">
      <Facts
        facts={[
          ['From memory', share(memory)],
          ['From Redis', share(redis)],
          ['From a query', share(computed)],
          ['Shared a query', share(coalesced)],
          ['Not stored', share(bypassed)],
          ['Stale', formatNumber(stale)],
          ['In memory', `${formatNumber(entries)} ${entries === 1 ? 'answer' : 'answers'}, ${formatBytes(bytes)}`],
          ['Removed for others', formatNumber(evictions)],
        ]}
      />
    </Card>
  );
}
