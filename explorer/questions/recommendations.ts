import { writeAuditEntry } from '../../accounts/audit-log.js';
import { readStateRows } from '../../accounts/state-reads.js';
import type { StateStore } from '../../accounts/state-store.js';
import type { Cell, Database } from '../../engine/index.js';
import { lockQuestion } from './question-access.js';

/** A question that users may want to ask. */
export interface RecommendedQuestion {
  /** SHA-256 hash of the normalized question. Equal questions have equal hashes. */
  readonly hash: string;
  readonly title: string;
  /** Whether the service generated the question. A generated question has no answer yet. */
  readonly aiGenerated: boolean;
  /** The id of the answered question; null for a generated question. */
  readonly questionId: string | null;
  /** Whether a trusted user has recommended the question. */
  readonly recommended: boolean;
  /** The number of users who got an answer to the question. */
  readonly asked: number;
}

/** The maximum number of questions in a list. */
export const MAX_RECOMMENDED = 100;

/** Thrown because only an answered question can be recommended. */
export class QuestionNotAnsweredError extends Error {
  override readonly name = 'QuestionNotAnsweredError';
}

/** The questions that trusted users recommend, and the questions that most users asked. Methods throw the errors of the database. */
export class Recommendations {
  readonly #database: Database;
  readonly #state: StateStore;

  constructor(database: Database, state: StateStore) {
    this.#database = database;
    this.#state = state;
  }

  /**
   * Lists up to `n` answered questions, at most `MAX_RECOMMENDED`: first the recommended questions, then all others, both sorted by
   * popularity. Equal questions are listed once. If a tag is given, lists only questions with this tag.
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
        ? [...(await this.#newestRecommended()), ...(await this.#mostPopular())]
        : await readStateRows(this.#database, WITH_TAG, [tagId]);
    const byHash = new Map<string, RecommendedQuestion>();
    for (const question of rows.map(toRanked).sort(compare).map(toRecommended)) {
      if (!byHash.has(question.hash)) byHash.set(question.hash, question);
    }
    return [...byHash.values()].slice(0, n);
  }

  /**
   * Recommends an answered question, or removes its recommendation. Idempotent. Throws `QuestionNotFoundError` and
   * `QuestionNotAnsweredError`.
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

  async #newestRecommended(): Promise<Rows> {
    const rows = await readStateRows(this.#database, NEWEST_RECOMMENDED);
    if (rows.length === 0) return [];
    const hashes = rows.map(([hash]) => String(hash));
    return appendCounts(rows, 0, await readStateRows(this.#database, ASKED, fillUp(hashes, MAX_RECOMMENDED)));
  }

  async #mostPopular(): Promise<Rows> {
    const counts = await readStateRows(this.#database, MOST_POPULAR);
    if (counts.length === 0) return [];
    const ids = counts.map(([id]) => String(id));
    return appendCounts(await readStateRows(this.#database, ANSWERED, fillUp(ids, MAX_POPULAR)), 2, counts);
  }
}

type Rows = readonly (readonly Cell[])[];

const MAX_POPULAR = 2 * MAX_RECOMMENDED;
/** Questions that fewer users asked are private, unless a trusted user recommends or tags them. */
const MIN_USERS = 2;

/**
 * These queries only read the ends of indexes, and single rows by key, so that their time does not grow with the number of questions. The
 * queries do not use joins, for which DuckDB would read whole tables.
 */
const NEWEST_RECOMMENDED = `
  SELECT hash, title, id, recommended, created_at FROM explorer_questions WHERE recommended = 1
  ORDER BY created_at DESC, id DESC LIMIT ${MAX_RECOMMENDED}`;
const ASKED = `
  SELECT hash, asked FROM explorer_popular_questions WHERE hash IN (${markers(MAX_RECOMMENDED)})`;
/** Reads twice the maximum, because each popular question may be equal to a recommended one. */
const MOST_POPULAR = `
  SELECT question_id, asked FROM explorer_popular_questions WHERE asked >= ${MIN_USERS}
  ORDER BY asked DESC, hash DESC LIMIT ${MAX_POPULAR}`;
const ANSWERED = `
  SELECT hash, title, id, recommended, created_at FROM explorer_questions
  WHERE id IN (${markers(MAX_POPULAR)}) AND status = 'success'`;

/** Only trusted users set tags, so the number of questions with a tag is small. */
const WITH_TAG = `
  SELECT q.hash, q.title, q.id, q.recommended, q.created_at, p.asked FROM explorer_question_tags t
  JOIN explorer_questions q ON q.id = t.question_id
  LEFT JOIN explorer_popular_questions p ON p.hash = q.hash
  WHERE t.tag_id = :p1 AND q.status = 'success'
  ORDER BY q.recommended DESC, p.asked DESC, q.hash DESC, q.created_at DESC, q.id DESC LIMIT ${MAX_POPULAR}`;

interface Ranked extends Omit<RecommendedQuestion, 'aiGenerated' | 'questionId'> {
  readonly questionId: string;
  readonly createdAt: string;
}

function markers(count: number): string {
  return Array.from({ length: count }, (_, index) => `:p${index + 1}`).join(', ');
}

/** Pads the keys with empty texts to `count` values, because each query has a constant number of markers. */
function fillUp(keys: readonly string[], count: number): string[] {
  return [...keys, ...Array<string>(count - keys.length).fill('')];
}

/** Appends a column with the count for the key in the column `index` of each row; null if there is no count. */
function appendCounts(rows: Rows, index: number, counts: Rows): Rows {
  const byKey = new Map(counts.map(([key, count]) => [String(key), count] as const));
  return rows.map((row) => [...row, byKey.get(String(row[index])) ?? null]);
}

function toRanked([hash, title, id, recommended, createdAt, asked]: readonly Cell[]): Ranked {
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
 * Sorts recommended questions first, then by popularity. Equal questions have the same hash: the newest of them comes first. The id makes
 * the order the same on every database.
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
