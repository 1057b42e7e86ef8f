import { writeAuditEntry } from '../../accounts/audit-log.js';
import { readStateRows } from '../../accounts/state-reads.js';
import type { StateStore, StateTables } from '../../accounts/state-store.js';
import type { Cell, Database } from '../../engine/index.js';
import { lockQuestion, QuestionNotFoundError, requireQuestionId } from './question-access.js';

export interface Tag {
  readonly id: number;
  readonly name: string;
}

/** The maximum number of tags of a question. */
const MAX_TAGS = 10;

/** Thrown if some of the tag ids in a request do not exist. */
export class TagNotFoundError extends Error {
  override readonly name = 'TagNotFoundError';
}

/** The tags of questions. Methods throw the errors of the database. */
export class QuestionTags {
  readonly #database: Database;
  readonly #state: StateStore;

  constructor(database: Database, state: StateStore) {
    this.#database = database;
    this.#state = state;
  }

  /** Lists all tags, ordered by id. */
  async list(): Promise<Tag[]> {
    return (await readStateRows(this.#database, 'SELECT id, name FROM explorer_tags ORDER BY id')).map(toTag);
  }

  /** Lists the tags of a question, ordered by id. Throws `QuestionNotFoundError`. */
  async ofQuestion(questionId: string): Promise<Tag[]> {
    const rows = await readStateRows(this.#database, OF_QUESTION, [requireQuestionId(questionId)]);
    if (rows.length === 0) throw new QuestionNotFoundError(questionId);
    return rows.filter(([id]) => id !== null).map(toTag);
  }

  /**
   * Replaces the tags of a question. Duplicate ids are ignored. Throws `QuestionNotFoundError`, and `TagNotFoundError` with all unknown
   * ids.
   */
  async set(questionId: string, tagIds: readonly number[], userId: number, now: Date): Promise<Tag[]> {
    const wanted = [...new Set(tagIds)].sort((a, b) => a - b);
    if (wanted.length > MAX_TAGS) throw new Error(`Expected at most ${MAX_TAGS} tags, got ${wanted.length}.`);
    return this.#state.transaction(async (tables) => {
      await lockQuestion(tables, questionId);
      const tags = await requireTags(tables, wanted);
      if (await replaceTags(tables, questionId, wanted)) {
        await writeAuditEntry(tables, {
          at: now,
          actor: `user ${userId}`,
          action: 'set-tags',
          subject: `question ${questionId}`,
          detail: wanted.length === 0 ? 'no tags' : `tags ${wanted.join(', ')}`,
        });
      }
      return tags;
    });
  }
}

const OF_QUESTION = `
  SELECT t.id, t.name FROM explorer_questions q
  LEFT JOIN explorer_question_tags l ON l.question_id = q.id
  LEFT JOIN explorer_tags t ON t.id = l.tag_id
  WHERE q.id = :p1 ORDER BY t.id`;

function toTag([id, name]: readonly Cell[]): Tag {
  return { id: Number(id), name: String(name) };
}

async function requireTags(tables: StateTables, ids: readonly number[]): Promise<Tag[]> {
  if (ids.length === 0) return [];
  const rows = await tables.rows(`SELECT id, name FROM explorer_tags WHERE id IN (${markers(ids)}) ORDER BY id`, ids);
  const tags = rows.map(toTag);
  const unknown = ids.filter((id) => !tags.some((tag) => tag.id === id));
  if (unknown.length === 0) return tags;
  throw new TagNotFoundError(`Unknown tag ids: ${unknown.join(', ')}. GET /explorer/tags/ lists all tags.`);
}

/** Replaces the tags. Changes only the rows that differ, because DuckDB cannot insert a key that was deleted in the same transaction. */
async function replaceTags(tables: StateTables, questionId: string, wanted: readonly number[]): Promise<boolean> {
  const rows = await tables.rows('SELECT tag_id FROM explorer_question_tags WHERE question_id = :p1', [questionId]);
  const current = rows.map(([id]) => Number(id));
  const removed = current.filter((id) => !wanted.includes(id));
  const added = wanted.filter((id) => !current.includes(id));
  for (const id of removed) {
    await tables.run('DELETE FROM explorer_question_tags WHERE question_id = :p1 AND tag_id = :p2', [questionId, id]);
  }
  for (const id of added) {
    await tables.run('INSERT INTO explorer_question_tags (question_id, tag_id) VALUES (:p1, :p2)', [questionId, id]);
  }
  return removed.length + added.length > 0;
}

function markers(values: readonly unknown[]): string {
  return values.map((_, index) => `:p${index + 1}`).join(', ');
}
