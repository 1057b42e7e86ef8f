import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { changeSubscription, subscriptionsQuery } from '../api/account.js';
import { Button } from '../parts/layout/button.js';
import styles from './account.module.css';
import { type SignInState, useSession } from './use-session.js';

/** A button that subscribes the signed-in user to a repository (`owner/name`), or ends the subscription. */
export function SubscribeButton({ fullName }: { readonly fullName: string }) {
  const { state } = useSession();
  const queryClient = useQueryClient();
  const reasonId = useId();
  const { data, error } = useQuery({ ...subscriptionsQuery, enabled: state === 'signed-in' });
  const isSubscribed = data?.some(({ repoName }) => repoName.toLowerCase() === fullName.toLowerCase()) === true;
  const change = useMutation({
    mutationFn: () => changeSubscription(fullName, !isSubscribed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: subscriptionsQuery.queryKey }),
  });
  const failure = change.error ?? error;
  const reason = failure === null ? REASONS[state] : failure.message;
  const canChange = data !== undefined && !change.isPending;
  return (
    <span className={styles.subscribe}>
      <Button
        icon={isSubscribed ? 'check' : 'bell'}
        className={styles.toggle}
        aria-pressed={isSubscribed}
        // A `disabled` button cannot have the focus, so keyboard users could not read the reason.
        aria-disabled={!canChange}
        aria-describedby={reason === undefined ? undefined : reasonId}
        onClick={() => canChange && change.mutate()}
      >
        {isSubscribed ? 'Subscribed' : 'Subscribe'}
      </Button>
      {reason !== undefined && (
        <span id={reasonId} className={styles.reason} role={failure === null ? undefined : 'alert'}>
          {reason}
        </span>
      )}
    </span>
  );
}

const REASONS: Readonly<Partial<Record<SignInState, string>>> = {
  'signed-out': 'Sign in to subscribe.',
  unavailable: 'Sign-in is not configured.',
};
