import { writeAuditEntry } from '../../accounts/audit-log.js';
import { lockUser } from '../../accounts/lock-user.js';
import { readStateRows } from '../../accounts/state-reads.js';
import type { StateStore, StateTables } from '../../accounts/state-store.js';
import { type Cell, type Database, sqlTime } from '../../engine/index.js';
import { isoTime } from '../../warehouse/rules/times.js';
import { lockQuestion, QuestionNotFoundError, requireQuestionId } from './question-access.js';

/** The feedback of a user about an answer. */
export interface Feedback {
  readonly questionId: string;
  readonly userId: number;
  readonly satisfied: boolean;
  /** At most 200 characters; empty if the user wrote nothing. */
  readonly feedbackContent: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface FeedbackSummary {
  /** The number of users who are satisfied with the answer. */
  readonly satisfied: number;
  readonly unsatisfied: number;
  /** The feedback of the requesting user; null if the user has given no feedback. */
  readonly own: Feedback | null;
  /** The newest feedback of other users. Empty if the requesting user is not trusted, because it contains free text. */
  readonly others: readonly Feedback[];
}

/** The feedback about answers: at most one per user and question. Methods throw the errors of the database. */
export class QuestionFeedback {
  readonly #database: Database;
  readonly #state: StateStore;

  constructor(database: Database, state: StateStore) {
    this.#database = database;
    this.#state = state;
  }

  /** Stores feedback and replaces earlier feedback of the same user. Throws `QuestionNotFoundError` and `RemovedUserError`. */
  async give(feedback: Omit<Feedback, 'createdAt'>, now: Date): Promise<Feedback> {
    const { questionId, userId, satisfied, feedbackContent } = feedback;
    await this.#state.transaction(async (tables) => {
      await lockUser(tables, userId);
      await lockQuestion(tables, questionId);
      const statement = (await exists(tables, questionId, userId)) ? UPDATE : INSERT;
      await tables.run(statement, [questionId, userId, Number(satisfied), feedbackContent, sqlTime(now)]);
      await auditChange(tables, 'give-feedback', feedback, now);
    });
    return { ...feedback, createdAt: isoTime(sqlTime(now)) };
  }

  /**
   * Deletes the feedback of a user if its value of `satisfied` is this one. Resolves to whether it existed. Throws `QuestionNotFoundError`
   * and `RemovedUserError`.
   */
  async withdraw(feedback: Pick<Feedback, 'questionId' | 'userId' | 'satisfied'>, now: Date): Promise<boolean> {
    const { questionId, userId, satisfied } = feedback;
    return this.#state.transaction(async (tables) => {
      await lockUser(tables, userId);
      await lockQuestion(tables, questionId);
      const deleted = await tables.run(DELETE, [questionId, userId, Number(satisfied)]);
      if (deleted > 0) await auditChange(tables, 'withdraw-feedback', feedback, now);
      return deleted > 0;
    });
  }

  /** Counts the feedback about an answer. Throws `QuestionNotFoundError`. */
  async summarize(
    questionId: string,
    { id, isTrusted }: { readonly id: number; readonly isTrusted: boolean },
  ): Promise<FeedbackSummary> {
    requireQuestionId(questionId);
    const counts = await readStateRows(this.#database, COUNTS, [questionId]);
    if (counts.length === 0) throw new QuestionNotFoundError(questionId);
    const countOf = (value: number) => {
      const row = counts.find(([satisfied]) => satisfied !== null && Number(satisfied) === value);
      return Number(row?.[1] ?? 0);
    };
    const [own] = await readStateRows(this.#database, `${SELECT} AND user_id = :p2`, [questionId, id]);
    const others = isTrusted ? await readStateRows(this.#database, OTHERS, [questionId, id]) : [];
    return {
      satisfied: countOf(1),
      unsatisfied: countOf(0),
      own: own === undefined ? null : toFeedback(own),
      others: others.map(toFeedback),
    };
  }
}

/** The maximum number of listed feedback texts of other users. */
const MAX_LISTED = 100;

const INSERT = `INSERT INTO explorer_feedback (question_id, user_id, satisfied, content, created_at)
  VALUES (:p1, :p2, :p3, :p4, :p5)`;
const UPDATE = `UPDATE explorer_feedback SET satisfied = :p3, content = :p4, created_at = :p5
  WHERE question_id = :p1 AND user_id = :p2`;
const DELETE = 'DELETE FROM explorer_feedback WHERE question_id = :p1 AND user_id = :p2 AND satisfied = :p3';
const SELECT = `SELECT question_id, user_id, satisfied, content, created_at FROM explorer_feedback
  WHERE question_id = :p1`;
const OTHERS = `${SELECT} AND user_id <> :p2 ORDER BY created_at DESC, user_id LIMIT ${MAX_LISTED}`;

/** Returns no row if the question does not exist, and one row with NULL for `satisfied` if it has no feedback. */
const COUNTS = `SELECT f.satisfied, COUNT(*) FROM explorer_questions q
  LEFT JOIN explorer_feedback f ON f.question_id = q.id
  WHERE q.id = :p1 GROUP BY f.satisfied`;

async function exists(tables: StateTables, questionId: string, userId: number): Promise<boolean> {
  return (await tables.rows(`${SELECT} AND user_id = :p2`, [questionId, userId])).length > 0;
}

/** Converts a row with the columns question_id, user_id, satisfied, content and created_at. */
export function toFeedback([questionId, userId, satisfied, content, createdAt]: readonly Cell[]): Feedback {
  return {
    questionId: String(questionId),
    userId: Number(userId),
    satisfied: Number(satisfied) === 1,
    feedbackContent: String(content),
    createdAt: isoTime(createdAt),
  };
}

function auditChange(
  tables: StateTables,
  action: string,
  { questionId, userId, satisfied }: Pick<Feedback, 'questionId' | 'userId' | 'satisfied'>,
  at: Date,
): Promise<void> {
  const detail = satisfied ? 'satisfied' : 'unsatisfied';
  return writeAuditEntry(tables, { at, actor: `user ${userId}`, action, subject: `question ${questionId}`, detail });
}
