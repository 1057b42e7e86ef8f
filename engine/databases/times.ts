/** The clocks and the timer that code in this folder uses. Tests replace them, so that no test depends on the speed of the machine. */
export interface Times {
  readonly clock: () => Date;
  /** The milliseconds of a monotonic clock. */
  readonly stopwatch: () => number;
  /** Calls `run` after `ms` milliseconds. The returned function cancels the call. */
  readonly startTimer: (ms: number, run: () => void) => () => void;
}

/** The system clocks and timers. A timer does not keep the process running. */
export const SYSTEM_TIMES: Times = {
  clock: () => new Date(),
  stopwatch: () => performance.now(),
  startTimer: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
