import type { Times } from '../../engine/databases/times.js';
import { eventually } from '../services/eventually.js';

/** Clocks and timers under control of a test. A timer only ends when the test ends it. */
export interface ManualTimes extends Times {
  /** Moves the clocks forward. */
  advance(ms: number): void;
  /** Ends the running timers with this duration. If none is running, waits for one. */
  end(ms: number): Promise<void>;
  /** From now on, timers with this duration end as soon as they start. */
  endAtOnce(ms: number): void;
  isRunning(ms: number): boolean;
}

/** Each reading of the stopwatch advances it by `readingMs`, so that durations are not 0. */
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
