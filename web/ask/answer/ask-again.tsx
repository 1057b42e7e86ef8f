import { useSession } from '../../account/use-session.js';
import type { QuestionRecord } from '../../api/questions.js';
import { Button } from '../../parts/layout/button.js';
import { AskFailure } from '../asking/ask-failure.js';
import { useAsk } from '../asking/use-ask.js';
import styles from '../style/ask.module.css';

/** A button that asks the same question again, without the stored answer. */
export function AskAgain({ record: { title, hitCache, status } }: { readonly record: QuestionRecord }) {
  const { state } = useSession();
  const ask = useAsk();
  if (state !== 'signed-in') return null;
  return (
    <div className={styles.again}>
      <Button icon="refresh" disabled={ask.isPending} onClick={() => ask.mutate({ text: title, ignoreCache: true })}>
        {ask.isPending ? 'Asking…' : 'Ask again'}
      </Button>
      <span className={styles.soft}>
        {hitCache && 'This is a stored answer. '}
        {status === 'success' ? 'The query runs again on the current data.' : 'The service tries to answer again.'}
      </span>
      {ask.error !== null && <AskFailure error={ask.error} />}
    </div>
  );
}
