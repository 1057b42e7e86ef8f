/** The clocks and the timer of a part of this folder. Tests pass others, so that no test depends on the speed of the machine. */
export interface Times {
  readonly clock: () => Date;
  /** The milliseconds of a monotonic clock. */
  readonly stopwatch: () => number;
  /** Calls `run` after `ms` milliseconds. The returned function cancels the call. */
  readonly startTimer: (ms: number, run: () => void) => () => void;
}

/** The times of the system. A timer does not keep the process running. */
export const SYSTEM_TIMES: Times = {
  clock: () => new Date(),
  stopwatch: () => performance.now(),
  startTimer: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
