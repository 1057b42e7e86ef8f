import { Link } from '@tanstack/react-router';
import type { ErrorType, QuestionRecord } from '../../api/questions.js';
import { Message } from '../../parts/messages/message.js';

/** Why a question has no answer, and what the user can do. */
export function QuestionFailure({ record: { status, errorType, error } }: { readonly record: QuestionRecord }) {
  if (status === 'cancel')
    return (
      <Message role="status" title="The question was cancelled">
        <p>It did not get an answer. Ask it again if you still need it.</p>
      </Message>
    );
  const { title, next } = EXPLANATIONS[errorType ?? 'error-unknown'];
  return (
    <Message tone={errorType === 'error-empty-result' ? 'warning' : 'danger'} role="alert" title={title}>
      {error !== null && <p>{error}</p>}
      <p>
        <b>Next step:</b> {next}
      </p>
      <p>
        <Link to="/e">See all endpoints</Link> or <Link to="/playground">write SQL in the playground</Link>
      </p>
    </Message>
  );
}

const EXPLANATIONS: Readonly<Record<ErrorType, { readonly title: string; readonly next: string }>> = {
  'error-sql-can-not-answer': {
    title: 'This question cannot be answered from the data',
    next: 'Choose one of the similar questions below, or name the repository, the period and the number that you need.',
  },
  'error-answer-generate': {
    title: 'The language model did not answer',
    next: 'Ask again in a few minutes. If it fails again, an operator has to check the model.',
  },
  'error-answer-parse': {
    title: 'The answer of the language model cannot be used',
    next: 'Ask again, or use simpler words.',
  },
  'error-validate-sql': {
    title: 'The SQL of the language model is not allowed or not correct',
    next: 'Ask for one thing at a time, or correct the SQL in the playground.',
  },
  'error-validate-chart': {
    title: 'The proposed chart does not fit the result',
    next: 'The rows are complete; the page shows another chart.',
  },
  'error-query-execute': {
    title: 'The database could not run the query',
    next: 'Ask the question in other words, or correct the SQL in the playground.',
  },
  'error-query-timeout': {
    title: 'The query took too long',
    next: 'Ask about a shorter period, or about one repository.',
  },
  'error-empty-result': {
    title: 'The query has no rows',
    next: 'Check the names in the question, or ask about a longer period. A repository can be missing from this data set.',
  },
  'error-question-too-long': { title: 'The question is too long', next: 'Use at most 512 characters.' },
  'error-unknown': {
    title: 'The service failed to answer',
    next: 'Ask again. If it fails again, send the address of this page to an operator: the log contains the cause.',
  },
};
