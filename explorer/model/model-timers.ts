import { setTimeout as pause } from 'node:timers/promises';
import { Deadline } from '../../engine/index.js';

/** The timers of a model. Tests replace them to end waits earlier. */
export interface ModelTimers {
  /** Starts the deadline of one request, or of its wait for a free slot. */
  readonly begin: (limit: ConstructorParameters<typeof Deadline>[0]) => Deadline;
  /** Waits before a retry. Rejects if the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Waits for the next part of an answer. Rejects if the signal aborts. */
  readonly silence: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export const MODEL_TIMERS: ModelTimers = {
  begin: (limit) => new Deadline(limit),
  pause: (ms, signal) => pause(ms, undefined, { signal }),
  silence: (ms, signal) => pause(ms, undefined, { signal }),
};
