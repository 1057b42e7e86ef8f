import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { digestQuery, enableDigest, type UserDigest } from '../api/account.js';
import { formatTime } from '../parts/format/format.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import styles from './account.module.css';

/** The switch for the weekly digest by e-mail, and when the next one is due. */
export function DigestSetting() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(digestQuery);
  const change = useMutation({
    mutationFn: enableDigest,
    onSuccess: (answer) => queryClient.setQueryData(digestQuery.queryKey, answer),
  });
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading height={48} label="Loading the setting" />;
  const isEnabled = change.isPending ? change.variables : data.timeZone !== null;
  return (
    <>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={isEnabled}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.target.checked)}
        />
        <span>A weekly e-mail about your subscriptions</span>
      </label>
      <p className={styles.soft} aria-live="polite">
        {change.isPending ? 'Saving…' : stateOf(data)}
      </p>
      {change.error !== null && <ErrorMessage error={change.error} />}
    </>
  );
}

function stateOf({ hasAddress, timeZone, nextAt, undeliverableSince }: UserDigest): string {
  if (!hasAddress) return 'Your account has no verified e-mail address, so no e-mail is sent.';
  if (undeliverableSince !== null) {
    return `The mail server rejected your address on ${formatTime(undeliverableSince)}. Correct it where you sign in, then turn this off and on.`;
  }
  if (nextAt === null) return 'Off';
  return `On. The next one is due on ${formatTime(nextAt)} (Mondays at 8:00 in ${timeZone}), if anything changed.`;
}
