import type { Logger } from 'pino';
import type { StateStore } from '../../accounts/state-store.js';
import { deleteOldQuestions } from '../../explorer/retention/old-questions.js';
import { type RepeatedWork, repeat } from './repeat.js';

export interface OldRows {
  /** The name of the deleted rows, as a plural. */
  readonly name: string;
  /** The rows are kept this number of days; 0 keeps all. */
  readonly keepDays: number;
  /** Deletes the rows before a moment, and resolves to the number of deleted rows. The signal aborts when the service stops. */
  readonly deleteBefore: (state: StateStore, before: Date, signal: AbortSignal) => Promise<number>;
}

/** Deletes old rows now and every hour. Returns undefined if all rows are kept. */
export function forgetOld(
  { name, keepDays, deleteBefore }: OldRows,
  state: StateStore | undefined,
  logger: Logger,
  clock: () => Date,
): RepeatedWork | undefined {
  if (state === undefined || keepDays === 0) return undefined;
  const stopping = new AbortController();
  const forget = async () => {
    const before = new Date(clock().getTime() - keepDays * DAY_MS);
    const forgotten = await deleteBefore(state, before, stopping.signal);
    if (forgotten > 0) logger.info({ forgotten }, `old ${name} were deleted`);
  };
  const repeated = repeat(`deleting old ${name}`, HOUR_MS, forget, logger);
  void repeated.now();
  return {
    now: repeated.now,
    stop: () => {
      // The next start deletes the remaining rows.
      stopping.abort();
      return repeated.stop();
    },
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Deletes questions of the explorer that are older than `keepDays`, now and every hour. Returns undefined if all questions are kept. */
export function forgetOldQuestions(
  keepDays: number,
  state: StateStore | undefined,
  logger: Logger,
  clock = () => new Date(),
): RepeatedWork | undefined {
  return forgetOld({ name: 'questions', keepDays, deleteBefore: deleteOldQuestions }, state, logger, clock);
}
