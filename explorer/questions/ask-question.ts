import { randomUUID } from 'node:crypto';
import { writeAuditEntry } from '../../accounts/audit-log.js';
import { takeNextNumber } from '../../accounts/counters.js';
import { lockUser } from '../../accounts/lock-user.js';
import { readStateRows } from '../../accounts/state-reads.js';
import type { StateStore, StateTables } from '../../accounts/state-store.js';
import { type Database, sqlTime } from '../../engine/index.js';
import { countAsked } from './popularity.js';
import { OPEN_STATUSES, type Question, type Status } from './question.js';
import { NO_DETAILS, NO_PROGRESS, QUESTION_COLUMNS, readQuestionRow, writeRecord } from './question-row.js';
import { foldQuestion, hashText, MAX_QUESTION_LENGTH } from './question-text.js';
import { leaseEnd, PLACES } from './write-question.js';

export interface AskParts {
  readonly database: Database;
  readonly state: StateStore;
}

export interface AskRequest {
  readonly user: { readonly id: number; readonly isTrusted: boolean };
  /** The text as the user wrote it. */
  readonly text: string;
  /** Whether the question is answered again even if an answer is cached. */
  readonly ignoreCache: boolean;
  readonly now: Date;
  /** Set if a worker immediately starts to run the query of the question. */
  readonly claim?: NewClaim;
}

/** The claim of a worker to a question that is not queued. The status of the question is `running` from the beginning. */
export interface NewClaim {
  readonly id: string;
  readonly leaseMs: number;
}

/** The maximum number of questions per user and hour. */
const QUESTIONS_PER_HOUR = { user: 15, trusted: 200 } as const;
/** The maximum number of questions of a user that are in progress at the same time. */
const QUESTIONS_IN_PROGRESS = 2;
/** The maximum number of questions of all users that are in progress at the same time. */
const MAX_OPEN = 1_000;

/** Thrown if the question has more than 512 characters. */
export class QuestionTooLongError extends Error {
  override readonly name = 'QuestionTooLongError';
}

/** Thrown if the user, or all users together, have asked too many questions. */
export class TooManyQuestionsError extends Error {
  override readonly name = 'TooManyQuestionsError';

  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    readonly isOverload = false,
  ) {
    super(message);
  }
}

/**
 * Stores a new question. If an equal question was answered in the last 7 days, its answer is reused. Throws `QuestionTooLongError`,
 * `TooManyQuestionsError` and `RemovedUserError`. The limits per user are exact, because the row of the user is locked.
 */
export async function askQuestion(
  { database, state }: AskParts,
  { user, text, ignoreCache, now, claim }: AskRequest,
): Promise<Question> {
  const title = readTitle(text);
  await requireCapacity(database);
  const hash = hashText(title);
  const id = randomUUID();
  return state.transaction(async (tables) => {
    await lockUser(tables, user.id);
    await requireBelowLimits(tables, user, now);
    const known = ignoreCache ? undefined : await findAnswer(tables, hash, now);
    const asked = { id, userId: user.id };
    const question =
      known === undefined
        ? { ...newQuestion(hash, title, now), ...(claim && begun(now)), ...asked }
        : { ...reuse(known, now), ...asked };
    await insert(tables, question, now, known === undefined ? claim : undefined);
    if (known !== undefined) await countAsked(tables, question);
    await writeAuditEntry(tables, { at: now, actor: `user ${user.id}`, action: 'ask', subject: `question ${id}` });
    return question;
  });
}

const HOUR_MS = 3_600_000;
/** How long an answer is used for equal questions. */
const CACHE_MS = 7 * 24 * HOUR_MS;

/** Returns the question with normalized white space. Throws `QuestionTooLongError`. */
export function readTitle(text: string): string {
  const title = foldQuestion(text);
  const { length } = [...title];
  if (length <= MAX_QUESTION_LENGTH) return title;
  throw new QuestionTooLongError(
    `The question has ${length} characters; at most ${MAX_QUESTION_LENGTH} are allowed. Ask a shorter question.`,
  );
}

async function requireBelowLimits(
  tables: StateTables,
  { id, isTrusted }: AskRequest['user'],
  now: Date,
): Promise<void> {
  const rows = await tables.rows(
    'SELECT status, created_at FROM explorer_questions WHERE user_id = :p1 AND created_at > :p2 ORDER BY created_at',
    [id, sqlTime(new Date(now.getTime() - HOUR_MS))],
  );
  const open = rows.filter(([status]) => OPEN_STATUSES.includes(String(status) as Status)).length;
  if (open >= QUESTIONS_IN_PROGRESS) {
    const message = `${open} of your questions are in progress; at most ${QUESTIONS_IN_PROGRESS} are allowed. Wait for an answer or cancel a question.`;
    throw new TooManyQuestionsError(message, 5);
  }
  const allowed = isTrusted ? QUESTIONS_PER_HOUR.trusted : QUESTIONS_PER_HOUR.user;
  if (rows.length >= allowed) {
    const freeAt = Date.parse(`${String(rows[rows.length - allowed]?.[1]).slice(0, 19)}Z`) + HOUR_MS;
    const seconds = Math.max(1, Math.ceil((freeAt - now.getTime()) / 1000) + 1);
    throw new TooManyQuestionsError(`You may ask ${allowed} questions per hour; retry in ${seconds} s.`, seconds);
  }
}

/** Throws if too many questions are in progress. The limit is not exact: concurrent calls can exceed the limit. */
async function requireCapacity(database: Database): Promise<void> {
  const [[open] = []] = await readStateRows(
    database,
    `SELECT COUNT(*) FROM (SELECT id FROM explorer_questions WHERE status IN (${OPEN_LIST}) LIMIT ${MAX_OPEN}) open_questions`,
  );
  if (Number(open) < MAX_OPEN) return;
  throw new TooManyQuestionsError(`${MAX_OPEN} questions wait for an answer; retry later.`, 60, true);
}

const OPEN_LIST = OPEN_STATUSES.map((status) => `'${status}'`).join(', ');

async function findAnswer(tables: StateTables, hash: string, now: Date): Promise<Question | undefined> {
  const [row] = await tables.rows(
    `SELECT ${QUESTION_COLUMNS} FROM explorer_questions
     WHERE hash = :p1 AND created_at > :p2 AND status = 'success' AND hit_cache = 0 ORDER BY created_at DESC LIMIT 1`,
    [hash, sqlTime(new Date(now.getTime() - CACHE_MS))],
  );
  return row && readQuestionRow(row).question;
}

function newQuestion(hash: string, title: string, now: Date): Omit<Question, 'id' | 'userId'> {
  return {
    ...NO_DETAILS,
    hash,
    status: 'new',
    title,
    lane: null,
    result: null,
    recommended: false,
    hitCache: false,
    createdAt: now.toISOString(),
  };
}

function begun(now: Date): Partial<Question> {
  const at = now.toISOString();
  return { lane: 'cheap', status: 'running', requestedAt: at, executedAt: at };
}

/** Returns a question with a reused answer. The copy keeps the time of the original query, so that its age stays visible. */
function reuse(known: Question, now: Date): Question {
  const at = now.toISOString();
  const times = { createdAt: at, requestedAt: at, finishedAt: at };
  return { ...known, ...times, recommended: false, hitCache: true };
}

async function insert(tables: StateTables, question: Question, now: Date, claim: NewClaim | undefined): Promise<void> {
  const { id, hash, userId, status, title, lane, result, hitCache } = question;
  // Only queued questions need a position.
  const place = status === 'new' ? await takeNextNumber(tables, PLACES) : 0;
  const isAnswered = status === 'success';
  await tables.run(
    `INSERT INTO explorer_questions
       (id, hash, user_id, status, title, record, result, lane, place, hit_cache, created_at, finished_at, worker,
        lease_until)
     VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8, :p9, :p10, :p11, :p12, :p13,
       ${claim === undefined ? 'NULL' : leaseEnd(claim.leaseMs)})`,
    [
      ...[id, hash, userId, status, title, writeRecord(question, NO_PROGRESS)],
      ...[result === null ? null : JSON.stringify(result), lane ?? 'prepare', place, Number(hitCache), sqlTime(now)],
      ...[isAnswered ? sqlTime(now) : null, claim?.id ?? null],
    ],
  );
}
