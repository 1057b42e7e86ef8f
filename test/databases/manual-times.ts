import type { Times } from '../../engine/databases/times.js';
import { eventually } from '../services/eventually.js';

/** Times that a test controls. No timer ends unless the test ends it. */
export interface ManualTimes extends Times {
  /** Moves the clocks forward. */
  advance(ms: number): void;
  /** Ends the running timers of this length. Waits for one if none runs. */
  end(ms: number): Promise<void>;
  /** Ends every later timer of this length as soon as it starts. */
  endAtOnce(ms: number): void;
  isRunning(ms: number): boolean;
}

/** Each reading of the stopwatch takes `readingMs`, so that nothing takes no time. */
export function createTimes(readingMs = 0): ManualTimes {
  let elapsed = 0;
  const timers = new Set<{ readonly ms: number; readonly run: () => void }>();
  const lengthsAtOnce = new Set<number>();
  const of = (ms: number) => [...timers].filter((timer) => timer.ms === ms);
  return {
    clock: () => new Date(Date.UTC(2024, 0, 1) + elapsed),
    stopwatch: () => {
      elapsed += readingMs;
      return elapsed;
    },
    startTimer: (ms, run) => {
      const timer = { ms, run };
      if (lengthsAtOnce.has(ms)) queueMicrotask(run);
      else timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (ms) => {
      elapsed += ms;
    },
    end: async (ms) => {
      await eventually(() => of(ms).length > 0);
      for (const timer of of(ms)) {
        timers.delete(timer);
        timer.run();
      }
    },
    endAtOnce: (ms) => void lengthsAtOnce.add(ms),
    isRunning: (ms) => of(ms).length > 0,
  };
}
