import { exactObject } from '../../engine/http/json-schema.js';
import type { PersonalOperation } from '../../engine/http/operations/operation.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import type { QuestionFeedback } from '../../explorer/questions/feedback.js';
import { QUESTION_PARAMETER, throwIfAbsent } from './question-parameter.js';

/** The operations for feedback of users about the answer to a question. */
export function feedbackOperations(feedback: QuestionFeedback): PersonalOperation[] {
  return [
    {
      ...COMMON,
      id: 'get-feedback',
      method: 'get',
      summary: 'Counts the feedback about an answer',
      description: 'Only trusted users get the feedback of other users, because it contains free text.',
      answer: SUMMARY,
      handle: async ({ parameters, caller }) => ({
        body: await feedback.summarize(String(parameters.questionId), caller).catch(throwIfAbsent),
      }),
    },
    {
      ...COMMON,
      id: 'give-feedback',
      method: 'post',
      summary: 'Gives feedback about an answer',
      description: 'It replaces the earlier feedback of the user about this answer.',
      body: requestSchema('feedback'),
      answer: FEEDBACK,
      handle: async ({ parameters, body, caller, now }) => {
        const { satisfied, feedbackContent = '' } = body as { satisfied: boolean; feedbackContent?: string };
        const questionId = String(parameters.questionId);
        const given = feedback.give({ questionId, userId: caller.id, satisfied, feedbackContent }, now);
        return { body: await given.catch(throwIfAbsent) };
      },
    },
    {
      ...COMMON,
      id: 'withdraw-feedback',
      method: 'delete',
      summary: 'Withdraws the feedback of the signed-in user about an answer',
      description: 'Changes nothing if the feedback of the user has another value of `satisfied`, or does not exist.',
      parameters: { ...QUESTION_PARAMETER, satisfied: SATISFIED },
      answer: exactObject('WithdrawnFeedback', {
        withdrawn: { type: 'boolean', description: 'Whether this request deleted feedback.' },
      }),
      handle: async ({ parameters, caller, now }) => {
        const own = {
          questionId: String(parameters.questionId),
          userId: caller.id,
          satisfied: parameters.satisfied === true,
        };
        return { body: { withdrawn: await feedback.withdraw(own, now).catch(throwIfAbsent) } };
      },
    },
  ];
}

const SATISFIED = {
  in: 'query',
  type: 'boolean',
  required: true,
  description: 'The value of the feedback that is withdrawn.',
  example: true,
} as const;

const FEEDBACK_MEMBERS = {
  questionId: { type: 'string', format: 'uuid' },
  userId: { type: 'integer' },
  satisfied: { type: 'boolean' },
  feedbackContent: { type: 'string', description: 'Empty if the user wrote nothing.' },
  createdAt: { type: 'string', format: 'date-time' },
};

export const FEEDBACK = exactObject('Feedback', FEEDBACK_MEMBERS);

const COUNT = { type: 'integer', minimum: 0 };

const SUMMARY = exactObject('FeedbackSummary', {
  satisfied: { ...COUNT, description: 'The number of users that are satisfied with the answer.' },
  unsatisfied: { ...COUNT, description: 'The number of users that are not satisfied with the answer.' },
  own: {
    ...exactObject('OwnFeedback', FEEDBACK_MEMBERS),
    type: ['object', 'null'],
    description: 'The feedback of the signed-in user; null if the user gave none.',
  },
  others: {
    type: 'array',
    items: FEEDBACK,
    description: 'Up to 100 texts of other users, newest first; empty if the signed-in user is not trusted.',
  },
});

const COMMON = {
  access: 'signed-in',
  tag: 'Explorer',
  path: '/explorer/questions/{questionId}/feedback/',
  parameters: QUESTION_PARAMETER,
  errors: ['question_not_found'],
} as const;
