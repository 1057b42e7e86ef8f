import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useSession } from '../../account/use-session.js';
import { feedbackQuery, giveFeedback, MAX_FEEDBACK_LENGTH, withdrawFeedback } from '../../api/questions.js';
import { formatNumber } from '../../parts/format/format.js';
import { ErrorMessage } from '../../parts/messages/error-message.js';
import styles from '../style/ask.module.css';

/** The feedback of the signed-in user about an answer, and the counts of all users. */
export function Feedback({ id }: { readonly id: string }) {
  const { state } = useSession();
  const queryClient = useQueryClient();
  const textId = useId();
  const isEnabled = state === 'signed-in';
  const { data, error } = useQuery({ ...feedbackQuery(id), enabled: isEnabled });
  const [text, setText] = useState('');
  const refresh = () => queryClient.invalidateQueries({ queryKey: feedbackQuery(id).queryKey });
  const give = useMutation({
    mutationFn: (satisfied: boolean) => giveFeedback(id, satisfied, text),
    onSuccess: () => setText(''),
    onSettled: refresh,
  });
  const withdraw = useMutation({
    mutationFn: (satisfied: boolean) => withdrawFeedback(id, satisfied),
    onSettled: refresh,
  });
  if (!isEnabled) return null;
  const own = data?.own ?? null;
  const isPending = data === undefined || give.isPending || withdraw.isPending;
  const failure = give.error ?? withdraw.error ?? error;
  return (
    <section className={styles.feedback} aria-label="Feedback">
      {own === null ? (
        <>
          <label htmlFor={textId}>Is this answer correct?</label>
          <div className={styles.feedbackBar}>
            <input
              id={textId}
              value={text}
              maxLength={MAX_FEEDBACK_LENGTH}
              placeholder="What is good or wrong (optional)"
              onChange={(event) => setText(event.target.value)}
            />
            <button type="button" disabled={isPending} onClick={() => give.mutate(true)}>
              ✓ Yes
            </button>
            <button type="button" disabled={isPending} onClick={() => give.mutate(false)}>
              ✗ No
            </button>
          </div>
          <span className={styles.soft}>Only trusted users can read the text.</span>
        </>
      ) : (
        <div className={styles.feedbackBar} role="status">
          <span>
            You said: {own.satisfied ? 'correct' : 'not correct'}
            {own.feedbackContent !== '' && ` · “${own.feedbackContent}”`}
          </span>
          <button type="button" disabled={isPending} onClick={() => withdraw.mutate(own.satisfied)}>
            Undo
          </button>
        </div>
      )}
      {data !== undefined && data.satisfied + data.unsatisfied > 1 && (
        <p className={styles.soft}>
          {formatNumber(data.satisfied)} of {formatNumber(data.satisfied + data.unsatisfied)} users say that the answer
          is correct.
        </p>
      )}
      {failure !== null && <ErrorMessage error={failure} />}
    </section>
  );
}
