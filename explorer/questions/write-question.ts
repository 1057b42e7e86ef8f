import type { StateTables } from '../../accounts/state-store.js';
import { type BoundValue, sqlTime } from '../../engine/index.js';
import { isFinal, type Question, type Status } from './question.js';
import { type Progress, type Stage, writeRecord } from './question-row.js';

interface StoredState {
  readonly question: Question;
  readonly progress: Progress;
}

/** The changed members of a question. */
export type QuestionChange = { readonly status: Status; readonly proposedChart?: unknown } & Partial<
  Omit<Question, 'id' | 'hash' | 'userId' | 'title'>
>;

/** The status of the questions that wait in a queue. */
export const WAITING_STATUS: Readonly<Record<Stage, Status>> = {
  prepare: 'new',
  cheap: 'waiting',
  expensive: 'waiting',
};

/** The counter of the places in all queues. */
export const PLACES = 'explorer-place';

/** Returns the changed question. A final status sets the end of the question. */
export function applyChange(
  { question: before, progress }: StoredState,
  { proposedChart = progress.proposedChart, ...change }: QuestionChange,
  now: Date,
): StoredState {
  const finishedAt = isFinal(change.status) ? { finishedAt: now.toISOString() } : {};
  return { question: { ...before, ...change, ...finishedAt }, progress: { ...progress, proposedChart } };
}

/** The queue in which the question waits or waited. */
export function stageOf({ lane }: Question): Stage {
  return lane ?? 'prepare';
}

/**
 * Writes a question, with a new place if `place` is set. With `claimId`, only if the claim still exists. Resolves to the
 * number of changed rows.
 */
export function updateQuestion(
  tables: StateTables,
  question: Question,
  progress: Progress,
  { place, claimId }: { readonly place: number | undefined; readonly claimId?: string },
): Promise<number> {
  const { id, status, result, finishedAt } = question;
  const stage = stageOf(question);
  const endsClaim = isFinal(status) || status === WAITING_STATUS[stage];
  const finished = isFinal(status) && finishedAt !== null ? sqlTime(new Date(finishedAt)) : null;
  const values: [string, BoundValue][] = [
    ['status', status],
    ['record', writeRecord(question, progress)],
    ['result', result === null ? null : JSON.stringify(result)],
    ['lane', stage],
    ['finished_at', finished],
  ];
  if (place !== undefined) values.push(['place', place]);
  const assignments = values.map(([name], index) => `${name} = :p${index + 1}`);
  const count = values.length;
  const ending = endsClaim ? ', worker = NULL, lease_until = NULL' : '';
  const condition = claimId === undefined ? '' : ` AND worker = :p${count + 2}`;
  return tables.run(
    `UPDATE explorer_questions SET ${assignments.join(', ')}${ending} WHERE id = :p${count + 1}${condition}`,
    [...values.map(([, value]) => value), id, ...(claimId === undefined ? [] : [claimId])],
  );
}

/**
 * The end of a lease, as SQL. Leases use the clock of the database: with the clocks of the processes, a process whose
 * clock is fast would take questions from all others.
 */
export function leaseEnd(leaseMs: number): string {
  return `CURRENT_TIMESTAMP + INTERVAL '${Math.round(leaseMs / 1000)}' SECOND`;
}
