import { expect } from 'chai';
import type { FamilyValues } from '../../server/metrics/metrics.js';
import type { ToWorker } from '../../server/workers/messages.js';
import { PrimaryLink } from '../../server/workers/primary-link.js';
import { WorkerMetrics } from '../../server/workers/worker-pool.js';
import type { WorkerProcess } from '../../server/workers/worker-process.js';

const NAME = 'repo_insight_http_requests_total';

function requestsOf(operations: Readonly<Record<string, number>>): FamilyValues[] {
  const values = Object.entries(operations).map(([operation, value]) => ({ labels: { operation }, value }));
  return [{ name: NAME, help: 'Requests.', type: 'counter', aggregator: 'sum', values }];
}

describe('a worker that is late in a stop', () => {
  it('does not wait for an answer that the primary process has already sent', async () => {
    const sent: unknown[] = [];
    let receive: (message: ToWorker) => void = () => undefined;
    const link = new PrimaryLink({
      on: (_event, listener) => {
        receive = listener;
      },
      send: (message) => sent.push(message),
    });
    receive({ kind: 'all-drained' });
    receive({ kind: 'all-closed' });
    const waits = new Promise((resolve) => setImmediate(resolve, 'waits'));
    const steps = link.allDrained().then(() => link.allClosed());
    expect(await Promise.race([steps.then(() => 'continues'), waits])).to.equal('continues');
    expect(sent).to.deep.equal([{ kind: 'drained' }, { kind: 'closed' }]);
  });
});

describe('the metrics of workers', () => {
  /** An empty object, because only the identity of the worker matters. */
  const worker = () => ({}) as WorkerProcess;
  const countsOf = async (metrics: WorkerMetrics) => {
    const sums = new Map<unknown, number>();
    for (const families of (await metrics.read([])) ?? []) {
      for (const { labels, value } of families.flatMap(({ values }) => values)) {
        sums.set(labels.operation, (sums.get(labels.operation) ?? 0) + value);
      }
    }
    return Object.fromEntries(sums);
  };

  it('keep the counts of workers that have ended', async () => {
    const metrics = new WorkerMetrics();
    const [ended, running] = [worker(), worker()];
    metrics.report(ended, requestsOf({ one: 3, other: 1 }));
    metrics.report(running, requestsOf({ one: 2 }));
    metrics.end(ended);
    expect(await countsOf(metrics)).to.deep.equal({ one: 5, other: 1 });
  });

  it('forget operations that no worker counts if ended workers had very many', async () => {
    const metrics = new WorkerMetrics();
    const running = worker();
    metrics.report(running, requestsOf({ kept: 2 }));
    for (let round = 0; round < 8; round += 1) {
      const ended = worker();
      const names = Array.from({ length: 100 }, (_, number) => [`removed-${round}-${number}`, 1] as const);
      metrics.report(ended, requestsOf({ ...Object.fromEntries(names), kept: 1 }));
      metrics.end(ended);
    }
    const counts = await countsOf(metrics);
    expect(counts.kept).to.equal(10);
    expect(Object.keys(counts).length).to.be.at.most(501);
  });

  it('are not waited for longer than a time limit if the primary process does not answer', async () => {
    const sent: unknown[] = [];
    const link = new PrimaryLink({ on: () => {}, send: (message) => sent.push(message) });
    const error = await link.collectMetrics([], 10).catch(({ message }: Error) => message);
    expect(error).to.equal('The primary process did not answer within 0.01 s.');
    expect(sent).to.deep.equal([{ kind: 'collect-metrics', request: 1, own: [] }]);
  });
});
