import { Link } from '@tanstack/react-router';
import { useSession } from '../../account/use-session.js';
import { Card } from '../../parts/layout/card.js';
import { AskFailure } from '../asking/ask-failure.js';
import { useAsk } from '../asking/use-ask.js';
import styles from '../style/ask.module.css';

export interface FollowUpsProps {
  readonly questions: readonly string[];
  readonly hasAnswer: boolean;
}

/** Further questions that can be answered. A signed-in user asks them with one click. */
export function FollowUps({ questions, hasAnswer }: FollowUpsProps) {
  const { state } = useSession();
  const ask = useAsk();
  return (
    <Card title={hasAnswer ? 'Ask next' : 'Similar questions that can be answered'}>
      <ul className={styles.list}>
        {questions.map((question) => (
          <li key={question} className={styles.suggestion}>
            {state === 'signed-in' ? (
              <button
                type="button"
                className={styles.fill}
                disabled={ask.isPending}
                onClick={() => ask.mutate({ text: question })}
              >
                {question}
              </button>
            ) : (
              <Link to="/ask" search={{ _question: question }}>
                {question}
              </Link>
            )}
          </li>
        ))}
      </ul>
      {ask.error !== null && <AskFailure error={ask.error} />}
    </Card>
  );
}
