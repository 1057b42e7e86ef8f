import { isoTime } from '../../warehouse/rules/times.js';
import type { RollupWork } from '../background/keep-rollups-current.js';
import { type Family, type Labels, labelled, type NumberFamily } from './family.js';

/** The refreshes of materialized definitions by this process since its start; none if this process stores no tables. */
export function rollupFamilies(work: Pick<RollupWork, 'counts'> | undefined): Family[] {
  const all = work?.counts ?? new Map<string, Counts>();
  const ofEach = (read: (counts: Counts) => number | undefined) => () =>
    Object.fromEntries([...all].map(([name, counts]) => [name, read(counts)]));
  return [
    refreshes(all),
    labelled(
      {
        ...{ name: 'repo_insight_rollup_refreshed_timestamp_seconds', type: 'gauge', aggregation: 'max' },
        help: 'Time of the last refresh of a materialized table, in seconds since 1970.',
      },
      'endpoint',
      ofEach(({ last }) => last && Date.parse(isoTime(last.state.refreshedAt)) / 1_000),
    ),
    labelled(
      {
        ...{ name: 'repo_insight_rollup_refresh_seconds', type: 'gauge', aggregation: 'max' },
        help: 'Duration of the last refresh of a materialized table.',
      },
      'endpoint',
      ofEach(({ last }) => last && last.ms / 1_000),
    ),
    labelled(
      {
        ...{ name: 'repo_insight_rollup_rows', type: 'gauge', aggregation: 'max' },
        help: 'Rows of a materialized table after its last refresh.',
      },
      'endpoint',
      ofEach(({ last }) => last?.state.rows),
    ),
  ];
}

type Counts = RollupWork['counts'] extends ReadonlyMap<string, infer One> ? One : never;

function refreshes(all: RollupWork['counts']): NumberFamily {
  return {
    ...{ name: 'repo_insight_rollup_refreshes_total', type: 'counter', labels: ['endpoint', 'result'] },
    help: 'Refreshes of materialized tables since the start of this process, by result.',
    samples: () =>
      [...all].flatMap(([endpoint, { succeeded, failed }]): (readonly [Labels, number])[] => [
        [{ endpoint, result: 'succeeded' }, succeeded],
        [{ endpoint, result: 'failed' }, failed],
      ]),
  };
}
