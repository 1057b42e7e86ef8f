import { queryOptions } from '@tanstack/react-query';
import type { FeedbackSummary } from '../../explorer/questions/feedback.js';
import type { AnswerEngine, Question, QuestionResult, Status } from '../../explorer/questions/question.js';
import type { RecommendedQuestion } from '../../explorer/questions/recommendations.js';
import type { Tag } from '../../explorer/questions/tags.js';
import { callOperation, sendJson } from './operations.js';

export type { ErrorType } from '../../explorer/questions/error-types.js';
export type { FeedbackSummary } from '../../explorer/questions/feedback.js';
export type { Status } from '../../explorer/questions/question.js';
export type { RecommendedQuestion } from '../../explorer/questions/recommendations.js';

/** A question as `GET /explorer/questions/{questionId}/` returns it. */
export interface QuestionRecord extends Omit<Question, 'result'> {
  readonly engine: AnswerEngine | null;
  readonly queuePreceding: number;
  readonly result: (QuestionResult & { readonly stale: boolean }) | null;
}

export const MAX_QUESTION_LENGTH = 512;
export const MAX_FEEDBACK_LENGTH = 200;

export function isFinal(status: Status): boolean {
  return status === 'success' || status === 'error' || status === 'cancel';
}

/** Returns the path of a question, without a leading slash. */
export function questionPath(id: string): string {
  return `explorer/questions/${encodeURIComponent(id)}/`;
}

export function questionQuery(id: string) {
  return queryOptions({
    queryKey: ['questions', id],
    queryFn: ({ signal }) => callOperation<QuestionRecord>(questionPath(id), { signal }),
    // Never stale, because the events of the question update the data.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function askQuestion(question: string, ignoreCache: boolean): Promise<QuestionRecord> {
  return sendJson('POST', 'explorer/questions/', { question, ignoreCache });
}

export function cancelQuestion(id: string): Promise<QuestionRecord> {
  return sendJson('POST', `${questionPath(id)}cancel/`);
}

/** The query for the questions that users recommend or ask most. `generated` are the questions that the service proposes. */
export function recommendedQuery(tagId?: number) {
  return queryOptions({
    queryKey: ['recommended-questions', tagId ?? null],
    queryFn: async ({ signal }) => {
      const list = (query: string) =>
        callOperation<readonly RecommendedQuestion[]>(`explorer/questions/recommend/?${query}`, { signal });
      if (tagId !== undefined) return list(`n=${MAX_LISTED}&tagId=${tagId}`);
      const [asked, generated] = await Promise.all([list(`n=${MAX_LISTED}`), list(`n=${MAX_LISTED}&aiGenerated=true`)]);
      return [...asked, ...generated];
    },
  });
}

const MAX_LISTED = 8;

export const tagsQuery = queryOptions({
  queryKey: ['question-tags'],
  queryFn: ({ signal }) => callOperation<readonly Tag[]>('explorer/tags/', { signal }),
});

export function feedbackQuery(id: string) {
  return queryOptions({
    queryKey: ['account', 'feedback', id],
    queryFn: ({ signal }) => callOperation<FeedbackSummary>(`${questionPath(id)}feedback/`, { signal }),
  });
}

export function giveFeedback(id: string, satisfied: boolean, feedbackContent: string): Promise<unknown> {
  return sendJson('POST', `${questionPath(id)}feedback/`, { satisfied, feedbackContent });
}

export function withdrawFeedback(id: string, satisfied: boolean): Promise<unknown> {
  return sendJson('DELETE', `${questionPath(id)}feedback/?satisfied=${satisfied}`);
}
