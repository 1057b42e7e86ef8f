import { useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { useSession } from '../account/use-session.js';
import { Card } from '../parts/layout/card.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { QuestionForm, type QuestionFormHandle } from './asking/question-form.js';
import { ExampleQuestions } from './example-questions.js';
import { RecommendedQuestions } from './recommended-questions.js';
import styles from './style/ask.module.css';

/** A question in natural language, and questions of other people. */
export function AskPage() {
  const { _question: prefilled } = useSearch({ from: '/ask' });
  const { session } = useSession();
  const form = useRef<QuestionFormHandle>(null);
  const fill = (text: string) => form.current?.fill(text);
  return (
    <article className={styles.page}>
      <PageHeader
        title="Ask"
        description="Write a question about repositories, people or collections. You get rows, a chart, the SQL and everything that was assumed."
      />
      <QuestionForm
        key={prefilled}
        ref={form}
        label="Your question"
        {...(prefilled !== undefined && { initialText: prefilled })}
      />
      <p className={styles.engine}>{session === undefined ? ' ' : howAnswered(session.model)}</p>
      <div className={styles.columns}>
        <Card title="Questions with answers">
          <RecommendedQuestions onChoose={fill} />
        </Card>
        <Card title="Questions that endpoints answer">
          <ExampleQuestions onChoose={fill} />
        </Card>
      </div>
    </article>
  );
}

function howAnswered(hasModel: boolean): string {
  return hasModel
    ? 'Endpoints answer questions that they know. A language model writes the SQL for all other questions; this SQL runs with the limits of the playground.'
    : 'This service has no language model. It answers only questions that one of its endpoints answers, and declines all others.';
}
