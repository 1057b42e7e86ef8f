import type { Cell } from '../../engine/index.js';
import type { Lane, Question, QuestionResult, Status } from './question.js';

/** The queue of a question: first `prepare`, to find its SQL, then the lane in which the SQL is executed. */
export type Stage = 'prepare' | Lane;

/** The members of a question that are stored in the column `record`. */
export type QuestionDetails = Omit<
  Question,
  'id' | 'hash' | 'userId' | 'status' | 'title' | 'lane' | 'result' | 'recommended' | 'hitCache'
>;

/** A question with the state of its processing. */
export interface StoredQuestion {
  readonly question: Question;
  readonly place: number;
  readonly progress: Progress;
}

/** The state of the work on a question. Only workers use this state. */
export interface Progress {
  /** The number of times that a worker has started to prepare the question. */
  readonly attempts: number;
  /** The chart that the model proposed. The chart is validated after the query. */
  readonly proposedChart: unknown;
}

export const NO_PROGRESS: Progress = { attempts: 0, proposedChart: null };

export const QUESTION_COLUMNS = 'id, hash, user_id, status, title, record, result, lane, place, recommended, hit_cache';

/** The details of a question that was just created. */
export const NO_DETAILS: Omit<QuestionDetails, 'createdAt'> = {
  answer: null,
  revisedTitle: null,
  notClear: null,
  assumption: null,
  combinedTitle: null,
  sqlCanAnswer: null,
  querySQL: null,
  queryHash: null,
  engines: [],
  definition: null,
  plan: null,
  recommendedQuestions: [],
  chart: null,
  requestedAt: null,
  executedAt: null,
  finishedAt: null,
  spent: null,
  errorType: null,
  error: null,
};

/** Parses a row with the columns `QUESTION_COLUMNS`. */
export function readQuestionRow(row: readonly Cell[]): StoredQuestion {
  const [id, hash, userId, status, title, record, result, lane, place, recommended, hitCache] = row;
  const { details, progress } = JSON.parse(String(record)) as StoredRecord;
  const stage = String(lane) as Stage;
  const question: Question = {
    ...details,
    id: String(id),
    hash: String(hash),
    userId: Number(userId),
    status: String(status) as Status,
    title: String(title),
    lane: stage === 'prepare' ? null : stage,
    result: result === null ? null : (JSON.parse(String(result)) as QuestionResult),
    recommended: Number(recommended) === 1,
    hitCache: Number(hitCache) === 1,
  };
  return { question, place: Number(place), progress };
}

/** Parses the details in the column `record`. */
export function readDetails(record: Cell | undefined): QuestionDetails {
  return (JSON.parse(String(record)) as StoredRecord).details;
}

/** Writes the JSON for the column `record`. */
export function writeRecord(question: Question, progress: Progress): string {
  const { id, hash, userId, status, title, lane, result, recommended, hitCache, ...details } = question;
  return JSON.stringify({ details, progress } satisfies StoredRecord);
}

interface StoredRecord {
  readonly details: QuestionDetails;
  readonly progress: Progress;
}
