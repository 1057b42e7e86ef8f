import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { SignInNotice } from '../account/sign-in-notice.js';
import { useSession } from '../account/use-session.js';
import { generateSql, sqlQuotaQuery } from '../api/generate-sql.js';
import { formatNumber } from '../parts/format/format.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import styles from './playground.module.css';

/**
 * A form that generates SQL for a question and writes it into the editor. This needs a signed-in user and counts against a quota per day.
 */
export function GenerateSql({ onSql }: { readonly onSql: (sql: string) => void }) {
  const { state, session } = useSession();
  return (
    <details className={styles.panel}>
      <summary>Write the SQL from a question</summary>
      {state === 'signed-in' ? (
        <QuestionForm onSql={onSql} />
      ) : (
        <SignInNotice state={state} purpose="get SQL for a question" />
      )}
      {session?.model === false && (
        <p className={styles.soft}>
          No language model is configured. The service writes SQL only for questions that an endpoint answers.
        </p>
      )}
    </details>
  );
}

function QuestionForm({ onSql }: { readonly onSql: (sql: string) => void }) {
  const id = useId();
  const queryClient = useQueryClient();
  const [question, setQuestion] = useState('');
  const { data: quota } = useQuery(sqlQuotaQuery);
  const generate = useMutation({
    mutationFn: generateSql,
    onSuccess: ({ sql }) => onSql(sql),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sqlQuotaQuery.queryKey }),
  });
  const left = quota === undefined ? undefined : Math.max(0, quota.limit - quota.used);
  return (
    <form
      className={styles.draftForm}
      onSubmit={(event) => {
        event.preventDefault();
        generate.mutate(question);
      }}
    >
      <label htmlFor={id}>Question</label>
      <input id={id} value={question} maxLength={512} onChange={(event) => setQuestion(event.target.value)} />
      <button type="submit" disabled={question.trim() === '' || generate.isPending || left === 0}>
        {generate.isPending ? 'Writing…' : 'Write SQL'}
      </button>
      <div aria-live="polite" className={styles.wide}>
        {quota !== undefined && (
          <p className={styles.soft}>
            {left === 0
              ? `The ${formatNumber(quota.limit)} requests of this day are used. The next ones are possible at 00:00 UTC.`
              : `${formatNumber(left ?? 0)} of ${formatNumber(quota.limit)} requests are left for this day (UTC).`}
          </p>
        )}
        {generate.error !== null && <ErrorMessage error={generate.error} />}
        {generate.data !== undefined && (
          <p>
            The editor now has SQL for: {generate.data.revisedTitle}
            {generate.data.assumption !== '' && ` Assumption: ${generate.data.assumption}`}
          </p>
        )}
      </div>
    </form>
  );
}
