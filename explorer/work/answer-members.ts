import type { PreparedAnswer } from '../answers/prepare-answer.js';
import type { Proposal } from '../answers/proposal.js';
import type { QuestionError } from '../questions/error-types.js';
import { hashText } from '../questions/question-text.js';
import type { QuestionChange } from '../questions/write-question.js';

/** Members of a question that a step of its work sets. */
export type Members = Partial<Omit<QuestionChange, 'status'>>;

/** What a proposal states about a question. */
export function textsOf(proposal: Proposal): Members {
  const { engine, revisedTitle, notClear, assumption, combinedTitle, recommendedQuestions } = proposal;
  const texts = { revisedTitle, notClear, assumption, combinedTitle, recommendedQuestions, engines: [engine] };
  if (proposal.engine === 'catalogue') return { ...texts, definition: proposal.definition };
  const { sql, answer, chart } = proposal;
  return { ...texts, querySQL: sql, queryHash: hashText(sql), answer, proposedChart: chart };
}

/** The query of a prepared answer. */
export function queryOf({ sql, lane, plan }: PreparedAnswer): Members {
  return { sqlCanAnswer: true, querySQL: sql, queryHash: hashText(sql), lane, plan };
}

/** Why a question has no answer. */
export function failureOf({ type, message, details }: QuestionError): Members {
  const cannotAnswer = type === 'error-sql-can-not-answer' ? { sqlCanAnswer: false } : {};
  return { errorType: type, error: message, recommendedQuestions: details.recommendedQuestions ?? [], ...cannotAnswer };
}
