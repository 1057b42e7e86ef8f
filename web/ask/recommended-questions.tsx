import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { recommendedQuery, tagsQuery } from '../api/questions.js';
import { formatNumber } from '../parts/format/format.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import styles from './style/ask.module.css';

/** The questions that people recommend or ask most. A click on a question without an answer writes it into the text box. */
export function RecommendedQuestions({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const [tagId, setTagId] = useState<number>();
  const { data: tags = [] } = useQuery(tagsQuery);
  const { data, error, refetch } = useQuery(recommendedQuery(tagId));
  return (
    <>
      {tags.length > 0 && (tagId !== undefined || (data?.length ?? 0) > 0) && (
        <fieldset className={styles.tags}>
          <legend className={styles.soft}>Topic</legend>
          <Tag label="All" isChosen={tagId === undefined} onChoose={() => setTagId(undefined)} />
          {tags.map(({ id, name }) => (
            <Tag key={id} label={name} isChosen={tagId === id} onChoose={() => setTagId(id)} />
          ))}
        </fieldset>
      )}
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading height={160} label="Loading the questions" />}
      {data?.length === 0 && (
        <p className={styles.soft}>
          {tagId === undefined
            ? 'No question is shared yet. A question appears here when several people get its answer, or when a trusted user recommends it.'
            : 'No question has this topic.'}
        </p>
      )}
      <ul className={styles.list}>
        {data?.map(({ hash, title, questionId, recommended, asked, aiGenerated }) => (
          <li key={hash} className={styles.suggestion}>
            {questionId === null ? (
              <button type="button" className={styles.fill} onClick={() => onChoose(title)}>
                {title}
              </button>
            ) : (
              <Link to="/ask/$question" params={{ question: questionId }}>
                {title}
              </Link>
            )}
            <span className={styles.soft}>
              {[
                recommended && 'recommended',
                aiGenerated && 'proposed by the service, not answered yet',
                asked > 1 && `${formatNumber(asked)} people`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface TagProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Tag({ label, isChosen, onChoose }: TagProps) {
  return (
    <button type="button" className={styles.tag} aria-pressed={isChosen} onClick={onChoose}>
      {label}
    </button>
  );
}
