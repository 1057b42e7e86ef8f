import type { Stage } from '../questions/question-row.js';

export const STAGES: readonly Stage[] = ['prepare', 'cheap', 'expensive'];

/**
 * Processes the oldest waiting question of a stage, if there is one. The database determines the order of the questions. The queue only
 * announces that questions are waiting, so a lost or repeated announcement does not change an answer.
 */
export type Work = (stage: Stage) => Promise<void>;

/** Distributes announcements to the workers of one process or of several processes. */
export interface WorkQueue {
  /** Announces one more waiting question to all processes. Never rejects. */
  announce(stage: Stage): Promise<void>;
  /** Makes this process look for this many waiting questions, even if their announcements were lost. */
  expect(stage: Stage, waiting: number): void;
  /** Starts to call `work`, with at most `CONCURRENCY[stage]` concurrent calls. `work` must not reject. */
  start(work: Work): void;
  /** Stops calling `work`. Resolves when the current calls have ended. */
  close(): Promise<void>;
}

/**
 * The maximum number of questions per stage that a process processes at the same time. Only one query may be expensive, so that cheap
 * queries and the playground always get a connection. The number of questions in preparation is the number of concurrent requests to the
 * model, so that questions wait in the queue and not for the model.
 */
export const CONCURRENCY: Readonly<Record<Stage, number>> = { prepare: 4, cheap: 2, expensive: 1 };
