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

/** The status of the questions that are queued in each stage. */
export const WAITING_STATUS: Readonly<Record<Stage, Status>> = {
  prepare: 'new',
  cheap: 'waiting',
  expensive: 'waiting',
};

/** The counter from which positions in all queues are taken. */
export const PLACES = 'explorer-place';

/** The queue in which the question is or was. */
export function stageOf({ lane }: Question): Stage {
  return lane ?? 'prepare';
}

/** A changed question, and whether the change was stored. */
interface StoredChange extends StoredState {
  readonly isStored: boolean;
}

/**
 * Changes a question. If the question moves to another queue, it is appended there. If the question returns to the same queue, it keeps its
 * position. With `claimId`, the change is only stored if the claim still exists.
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

/** Returns the change for a question whose processing was interrupted. A question whose query was running fails, and is not retried. */
export function interruptedChange({ status }: Question): QuestionChange {
  if (status !== 'running') return { status: 'new' };
  const error = 'The service stopped while the query of this question ran. Ask the question again.';
  return { status: 'error', errorType: 'error-unknown', error };
}

/**
 * The expiry time of a lease, as SQL. Leases use the clock of the database. With the clocks of the processes, a process whose clock is fast
 * would take questions from all others.
 */
export function leaseEnd(leaseMs: number): string {
  return `CURRENT_TIMESTAMP + INTERVAL '${Math.round(leaseMs / 1000)}' SECOND`;
}

/** Returns the changed question. A final status also sets the time of the end. */
function applyChange(
  { question: before, progress }: StoredState,
  { proposedChart = progress.proposedChart, ...change }: QuestionChange,
  now: Date,
): StoredState {
  const finishedAt = isFinal(change.status) ? { finishedAt: now.toISOString() } : {};
  return { question: { ...before, ...change, ...finishedAt }, progress: { ...progress, proposedChart } };
}
