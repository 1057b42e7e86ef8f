import { expect } from 'chai';
import { RetrySchedule } from '../../../warehouse/import/follow/retry-schedule.js';

const MINUTE_MS = 60_000;

describe('the attempts of missing hours', () => {
  it('have pauses that grow up to a limit, with a random part', () => {
    const cases = [
      ['unpublished', 1, 15],
      ['gap', 5, 360],
      ['failed', 1 / 12, 15],
    ] as const;
    for (const [reason, first, last] of cases) {
      const schedule = new RetrySchedule();
      const pauses = Array.from({ length: 40 }, () => {
        schedule.postpone(7, reason, 0);
        return schedule.pauseMs([7], 0) / MINUTE_MS;
      });
      expect(pauses[0]).to.be.within(first * 0.75, first * 1.25);
      for (const pause of pauses.slice(20)) expect(pause).to.be.within(last * 0.75, last * 1.25);
      expect(new Set(pauses).size).to.equal(40);
    }
  });

  it('wait as long as the server asks, but at most an hour', () => {
    const schedule = new RetrySchedule();
    schedule.postpone(1, 'failed', 0, 'busy', 10 * MINUTE_MS);
    schedule.postpone(2, 'failed', 0, 'busy', Number.POSITIVE_INFINITY);
    expect([schedule.pauseMs([1], 0), schedule.pauseMs([2], 0)]).to.deep.equal([10 * MINUTE_MS, 60 * MINUTE_MS]);
  });

  it('do not delay other hours', () => {
    const schedule = new RetrySchedule();
    schedule.postpone(1, 'gap', 0);
    expect([schedule.due([1, 2], 1_000), schedule.pauseMs([1, 2], 1_000)]).to.deep.equal([[2], 0]);
    expect(schedule.due([1, 2], 10 * MINUTE_MS)).to.deep.equal([1, 2]);
    expect(schedule.pauseMs([], 0)).to.equal(Number.POSITIVE_INFINITY);
  });
});
