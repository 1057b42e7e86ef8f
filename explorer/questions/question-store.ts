import { writeAuditEntry } from '../../accounts/audit-log.js';
import { takeNextNumber } from '../../accounts/counters.js';
import { readStateRows } from '../../accounts/state-reads.js';
import type { StateStore, StateTables } from '../../accounts/state-store.js';
import { type Database, sqlTime } from '../../engine/index.js';
import { countAsked } from './popularity.js';
import { isFinal, type Question, type Status } from './question.js';
import {
  type Progress,
  QUESTION_COLUMNS,
  readQuestionRow,
  type Stage,
  type StoredQuestion,
  writeRecord,
} from './question-row.js';

/** Another process continued or ended the question, so this process must not change it any more. */
export class LostQuestionError extends Error {
  override readonly name = 'LostQuestionError';
}

/** The claim of a worker to a question. Only the owner of the newest claim can change the question. */
export interface Claim {
  readonly question: Question;
  readonly progress: Progress;
  readonly worker: string;
}

/** The changed members of a question. */
export type QuestionChange = { readonly status: Status; readonly proposedChart?: unknown } & Partial<
  Omit<Question, 'id' | 'hash' | 'userId' | 'title'>
>;

/** The stored questions and the claims of the workers. Throws `EngineError` if the database is unavailable. */
export class QuestionStore {
  readonly #database: Database;
  readonly #state: StateStore;

  constructor(database: Database, state: StateStore) {
    this.#database = database;
    this.#state = state;
  }

  async find(id: string): Promise<StoredQuestion | undefined> {
    const [row] = await readStateRows(this.#database, `${SELECT} WHERE id = :p1`, [id]);
    return row && readQuestionRow(row);
  }

  /** Whether a question exists. `find` can read from a replica, which may not have a new question yet. */
  isStored(id: string): Promise<boolean> {
    const select = 'SELECT id FROM explorer_questions WHERE id = :p1';
    return this.#state.transaction(async (tables) => (await tables.rows(select, [id])).length > 0);
  }

  /** The number of questions that will be taken from the same queue before this one; 0 if it does not wait. */
  async countPreceding({ question, stage, place }: StoredQuestion): Promise<number> {
    if (question.status !== WAITING_STATUS[stage]) return 0;
    const [[count] = []] = await readStateRows(
      this.#database,
      'SELECT COUNT(*) FROM explorer_questions WHERE status = :p1 AND lane = :p2 AND place < :p3',
      [question.status, stage, place],
    );
    return Number(count);
  }

  async countWaiting(stage: Stage): Promise<number> {
    const [[count] = []] = await readStateRows(
      this.#database,
      'SELECT COUNT(*) FROM explorer_questions WHERE status = :p1 AND lane = :p2',
      [WAITING_STATUS[stage], stage],
    );
    return Number(count);
  }

  /** Claims the question that waits longest in a queue; undefined if no question waits. */
  claimNext(stage: Stage, worker: string, now: Date, leaseMs: number): Promise<Claim | undefined> {
    return this.#state.transaction(async (tables) => {
      const [row] = await tables.rows(`${SELECT} WHERE status = :p1 AND lane = :p2 ORDER BY place LIMIT 1`, [
        WAITING_STATUS[stage],
        stage,
      ]);
      if (row === undefined) return undefined;
      const stored = readQuestionRow(row);
      const [claimed, progress] = stage === 'prepare' ? toPreparing(stored, now) : toRunning(stored, now);
      await tables.run(
        `UPDATE explorer_questions SET status = :p1, record = :p2, worker = :p3, lease_until = ${leaseEnd(leaseMs)} WHERE id = :p4`,
        [claimed.status, writeRecord(claimed, progress), worker, claimed.id],
      );
      return { question: claimed, progress, worker };
    });
  }

  /** Extends the leases of questions. Returns the ids of those that the worker still has. */
  renew(worker: string, ids: readonly string[], leaseMs: number): Promise<string[]> {
    const isOwned = `worker = :p1 AND id IN (${ids.map((_, index) => `:p${index + 2}`).join(', ')})`;
    return this.#state.transaction(async (tables) => {
      const owned = await tables.rows(`SELECT id FROM explorer_questions WHERE ${isOwned}`, [worker, ...ids]);
      await tables.run(`UPDATE explorer_questions SET lease_until = ${leaseEnd(leaseMs)} WHERE ${isOwned}`, [
        worker,
        ...ids,
      ]);
      return owned.map(([id]) => String(id));
    });
  }

  /**
   * Changes a claimed question. A final status ends the claim, and so does a status in which the question waits. Throws
   * `LostQuestionError` if the claim ended before.
   */
  change({ question: { id }, worker, progress }: Claim, change: QuestionChange, now: Date): Promise<Question> {
    return this.#state.transaction(async (tables) => {
      const [row] = await tables.rows(`${SELECT} WHERE id = :p1 AND worker = :p2`, [id, worker]);
      const stored = row && readQuestionRow(row);
      if (stored === undefined || stored.progress.attempts !== progress.attempts) {
        throw new LostQuestionError(`The question ${id} is not claimed by this worker any more.`);
      }
      return writeChange(tables, stored, change, now);
    });
  }

  /**
   * Cancels a question of a user. A final question stays unchanged. Returns undefined if the user has no question with
   * this id.
   */
  cancel(id: string, userId: number, now: Date): Promise<Question | undefined> {
    return this.#state.transaction(async (tables) => {
      const [row] = await tables.rows(`${SELECT} WHERE id = :p1 AND user_id = :p2`, [id, userId]);
      if (row === undefined) return undefined;
      const stored = readQuestionRow(row);
      if (isFinal(stored.question.status)) return stored.question;
      await writeAuditEntry(tables, { at: now, actor: `user ${userId}`, action: 'cancel', subject: `question ${id}` });
      return writeChange(tables, stored, { status: 'cancel' }, now);
    });
  }

  /**
   * Takes questions from workers that have stopped: those whose lease has ended, or with `isOnlyProcess` those of every
   * other worker. A question that was being prepared waits again, at most `MAX_ATTEMPTS` times. A question whose query
   * was running fails, so that no query runs twice. Returns the changed questions.
   */
  recover(worker: string, now: Date, { isOnlyProcess = false, isActive = NONE }: Recovery = {}): Promise<Question[]> {
    return this.#state.transaction(async (tables) => {
      const [condition, values] = isOnlyProcess ? ['worker <> :p1', [worker]] : ['lease_until < CURRENT_TIMESTAMP', []];
      const rows = await tables.rows(
        `${SELECT} WHERE status IN ('answer_generating', 'sql_validating', 'running') AND ${condition}
         ORDER BY place LIMIT ${MAX_RECOVERED}`,
        values,
      );
      const changed: Question[] = [];
      for (const stored of rows.map(readQuestionRow)) {
        if (!isActive(stored.question.id)) changed.push(await writeChange(tables, stored, recoveryOf(stored), now));
      }
      return changed;
    });
  }
}

export interface Recovery {
  /** Whether no other process works on the questions of this database. */
  readonly isOnlyProcess?: boolean;
  /** Whether the calling worker works on a question. After a pause of its process, its own leases may have ended. */
  readonly isActive?: (id: string) => boolean;
}

const NONE = () => false;

/** How often a question is prepared again after its worker stopped. */
const MAX_ATTEMPTS = 3;
/** The number of questions per transaction of a recovery. */
const MAX_RECOVERED = 100;

const SELECT = `SELECT ${QUESTION_COLUMNS} FROM explorer_questions`;

/** The status of the questions that wait in a queue. */
export const WAITING_STATUS: Readonly<Record<Stage, Status>> = {
  prepare: 'new',
  cheap: 'waiting',
  expensive: 'waiting',
};

function toPreparing({ question, progress }: StoredQuestion, now: Date): [Question, Progress] {
  const attempts = progress.attempts + 1;
  return [
    { ...question, status: 'answer_generating', requestedAt: now.toISOString() },
    { ...progress, attempts },
  ];
}

function toRunning({ question, progress }: StoredQuestion, now: Date): [Question, Progress] {
  return [{ ...question, status: 'running', executedAt: now.toISOString() }, progress];
}

function recoveryOf({ question: { status }, progress: { attempts } }: StoredQuestion): QuestionChange {
  if (status !== 'running' && attempts < MAX_ATTEMPTS) return { status: 'new' };
  const error =
    status === 'running'
      ? 'The service stopped while the query of this question ran. Ask the question again.'
      : `The service stopped ${attempts} times while it prepared the answer. Ask another question.`;
  return { status: 'error', errorType: 'error-unknown', error };
}

async function writeChange(
  tables: StateTables,
  { question: before, stage: stageBefore, place: placeBefore, progress }: StoredQuestion,
  { proposedChart = progress.proposedChart, ...change }: QuestionChange,
  now: Date,
): Promise<Question> {
  const isEnd = isFinal(change.status);
  const question: Question = { ...before, ...change, ...(isEnd && { finishedAt: now.toISOString() }) };
  const stage = question.lane ?? 'prepare';
  // A question that returns to its queue keeps its place in front of later questions.
  const place = stage === stageBefore ? placeBefore : await takeNextNumber(tables, PLACES);
  const { status, result } = question;
  const endsClaim = isEnd || status === WAITING_STATUS[stage];
  await tables.run(
    `UPDATE explorer_questions SET status = :p1, record = :p2, result = :p3, lane = :p4, place = :p5, finished_at = :p6
       ${endsClaim ? ', worker = NULL, lease_until = NULL' : ''}
     WHERE id = :p7`,
    [
      status,
      writeRecord(question, { ...progress, proposedChart }),
      result === null ? null : JSON.stringify(result),
      stage,
      place,
      isEnd ? sqlTime(now) : null,
      question.id,
    ],
  );
  if (status === 'success') await countAsked(tables, question);
  return question;
}

/** The counter of the places in all queues. */
export const PLACES = 'explorer-place';

/**
 * The end of a lease, as SQL. Leases use the clock of the database: with the clocks of the processes, a process whose
 * clock is fast would take questions from all others.
 */
export function leaseEnd(leaseMs: number): string {
  return `CURRENT_TIMESTAMP + INTERVAL '${Math.round(leaseMs / 1000)}' SECOND`;
}
