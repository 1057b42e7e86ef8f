import { writeAuditEntry } from '../../accounts/audit-log.js';
import { readStateRows } from '../../accounts/state-reads.js';
import type { StateStore } from '../../accounts/state-store.js';
import type { Cell, Database } from '../../engine/index.js';
import { lockQuestion } from './question-access.js';

/** A question that users may want to ask. */
export interface RecommendedQuestion {
  /** SHA-256 of the folded question; equal questions have equal hashes. */
  readonly hash: string;
  readonly title: string;
  /** Whether the service generated the question. Such a question has no answer yet. */
  readonly aiGenerated: boolean;
  /** The question with the answer; null for a generated question. */
  readonly questionId: string | null;
  /** Whether a trusted user recommends the question. */
  readonly recommended: boolean;
  /** How often the question was answered, counting stored answers. */
  readonly asked: number;
}

/** The maximum number of questions in a list. */
export const MAX_RECOMMENDED = 100;

/** Only a question with an answer can be recommended. */
export class QuestionNotAnsweredError extends Error {
  override readonly name = 'QuestionNotAnsweredError';
}

/** The questions that trusted users recommend, and those that are asked most. Throws the errors of the database. */
export class Recommendations {
  readonly #database: Database;
  readonly #state: StateStore;

  constructor(database: Database, state: StateStore) {
    this.#database = database;
    this.#state = state;
  }

  /**
   * Lists up to `n` answered questions, at most `MAX_RECOMMENDED`: first the recommended ones, then the others, both by
   * popularity. Equal questions are listed once. With a tag, lists only questions that have the tag.
   */
  async list({
    n,
    tagId,
  }: {
    readonly n: number;
    readonly tagId?: number | undefined;
  }): Promise<RecommendedQuestion[]> {
    const rows =
      tagId === undefined
        ? [
            ...(await readStateRows(this.#database, NEWEST_RECOMMENDED)),
            ...(await readStateRows(this.#database, POPULAR)),
          ]
        : await readStateRows(this.#database, WITH_TAG, [tagId]);
    const byHash = new Map<string, RecommendedQuestion>();
    for (const question of rows.map(toRanked).sort(compare).map(toRecommended)) {
      if (!byHash.has(question.hash)) byHash.set(question.hash, question);
    }
    return [...byHash.values()].slice(0, n);
  }

  /**
   * Recommends an answered question, or ends its recommendation. Changes nothing if this was done before. Throws
   * `QuestionNotFoundError` and `QuestionNotAnsweredError`.
   */
  async setRecommended(questionId: string, value: boolean, userId: number, now: Date): Promise<void> {
    await this.#state.transaction(async (tables) => {
      const { status, recommended } = await lockQuestion(tables, questionId);
      if (recommended === value) return;
      if (value && status !== 'success') {
        const message = `The question ${questionId} has the status ${status}; only a question with the status success can be recommended.`;
        throw new QuestionNotAnsweredError(message);
      }
      await tables.run('UPDATE explorer_questions SET recommended = :p1 WHERE id = :p2', [Number(value), questionId]);
      const action = value ? 'recommend' : 'cancel-recommendation';
      await writeAuditEntry(tables, { at: now, actor: `user ${userId}`, action, subject: `question ${questionId}` });
    });
  }
}

const COLUMNS = 'q.hash, q.title, q.id, q.recommended, p.asked, q.created_at';

/** The index on `recommended` and `created_at` gives these rows without a sort. */
const NEWEST_RECOMMENDED = `
  SELECT ${COLUMNS} FROM (
    SELECT hash, title, id, recommended, created_at FROM explorer_questions WHERE recommended = 1
    ORDER BY created_at DESC, id DESC LIMIT ${MAX_RECOMMENDED}
  ) q LEFT JOIN explorer_popular_questions p ON p.hash = q.hash`;

/**
 * The inner query reads only the end of the index on `asked`, so that its time does not grow with the history. It reads
 * twice the maximum, because each recommended question may be equal to a popular one.
 */
const POPULAR = `
  SELECT ${COLUMNS} FROM (
    SELECT hash, question_id, asked FROM explorer_popular_questions
    ORDER BY asked DESC, hash DESC LIMIT ${2 * MAX_RECOMMENDED}
  ) p JOIN explorer_questions q ON q.id = p.question_id WHERE q.status = 'success'`;

/** Only trusted users set tags, so the number of questions with a tag is small. */
const WITH_TAG = `
  SELECT ${COLUMNS} FROM explorer_question_tags t
  JOIN explorer_questions q ON q.id = t.question_id
  LEFT JOIN explorer_popular_questions p ON p.hash = q.hash
  WHERE t.tag_id = :p1 AND q.status = 'success'
  ORDER BY q.recommended DESC, p.asked DESC, q.hash DESC, q.created_at DESC, q.id DESC LIMIT ${2 * MAX_RECOMMENDED}`;

interface Ranked extends Omit<RecommendedQuestion, 'aiGenerated' | 'questionId'> {
  readonly questionId: string;
  readonly createdAt: string;
}

function toRanked([hash, title, id, recommended, asked, createdAt]: readonly Cell[]): Ranked {
  return {
    hash: String(hash),
    title: String(title),
    questionId: String(id),
    recommended: Number(recommended) === 1,
    asked: Number(asked ?? 0),
    createdAt: String(createdAt),
  };
}

/**
 * Recommended questions first, then by popularity. Of equal questions, the newest is first. The other members make the
 * order the same on every database.
 */
function compare(a: Ranked, b: Ranked): number {
  return (
    Number(b.recommended) - Number(a.recommended) ||
    b.asked - a.asked ||
    compareText(b.hash, a.hash) ||
    compareText(b.createdAt, a.createdAt) ||
    compareText(b.questionId, a.questionId)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function toRecommended({ createdAt: _, ...question }: Ranked): RecommendedQuestion {
  return { ...question, aiGenerated: false };
}
