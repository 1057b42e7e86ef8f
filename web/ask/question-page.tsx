import { Link, useParams } from '@tanstack/react-router';
import { isFinal, type QuestionRecord } from '../api/questions.js';
import { formatTime } from '../parts/format/format.js';
import { Card } from '../parts/layout/card.js';
import { CopyButton } from '../parts/layout/copy-button.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { AnswerFacts } from './answer/answer-facts.js';
import { AnswerResult } from './answer/answer-result.js';
import { AskAgain } from './answer/ask-again.js';
import { Feedback } from './answer/feedback.js';
import { FollowUps } from './answer/follow-ups.js';
import { QuestionFailure } from './answer/question-failure.js';
import { QuestionForm } from './asking/question-form.js';
import { QuestionProgress } from './following/question-progress.js';
import { useQuestion } from './following/use-question.js';
import styles from './style/ask.module.css';

/** A question, its progress, and its answer. Anyone who knows the address can read it. */
export function QuestionPage() {
  const { question: id } = useParams({ from: '/ask/$question' });
  const { record, error, connection, refetch } = useQuestion(id);
  return (
    <article className={styles.page}>
      <p className={styles.back}>
        <Link to="/ask">← All questions</Link>
      </p>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {record === undefined && error === null && <Loading height={400} label="Loading the question" />}
      {record !== undefined && (
        <>
          <Head record={record} />
          {!isFinal(record.status) && <QuestionProgress record={record} connection={connection} />}
          {isFinal(record.status) && <Answer record={record} />}
        </>
      )}
      <Card title="Ask another question">
        <QuestionForm key={id} label="Your question" />
      </Card>
    </article>
  );
}

function Head({ record: { title, revisedTitle, createdAt } }: { readonly record: QuestionRecord }) {
  return (
    <header className={styles.head}>
      <h1>{title}</h1>
      {revisedTitle !== null && !isSameText(revisedTitle, title) && (
        <p>
          <span className={styles.soft}>Understood as: </span>
          {revisedTitle}
        </p>
      )}
      <div className={styles.headBar}>
        <span className={styles.soft}>asked {formatTime(createdAt)}</span>
        <CopyButton text={() => location.href} label="Copy link" isLabelled />
      </div>
    </header>
  );
}

function Answer({ record }: { readonly record: QuestionRecord }) {
  const { status, id, recommendedQuestions } = record;
  return (
    <>
      {status !== 'success' && <QuestionFailure record={record} />}
      <AnswerResult record={record} />
      <AnswerFacts record={record} />
      {status === 'success' && <Feedback id={id} />}
      {recommendedQuestions.length > 0 && (
        <FollowUps questions={recommendedQuestions} hasAnswer={status === 'success'} />
      )}
      <AskAgain record={record} />
    </>
  );
}

function isSameText(one: string, other: string): boolean {
  const fold = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[\s.?!]+/g, ' ')
      .trim();
  return fold(one) === fold(other);
}
