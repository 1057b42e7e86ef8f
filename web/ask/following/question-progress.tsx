import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../../account/use-session.js';
import { cancelQuestion, type QuestionRecord, questionQuery, type Status } from '../../api/questions.js';
import { formatNumber } from '../../parts/format/format.js';
import { HiddenText } from '../../parts/layout/hidden-text.js';
import { ErrorMessage } from '../../parts/messages/error-message.js';
import styles from '../style/ask.module.css';
import type { Connection } from './follow-question.js';

const STAGES = [
  { status: 'new', label: 'Accepted' },
  { status: 'answer_generating', label: 'Looking for an answer' },
  { status: 'sql_validating', label: 'Checking the SQL' },
  { status: 'waiting', label: 'Waiting for the database' },
  { status: 'running', label: 'Running the query' },
] as const satisfies readonly { readonly status: Status; readonly label: string }[];

/** The stages of a question that has no answer yet. */
export function QuestionProgress({
  record,
  connection,
}: {
  readonly record: QuestionRecord;
  readonly connection: Connection;
}) {
  const { status, queuePreceding } = record;
  const current = STAGES.findIndex((stage) => stage.status === status);
  return (
    <section className={styles.progress} aria-label="Progress">
      <ol>
        {STAGES.map(({ label }, index) => (
          <li
            key={label}
            data-state={index < current ? 'done' : index === current ? 'current' : 'open'}
            aria-current={index === current ? 'step' : undefined}
          >
            <span aria-hidden="true">{index < current ? '✓' : index === current ? '●' : '○'}</span> {label}
          </li>
        ))}
      </ol>
      <p role="status" className={styles.soft}>
        <HiddenText>{STAGES[current]?.label ?? status}. </HiddenText>
        {queuePreceding > 0 && `${formatNumber(queuePreceding)} questions before this one`}
        {CONNECTIONS[connection]}
      </p>
      <Cancel id={record.id} />
    </section>
  );
}

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  events: '',
  reconnecting: 'The connection was interrupted. Connecting again…',
  polling: 'No live updates; the page asks every two seconds.',
};

/** A button that cancels the question. The service checks that the user is the author. */
function Cancel({ id }: { readonly id: string }) {
  const { state } = useSession();
  const queryClient = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelQuestion(id),
    onSuccess: (record) => queryClient.setQueryData(questionQuery(id).queryKey, record),
  });
  if (state !== 'signed-in') return null;
  return (
    <>
      <button type="button" onClick={() => cancel.mutate()} disabled={cancel.isPending}>
        Cancel
      </button>
      {cancel.error !== null && <ErrorMessage error={cancel.error} />}
    </>
  );
}
