import { readStateRows } from '../../accounts/state-reads.js';
import { type Cell, type Database, sqlTime } from '../../engine/index.js';
import { isoTime } from '../../warehouse/rules/times.js';
import type { ErrorType } from './error-types.js';
import type { Status } from './question.js';
import { readDetails } from './question-row.js';

/** A question in the list of its user. */
export interface ListedQuestion {
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  /** The time of the question, ISO 8601. */
  readonly createdAt: string;
  /** The time of the end, ISO 8601; null while the question is in progress. */
  readonly finishedAt: string | null;
  readonly errorType: ErrorType | null;
}

export interface QuestionPage {
  readonly questions: readonly ListedQuestion[];
  /** The `cursor` for the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** The maximum number of questions of a page. */
export const MAX_PAGE = 100;

/** The form of a cursor: the seconds since 1970 and the id of the last question of a page. */
export const CURSOR_PATTERN = '^(0|[1-9][0-9]{0,10})_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/**
 * Lists up to `n` questions of a user, at most `MAX_PAGE`, the newest first. `cursor` must match `CURSOR_PATTERN`. Questions that are asked
 * or deleted between two requests do not shift the next page.
 */
export async function listUserQuestions(
  database: Database,
  userId: number,
  { n, cursor }: { readonly n: number; readonly cursor?: string | undefined },
): Promise<QuestionPage> {
  const { time, id } = readCursor(cursor);
  const rows = await readStateRows(database, LIST, [userId, time, id]);
  const questions = rows.slice(0, n).map(toListed);
  const last = questions.at(-1);
  return { questions, nextCursor: rows.length > n && last !== undefined ? cursorOf(last) : null };
}

/** Reads one row more than the largest page, to detect whether there is a next page. */
const LIST = `
  SELECT id, title, status, created_at, finished_at, CASE WHEN status = 'error' THEN record END
  FROM explorer_questions
  WHERE user_id = :p1 AND created_at <= :p2 AND (created_at < :p2 OR id < :p3)
  ORDER BY created_at DESC, id DESC LIMIT ${MAX_PAGE + 1}`;

/** Without a cursor, the list starts with the newest question. */
function readCursor(cursor = `${MAX_SECONDS}_g`): { readonly time: string; readonly id: string } {
  const [seconds = '', id = ''] = cursor.split('_');
  return { time: sqlTime(new Date(Number(seconds) * 1_000)), id };
}

const MAX_SECONDS = 99_999_999_999;

function cursorOf({ createdAt, id }: ListedQuestion): string {
  return `${Date.parse(createdAt) / 1_000}_${id}`;
}

function toListed([id, title, status, createdAt, finishedAt, record]: readonly Cell[]): ListedQuestion {
  return {
    id: String(id),
    title: String(title),
    status: String(status) as Status,
    createdAt: isoTime(createdAt),
    finishedAt: finishedAt === null || finishedAt === undefined ? null : isoTime(finishedAt),
    errorType: record === null ? null : readDetails(record).errorType,
  };
}
