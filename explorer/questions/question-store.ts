import { writeAuditEntry } from '../../accounts/audit-log.js';
import { readStateRows } from '../../accounts/state-reads.js';
import type { StateStore } from '../../accounts/state-store.js';
import type { Database } from '../../engine/index.js';
import { countAsked } from './popularity.js';
import { isFinal, type Question } from './question.js';
import {
  type Progress,
  QUESTION_COLUMNS,
  readQuestionRow,
  type Stage,
  type StoredQuestion,
  writeRecord,
} from './question-row.js';
import {
  interruptedChange,
  leaseEnd,
  type QuestionChange,
  stageOf,
  storeChange,
  WAITING_STATUS,
} from './write-question.js';

/** Thrown if another process has continued or ended the question, so that this process must not change it any more. */
export class LostQuestionError extends Error {
  override readonly name = 'LostQuestionError';
}

/** The claim of a worker to a question. Only the owner of the newest claim can change the question. */
export interface Claim {
  /** A unique id, the column `worker`. */
  readonly id: string;
  /** The question in the state that this worker last stored. */
  question: Question;
  progress: Progress;
}

/** The stored questions and the claims of the workers. Methods throw `EngineError` if the database is unavailable. */
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

  /** Whether a question exists. Unlike `find`, it does not read from a replica, which may not have a new question yet. */
  isStored(id: string): Promise<boolean> {
    const select = 'SELECT id FROM explorer_questions WHERE id = :p1';
    return this.#state.transaction(async (tables) => (await tables.rows(select, [id])).length > 0);
  }

  /** The number of questions before this one in the same queue; 0 if it is not queued. */
  async countPreceding({ question, place }: StoredQuestion): Promise<number> {
    const stage = stageOf(question);
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

  /** Claims the oldest question in a queue; undefined if the queue is empty. */
  claimNext(stage: Stage, id: string, now: Date, leaseMs: number): Promise<Claim | undefined> {
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
        [claimed.status, writeRecord(claimed, progress), id, claimed.id],
      );
      return { id, question: claimed, progress };
    });
  }

  /** Extends the leases of claims. Returns the ids of the claims that still exist. */
  renew(ids: readonly string[], leaseMs: number): Promise<string[]> {
    const condition = `worker IN (${ids.map((_, index) => `:p${index + 1}`).join(', ')})`;
    return this.#state.transaction(async (tables) => {
      const owned = await tables.rows(`SELECT worker FROM explorer_questions WHERE ${condition}`, ids);
      await tables.run(`UPDATE explorer_questions SET lease_until = ${leaseEnd(leaseMs)} WHERE ${condition}`, ids);
      return owned.map(([id]) => String(id));
    });
  }

  /**
   * Changes a claimed question, in the database and in the claim. The claim ends if the new status is final or puts the question back in a
   * queue. Throws `LostQuestionError` if the claim has already ended.
   */
  async change(claim: Claim, change: QuestionChange, now: Date): Promise<Question> {
    const { isStored, ...changed } = await this.#state.transaction((tables) =>
      storeChange(tables, claim, change, now, claim.id),
    );
    const { id } = changed.question;
    if (!isStored) throw new LostQuestionError(`The question ${id} is not claimed by this worker any more.`);
    Object.assign(claim, changed);
    return changed.question;
  }

  /** Counts an answered question for the recommendations. */
  countAnswer(question: Question): Promise<void> {
    return this.#state.transaction((tables) => countAsked(tables, question));
  }

  /** Cancels a question of a user. A final question is not changed. Returns undefined if the user has no question with this id. */
  cancel(id: string, userId: number, now: Date): Promise<Question | undefined> {
    return this.#state.transaction(async (tables) => {
      const [row] = await tables.rows(`${SELECT} WHERE id = :p1 AND user_id = :p2`, [id, userId]);
      if (row === undefined) return undefined;
      const stored = readQuestionRow(row);
      if (isFinal(stored.question.status)) return stored.question;
      await writeAuditEntry(tables, { at: now, actor: `user ${userId}`, action: 'cancel', subject: `question ${id}` });
      return (await storeChange(tables, stored, { status: 'cancel' }, now)).question;
    });
  }

  /**
   * Recovers questions of workers that have stopped: those whose lease has expired, or with `isOnlyProcess` all claimed questions. A
   * question that was being prepared is queued again, at most `MAX_ATTEMPTS` times. A question whose query was running fails, so that no
   * query runs twice. Returns the changed questions.
   */
  recover(now: Date, { isOnlyProcess = false, ownClaims = [] }: Recovery = {}): Promise<Question[]> {
    return this.#state.transaction(async (tables) => {
      const isLeft = isOnlyProcess ? 'worker IS NOT NULL' : 'lease_until < CURRENT_TIMESTAMP';
      const isOwn = ownClaims.map((_, index) => ` AND worker <> :p${index + 1}`).join('');
      const rows = await tables.rows(
        `${SELECT} WHERE status IN ('answer_generating', 'sql_validating', 'running') AND ${isLeft}${isOwn}
         ORDER BY place LIMIT ${MAX_RECOVERED}`,
        ownClaims,
      );
      const changed: Question[] = [];
      for (const row of rows) {
        const stored = readQuestionRow(row);
        changed.push((await storeChange(tables, stored, recoveryOf(stored), now)).question);
      }
      return changed;
    });
  }
}

export interface Recovery {
  /** Whether no other process processes questions of this database. */
  readonly isOnlyProcess?: boolean;
  /** The claims of the calling worker. If the process was suspended, its own leases may have expired. */
  readonly ownClaims?: readonly string[];
}

/** How many times a question is prepared if its workers stop. */
const MAX_ATTEMPTS = 3;
/** The number of questions that a recovery changes per transaction. */
const MAX_RECOVERED = 100;

const SELECT = `SELECT ${QUESTION_COLUMNS} FROM explorer_questions`;

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

function recoveryOf({ question, progress: { attempts } }: StoredQuestion): QuestionChange {
  if (question.status === 'running' || attempts < MAX_ATTEMPTS) return interruptedChange(question);
  const error = `The service stopped ${attempts} times while it prepared the answer. Ask another question.`;
  return { status: 'error', errorType: 'error-unknown', error };
}
