import type { Logger } from 'pino';
import type { StateStore } from '../../accounts/state-store.js';
import { deleteOldQuestions } from '../../explorer/retention/old-questions.js';
import { forgetOld } from './forget-old.js';
import type { RepeatedWork } from './repeat.js';

/** Deletes questions of the explorer that are older than `keepDays`, now and every hour. Returns undefined if all questions are kept. */
export function forgetOldQuestions(
  keepDays: number,
  state: StateStore | undefined,
  logger: Logger,
  clock = () => new Date(),
): RepeatedWork | undefined {
  return forgetOld({ name: 'questions', keepDays, deleteBefore: deleteOldQuestions }, state, logger, clock);
}
