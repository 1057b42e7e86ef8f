import { Link, useParams } from '@tanstack/react-router';
import { RepoInsightError } from '../api/generated/client.js';
import { isFinal, type QuestionRecord } from '../api/questions.js';
import { formatTime } from '../parts/format/format.js';
import { Card } from '../parts/layout/card.js';
import { CopyButton } from '../parts/layout/copy-button.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { Empty } from '../parts/messages/empty.js';
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

/** A question, its progress, and its answer. Anyone who knows the URL can read the page. */
export function QuestionPage() {
  const { question: id } = useParams({ from: '/ask/$question' });
  const { record, error, connection, retry } = useQuestion(id);
  if (error instanceof RepoInsightError && error.status === 404) return <NoQuestion />;
  return (
    <article className={styles.page}>
      {error !== null && <ErrorMessage error={error} onRetry={retry} />}
      {record === undefined && error === null && <Loading height={400} label="Loading the question" />}
      {record !== undefined && (
        <>
          <Head record={record} />
          {!isFinal(record.status) && <QuestionProgress record={record} connection={connection} />}
          {isFinal(record.status) && <Answer record={record} />}
        </>
      )}
      <Card>
        <QuestionForm key={id} label="Ask another question" />
      </Card>
    </article>
  );
}

function NoQuestion() {
  return (
    <article className={styles.page}>
      <PageHeader title="Question not found" eyebrow={<Link to="/ask">← All questions</Link>} />
      <Empty title="There is no question at this address">
        Check the address. Questions are deleted after some time, and with the account of their author.
      </Empty>
    </article>
  );
}

function Head({ record: { title, revisedTitle, createdAt } }: { readonly record: QuestionRecord }) {
  const isLong = title.length > LONG_TITLE;
  return (
    <PageHeader
      title={isLong ? <span className={styles.longTitle}>{title}</span> : title}
      windowTitle={title}
      eyebrow={<Link to="/ask">← All questions</Link>}
      actions={<CopyButton text={() => location.href} label="Copy the link" isLabelled />}
    >
      {revisedTitle !== null && !isSameText(revisedTitle, title) && (
        <p className={styles.revised}>
          <span className={styles.soft}>Understood as: </span>
          {revisedTitle}
        </p>
      )}
      <p className={styles.soft}>Asked {formatTime(createdAt)}</p>
    </PageHeader>
  );
}

/** The maximum length of a title in the large font. */
const LONG_TITLE = 100;

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
