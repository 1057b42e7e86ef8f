import { takeNextNumber } from '../../accounts/counters.js';
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

/** The queue in which the question waits or waited. */
export function stageOf({ lane }: Question): Stage {
  return lane ?? 'prepare';
}

/** A changed question, and whether it was stored. */
interface StoredChange extends StoredState {
  readonly isStored: boolean;
}

/**
 * Changes a question. A question that moves to another queue gets the last place there; a question that returns to its
 * queue keeps its place in front of later questions. With `claimId`, the change is stored only if the claim still exists.
 */
export async function storeChange(
  tables: StateTables,
  before: StoredState,
  change: QuestionChange,
  now: Date,
  claimId?: string,
): Promise<StoredChange> {
  const { question, progress } = applyChange(before, change, now);
  const { id, status, result } = question;
  const stage = stageOf(question);
  const values: [string, BoundValue][] = [
    ['status', status],
    ['record', writeRecord(question, progress)],
    ['result', result === null ? null : JSON.stringify(result)],
    ['lane', stage],
    ['finished_at', isFinal(status) ? sqlTime(now) : null],
  ];
  if (stage !== stageOf(before.question)) values.push(['place', await takeNextNumber(tables, PLACES)]);
  const assignments = values.map(([name], index) => `${name} = :p${index + 1}`);
  const endsClaim = isFinal(status) || status === WAITING_STATUS[stage];
  const ending = endsClaim ? ', worker = NULL, lease_until = NULL' : '';
  const count = values.length;
  const condition = claimId === undefined ? '' : ` AND worker = :p${count + 2}`;
  const changed = await tables.run(
    `UPDATE explorer_questions SET ${assignments.join(', ')}${ending} WHERE id = :p${count + 1}${condition}`,
    [...values.map(([, value]) => value), id, ...(claimId === undefined ? [] : [claimId])],
  );
  return { question, progress, isStored: changed > 0 };
}

/** Returns the change of a question whose work stops. A query that was running does not run again. */
export function interruptedChange({ status }: Question): QuestionChange {
  if (status !== 'running') return { status: 'new' };
  const error = 'The service stopped while the query of this question ran. Ask the question again.';
  return { status: 'error', errorType: 'error-unknown', error };
}

/**
 * The end of a lease, as SQL. Leases use the clock of the database: with the clocks of the processes, a process whose
 * clock is fast would take questions from all others.
 */
export function leaseEnd(leaseMs: number): string {
  return `CURRENT_TIMESTAMP + INTERVAL '${Math.round(leaseMs / 1000)}' SECOND`;
}

/** Returns the changed question. A final status sets the end of the question. */
function applyChange(
  { question: before, progress }: StoredState,
  { proposedChart = progress.proposedChart, ...change }: QuestionChange,
  now: Date,
): StoredState {
  const finishedAt = isFinal(change.status) ? { finishedAt: now.toISOString() } : {};
  return { question: { ...before, ...change, ...finishedAt }, progress: { ...progress, proposedChart } };
}
