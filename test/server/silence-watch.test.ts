import { expect } from 'chai';
import { type SilenceTime, SilenceWatch } from '../../engine/http/redis/redis.js';

const LIMIT_MS = 500;

describe('a measurement of silence', () => {
  let [now, silences] = [0, 0];
  let timers: { readonly dueAt: number; readonly run: () => void }[];
  /** Called when the process has read the data that arrived. */
  let onReading: () => void;
  const time: SilenceTime = {
    now: () => now,
    after: (ms, run) => {
      const timer = { dueAt: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    afterReading: (run) => {
      onReading();
      run();
    },
  };
  const start = () => {
    const watch = new SilenceWatch(LIMIT_MS, () => (silences += 1), time);
    watch.start();
    return watch;
  };
  beforeEach(() => {
    [now, silences, timers, onReading] = [0, 0, [], () => {}];
  });

  /** Runs all timers, each of them some milliseconds late. Returns when the measurement has ended. */
  const run = (lateMs: number, until = Number.POSITIVE_INFINITY) => {
    for (let [next] = timers; next !== undefined && next.dueAt <= until; [next] = timers) {
      timers.shift();
      now = next.dueAt + lateMs;
      next.run();
    }
    return now;
  };

  it('ends at its limit', () => {
    start();
    expect([run(0, LIMIT_MS - 1), silences]).to.deep.equal([400, 0]);
    expect([run(0), silences]).to.deep.equal([LIMIT_MS, 1]);
  });

  it('counts a blocked process as one step, and gives a busy one up to four times as many steps', () => {
    start();
    run(0, 300);
    expect([run(10_000, 400), silences]).to.deep.equal([10_400, 0]);
    now = 0;
    timers = [];
    start();
    expect([run(100), silences]).to.deep.equal([20 * 200, 1]);
  });

  it('begins again when data arrive, also data that arrived while the process was blocked', () => {
    const watch = start();
    run(0, 400);
    watch.reset();
    expect(run(0)).to.equal(400 + LIMIT_MS);
    now = 0;
    const late = start();
    run(0, 400);
    onReading = () => late.stop();
    expect([run(10_000), silences, timers]).to.deep.equal([10_500, 1, []]);
  });
});
