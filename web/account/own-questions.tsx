import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Status } from '../../explorer/questions/question.js';
import { type ListedQuestion, ownQuestionsQuery } from '../api/account.js';
import { formatTime } from '../parts/format/format.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import styles from './account.module.css';

/** The questions of the user, newest first, with links to their answers. */
export function OwnQuestions() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(ownQuestionsQuery);
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading height={160} label="Loading your questions" />;
  const questions = data.pages.flatMap((page) => page.questions);
  if (questions.length === 0)
    return (
      <p className={styles.text}>
        You have not asked a question yet. <Link to="/ask">Ask a question</Link>
      </p>
    );
  return (
    <>
      <ul className={styles.list}>
        {questions.map((question) => (
          <Question key={question.id} question={question} />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
          {isFetchingNextPage ? 'Loading…' : 'Show older questions'}
        </button>
      )}
    </>
  );
}

function Question({ question: { id, title, status, createdAt } }: { readonly question: ListedQuestion }) {
  return (
    <li className={styles.item}>
      <Link to="/ask/$question" params={{ question: id }} className={styles.grow}>
        {title}
      </Link>
      <span className={styles.status} data-status={STATES[status].tone}>
        {STATES[status].label}
      </span>
      <time className={styles.soft} dateTime={createdAt}>
        {formatTime(createdAt)}
      </time>
    </li>
  );
}

const IN_PROGRESS = { label: '… In progress', tone: 'open' } as const;

const STATES: Readonly<Record<Status, { readonly label: string; readonly tone: string }>> = {
  new: IN_PROGRESS,
  answer_generating: IN_PROGRESS,
  sql_validating: IN_PROGRESS,
  waiting: IN_PROGRESS,
  running: IN_PROGRESS,
  success: { label: '✓ Answered', tone: 'good' },
  error: { label: '✗ No answer', tone: 'bad' },
  cancel: { label: '– Cancelled', tone: 'none' },
};
