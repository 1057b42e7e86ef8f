import type { ChosenDefinition } from '../../explorer/questions/question.js';

/**
 * The sets of questions. The held-out sets must not be read while an answerer is tuned. People who knew neither the catalogue nor its
 * questions wrote the sets of visitors.
 */
export const QUESTION_SETS = ['tuning', 'held-out', 'visitors-tuning', 'visitors-held-out'] as const;

export type QuestionSetName = (typeof QUESTION_SETS)[number];

/**
 * How answers are evaluated. `catalogue`: the definition and its parameters must be the expected ones. `model`: the executed result must
 * equal the expected result.
 */
export const ENGINES = ['catalogue', 'model'] as const;

export type EngineName = (typeof ENGINES)[number];

/**
 * The kind of the correct answer. `definition`: a definition answers the question. `sql`: only SQL on the public tables can answer the
 * question. `none`: the question must be declined.
 */
export const GROUPS = ['definition', 'sql', 'none'] as const;

export type Group = (typeof GROUPS)[number];

interface CommonMembers {
  readonly id: string;
  readonly set: QuestionSetName;
  readonly question: string;
}

export interface DefinitionQuestion extends CommonMembers {
  readonly group: 'definition';
  /** The accepted answers; the first is the preferred one. Parameters with default values are omitted. */
  readonly accepted: readonly [ChosenDefinition, ...ChosenDefinition[]];
}

export interface SqlQuestion extends CommonMembers {
  readonly group: 'sql';
  /** Queries that answer the question, one per possible interpretation; the first is the preferred one. */
  readonly queries: readonly [string, ...string[]];
  /** The columns of the queries that an answer must contain. */
  readonly columns: readonly string[];
  /** The column by which the rows of an answer must be ordered; undefined if the order does not matter. */
  readonly order: string | undefined;
}

export interface UnanswerableQuestion extends CommonMembers {
  readonly group: 'none';
  readonly reason: string;
}

export type EvaluationQuestion = DefinitionQuestion | SqlQuestion | UnanswerableQuestion;
