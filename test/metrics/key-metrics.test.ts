import { expect } from 'chai';
import { KeyMetrics } from '../../server/metrics/key-metrics.js';

const NAME = 'repo_insight_key_requests_total';

describe('the requests of API keys', () => {
  const known = new Set<string>();
  let metrics: KeyMetrics;
  beforeEach(() => {
    known.clear();
    for (const operation of ['orders', 'people', 'mcp']) known.add(operation);
    metrics = new KeyMetrics();
  });

  const count = (caller: string | undefined, operation: string | undefined, status = 200, times = 1) => {
    for (let time = 0; time < times; time += 1) metrics.count({ caller, operation, status });
  };
  const series = () => {
    const [family, ...others] = metrics.families((operation) => known.has(operation));
    if (family === undefined || family.type === 'histogram' || others.length > 0) throw new Error('expected a counter');
    expect([family.name, family.labels]).to.deep.equal([NAME, ['key', 'operation', 'result']]);
    return [...family.samples()].map(([{ key, operation, result }, value]) => [key, operation, result, value]);
  };

  it('are counted by key, operation and result, and not those of other callers', () => {
    for (const status of [200, 206, 304, 400, 401, 403, 499, 503]) count('key:0000000a', 'orders', status);
    count('key:0000000a', 'orders', 429, 2);
    count('key:0000000a', undefined, 404);
    count('key:0000000b', 'people', 200, 20);
    for (const caller of [undefined, 'user:1', 'a key:0000000a', 'KEY:0000000a']) count(caller, 'orders');
    expect(series()).to.deep.equal([
      ['0000000a', 'orders', 'answered', 3],
      ['0000000a', 'orders', 'limited', 2],
      ['0000000a', 'orders', 'failed', 5],
      ['0000000a', 'other', 'failed', 1],
      ['0000000b', 'people', 'answered', 20],
    ]);
    expect(metrics.busiest()).to.deep.equal([
      { id: '0000000b', requests: 20, limited: 0, failed: 0 },
      { id: '0000000a', requests: 11, limited: 2, failed: 6 },
    ]);
  });

  it('have a limited number of pairs, and drop those of removed definitions', () => {
    const idOf = (number: number) => number.toString(16).padStart(8, '0');
    for (let number = 0; number < 1_200; number += 1) count(`key:${idOf(number)}`, 'orders', 200, 2);
    count(`key:${idOf(5)}`, 'orders');
    count(`key:${idOf(5)}`, 'people');
    count('key:ffffffff', 'orders', 429);
    const all = series();
    expect(all.length).to.equal(1_003);
    expect(all.filter(([key]) => key === 'other')).to.deep.equal([
      ['other', 'orders', 'answered', 400],
      ['other', 'orders', 'limited', 1],
      ['other', 'people', 'answered', 1],
    ]);
    expect(metrics.busiest().slice(0, 3)).to.deep.equal([
      { id: 'other', requests: 402, limited: 1, failed: 0 },
      { id: idOf(5), requests: 3, limited: 0, failed: 0 },
      { id: idOf(0), requests: 2, limited: 0, failed: 0 },
    ]);
    known.delete('orders');
    expect(series()).to.deep.equal([['other', 'people', 'answered', 1]]);
    count(`key:${idOf(7)}`, 'people');
    expect(series()).to.deep.equal([
      ['other', 'people', 'answered', 1],
      [idOf(7), 'people', 'answered', 1],
    ]);
  });
});
