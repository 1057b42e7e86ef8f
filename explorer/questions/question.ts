import type { Chart } from '../../engine/charts/chart.js';
import type { ChartFields } from '../../engine/charts/result-column.js';
import type { DataSource } from '../../engine/index.js';
import type { ErrorType } from './error-types.js';

/** The statuses of a question, in order. The last three are final. */
export const STATUSES = [
  'new',
  'answer_generating',
  'sql_validating',
  'waiting',
  'running',
  'success',
  'error',
  'cancel',
] as const;

export type Status = (typeof STATUSES)[number];

export function isFinal(status: Status): boolean {
  return ['success', 'error', 'cancel'].includes(status);
}

/** The statuses of questions that are in progress. */
export const OPEN_STATUSES: readonly Status[] = STATUSES.filter((status) => !isFinal(status));

/** `catalogue`: the question is answered by a definition. `model`: it is answered by SQL that a language model wrote. */
export type AnswerEngine = 'catalogue' | 'model';

/** The queue for the query of a question. The cost from `EXPLAIN` determines the queue. */
export type Lane = 'cheap' | 'expensive';

/** The value of a cell. Numbers that JSON cannot represent are text. */
export type ResultValue = string | number | null;

export interface QuestionResult {
  /** A sentence about the rows. Absent if the answering definition has none, and for SQL of a model. */
  readonly sentence?: string;
  readonly fields: ChartFields;
  readonly rows: readonly Readonly<Record<string, ResultValue>>[];
  /** Whether the query had more rows than the result. */
  readonly truncated: boolean;
  /** Facts about the data that the reader must know, such as gaps. */
  readonly notices: readonly string[];
  /** The data sources. Absent if the answer has no sources, and for SQL of a model; null if they could not be read completely. */
  readonly sources?: readonly DataSource[] | null;
  /** ISO 8601: the time of the newest data behind the result; null if it is unknown. */
  readonly dataAsOf: string | null;
}

/** The definition that answers a question, with its parameter values as text, as in a URL. */
export interface ChosenDefinition {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A question with all data about its answer. Times are ISO 8601 in UTC. */
export interface Question {
  /** UUID. */
  readonly id: string;
  /** SHA-256 hash of the normalized question. Equal questions have equal hashes. */
  readonly hash: string;
  readonly userId: number;
  readonly status: Status;
  /** The question as the user wrote it. */
  readonly title: string;
  /** The raw text of the model, for the author of the question; null if a definition answers it. */
  readonly answer: string | null;
  /** The question as the service understood it. */
  readonly revisedTitle: string | null;
  /** What is ambiguous in the question. */
  readonly notClear: string | null;
  /** The assumptions of the answer. */
  readonly assumption: string | null;
  /** `revisedTitle` with the assumption, as one sentence. */
  readonly combinedTitle: string | null;
  /** Whether SQL can answer the question; null until this is known. */
  readonly sqlCanAnswer: boolean | null;
  readonly querySQL: string | null;
  /** SHA-256 of `querySQL`. */
  readonly queryHash: string | null;
  /** The methods that were used to answer the question, for example `['catalogue']`. */
  readonly engines: readonly AnswerEngine[];
  readonly definition: ChosenDefinition | null;
  /** The query plan of the database, as rows. */
  readonly plan: readonly Readonly<Record<string, ResultValue>>[] | null;
  readonly lane: Lane | null;
  readonly recommendedQuestions: readonly string[];
  readonly result: QuestionResult | null;
  readonly chart: Chart | null;
  /** Whether a trusted user has recommended the question. */
  readonly recommended: boolean;
  /** Whether the answer was reused from an earlier, equal question. */
  readonly hitCache: boolean;
  readonly createdAt: string;
  readonly requestedAt: string | null;
  readonly executedAt: string | null;
  readonly finishedAt: string | null;
  /** Duration of the query in seconds. */
  readonly spent: number | null;
  readonly errorType: ErrorType | null;
  readonly error: string | null;
}
