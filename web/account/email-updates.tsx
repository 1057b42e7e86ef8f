import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { emailUpdatesQuery, setEmailUpdates } from '../api/account.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import styles from './account.module.css';

/** The setting for updates by e-mail. */
export function EmailUpdates() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(emailUpdatesQuery);
  const change = useMutation({
    mutationFn: setEmailUpdates,
    onSuccess: (answer) => queryClient.setQueryData(emailUpdatesQuery.queryKey, answer),
  });
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading height={48} label="Loading the setting" />;
  const isEnabled = change.isPending ? change.variables : data.emailGetUpdates;
  return (
    <>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={isEnabled}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.target.checked)}
        />
        <span>Updates about your subscriptions by e-mail</span>
      </label>
      <p className={styles.soft} aria-live="polite">
        {isEnabled ? 'On' : 'Off'}
        {change.isPending ? ' (saving)' : change.isSuccess ? ' (saved)' : ''}
      </p>
      {change.error !== null && <ErrorMessage error={change.error} />}
    </>
  );
}
