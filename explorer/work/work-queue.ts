import type { Stage } from '../questions/question-row.js';

export const STAGES: readonly Stage[] = ['prepare', 'cheap', 'expensive'];

/**
 * Works on the question of a stage that waits longest, if a question waits. The order of the questions is in the
 * database: the queue only announces that questions wait. So a lost or repeated announcement changes no answer.
 */
export type Work = (stage: Stage) => Promise<void>;

/** Distributes announcements to the workers of one process or of several processes. */
export interface WorkQueue {
  /** Announces one more waiting question to all processes. Never rejects. */
  announce(stage: Stage): Promise<void>;
  /** Ensures that this process looks for this many waiting questions, even if their announcements were lost. */
  expect(stage: Stage, waiting: number): void;
  /** Begins to call `work`, at most `CONCURRENCY[stage]` times at once. `work` must not reject. */
  start(work: Work): void;
  /** Stops calling `work`. Resolves when the current calls have ended. */
  close(): Promise<void>;
}

/**
 * How many questions of a stage a process works on at the same time. Only one query may be expensive, so that cheap
 * queries and the playground always find a free connection. As many questions are prepared as a model answers at
 * the same time, so that no question waits for the model longer than for its answer.
 */
export const CONCURRENCY: Readonly<Record<Stage, number>> = { prepare: 4, cheap: 2, expensive: 1 };
