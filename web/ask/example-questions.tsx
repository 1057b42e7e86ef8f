import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { definitionsQuery } from '../api/definitions.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import styles from './style/ask.module.css';

const FIRST = 6;

/** One question of each definition. A click writes the question into the text box, where the user replaces the parameters. */
export function ExampleQuestions({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const { data, error, refetch } = useQuery(definitionsQuery);
  const [isComplete, setComplete] = useState(false);
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading height={220} label="Loading the questions" />;
  const examples = data
    .filter(({ state }) => state !== 'broken')
    .flatMap(({ name, tags, questions: [question] }) =>
      question === undefined ? [] : [{ name, tag: tags[0] ?? '', question: capitalize(question) }],
    )
    .map((example, index, all) => ({ ...example, rank: rankOf(index, all) }))
    .sort((one, other) => one.rank - other.rank);
  if (examples.length === 0)
    return <p className={styles.soft}>No endpoint of this service declares questions that it answers.</p>;
  return (
    <>
      <ul className={styles.list}>
        {examples.slice(0, isComplete ? undefined : FIRST).map(({ name, question }) => (
          <li key={name} className={styles.suggestion}>
            <button type="button" className={styles.fill} onClick={() => onChoose(question)}>
              {question}
            </button>
            <Link to="/e/$name" params={{ name }} className={styles.small}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {examples.length > FIRST && (
        <button type="button" onClick={() => setComplete(!isComplete)}>
          {isComplete ? 'Show fewer' : `Show all ${examples.length}`}
        </button>
      )}
    </>
  );
}

/** Questions without parameters are first, because they can be asked at once. The other questions alternate between tags. */
function rankOf(index: number, all: readonly { readonly tag: string; readonly question: string }[]): number {
  const { tag, question } = all[index] ?? { tag: '', question: '' };
  if (!question.includes('{')) return -1;
  return all.slice(0, index).filter((one) => one.tag === tag).length;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
