import { readInBatches, readStateRows } from '../../accounts/state-reads.js';
import type { DeleteOwnedRows } from '../../accounts/users.js';
import { type Cell, type Database, sqlTime } from '../../engine/index.js';
import { isoTime } from '../../warehouse/rules/times.js';
import { type Feedback, toFeedback } from '../questions/feedback.js';
import type { Question } from '../questions/question.js';
import { QUESTION_COLUMNS, readQuestionRow } from '../questions/question-row.js';
import { BATCH_SIZE, deleteQuestions } from './old-questions.js';

/**
 * Deletes the rows of the explorer that belong to a user: all questions, including recommended ones, with their dependent rows, the user's
 * feedback about other questions, and the used quota.
 */
export const deleteOwnedRows: DeleteOwnedRows = async (tables, userId) => {
  const rows = await tables.rows(`SELECT id FROM explorer_questions WHERE user_id = :p1 LIMIT ${BATCH_SIZE}`, [userId]);
  await deleteQuestions(
    tables,
    rows.map(([id]) => String(id)),
  );
  if (rows.length === BATCH_SIZE) return true;
  for (const table of ['explorer_feedback', 'explorer_sql_quotas']) {
    await tables.run(`DELETE FROM ${table} WHERE user_id = :p1`, [userId]);
  }
  return false;
};

/** The uses of question to SQL by a user on a UTC day, `YYYY-MM-DD`. */
export interface QuotaDay {
  readonly day: string;
  readonly used: number;
}

/** Yields the questions of a user with their answers, oldest first. */
export async function* readOwnedQuestions(
  database: Database,
  userId: number,
  signal: AbortSignal,
): AsyncGenerator<Question> {
  const readIds = (last: readonly Cell[] = []) => {
    const [id = '', time] = last;
    const after = time === undefined ? FIRST_TIME : sqlTime(new Date(isoTime(time)));
    return readStateRows(database, QUESTION_IDS, [userId, after, String(id)], signal);
  };
  // Results are read by the ids of their questions. In the embedded database, sorting them would read all results of the user for each batch.
  let ids: string[] = [];
  for await (const id of readInBatches(ID_BATCH, ([one]) => String(one), readIds)) {
    if (ids.push(id) < QUESTION_BATCH) continue;
    yield* await readQuestions(database, ids, signal);
    ids = [];
  }
  if (ids.length > 0) yield* await readQuestions(database, ids, signal);
}

async function readQuestions(database: Database, ids: readonly string[], signal: AbortSignal): Promise<Question[]> {
  const values = Array.from({ length: QUESTION_BATCH }, (_, index) => ids[index] ?? '');
  const rows = await readStateRows(database, QUESTIONS, values, signal);
  const questions = rows.map((row) => readQuestionRow(row).question);
  return questions.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** Yields the feedback of a user about answers, by the id of the question. */
export function readOwnedFeedback(database: Database, userId: number, signal: AbortSignal): AsyncGenerator<Feedback> {
  return readInBatches(FEEDBACK_BATCH, toFeedback, (last) =>
    readStateRows(database, FEEDBACK, [userId, String(last?.[0] ?? '')], signal),
  );
}

/** Yields the stored uses of question to SQL by a user, by day. */
export function readOwnedQuotas(database: Database, userId: number, signal: AbortSignal): AsyncGenerator<QuotaDay> {
  const convert = ([day, used]: readonly Cell[]) => ({ day: String(day).slice(0, 10), used: Number(used) });
  return readInBatches(QUOTA_BATCH, convert, (last) =>
    readStateRows(database, QUOTAS, [userId, last === undefined ? '1000-01-01' : convert(last).day], signal),
  );
}

/** The number of questions in memory. The result of a question can have a million characters. */
const QUESTION_BATCH = 20;
const [ID_BATCH, FEEDBACK_BATCH, QUOTA_BATCH] = [500, 500, 500];
const FIRST_TIME = '1000-01-01 00:00:00';

const QUESTION_IDS = `
  SELECT id, created_at FROM explorer_questions
  WHERE user_id = :p1 AND created_at >= :p2 AND (created_at > :p2 OR id > :p3)
  ORDER BY created_at, id LIMIT ${ID_BATCH}`;
const QUESTION_MARKERS = Array.from({ length: QUESTION_BATCH }, (_, index) => `:p${index + 1}`).join(', ');
const QUESTIONS = `SELECT ${QUESTION_COLUMNS} FROM explorer_questions WHERE id IN (${QUESTION_MARKERS})`;
const FEEDBACK = `
  SELECT question_id, user_id, satisfied, content, created_at FROM explorer_feedback
  WHERE user_id = :p1 AND question_id > :p2 ORDER BY question_id LIMIT ${FEEDBACK_BATCH}`;
const QUOTAS = `
  SELECT day, used FROM explorer_sql_quotas WHERE user_id = :p1 AND day > :p2 ORDER BY day LIMIT ${QUOTA_BATCH}`;
