import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { endAllSessions, endSession, type ListedSession, sessionsQuery } from '../api/account.js';
import { formatTime } from '../parts/format/format.js';
import { Badge } from '../parts/layout/badge.js';
import { Button } from '../parts/layout/button.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import styles from './account.module.css';
import { useForgetSession } from './use-session.js';

/** The browsers in which the user is signed in. Each session can be ended, or all of them. */
export function Sessions() {
  const queryClient = useQueryClient();
  const forgetSession = useForgetSession();
  const list = useRef<HTMLUListElement>(null);
  const { data, error, refetch } = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: ({ id }: ListedSession) => endSession(id),
    onSuccess: async (_, { current }) => {
      if (current) return forgetSession();
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      // The button that had the focus is removed with its session.
      list.current?.focus();
    },
  });
  const endAll = useMutation({ mutationFn: endAllSessions, onSuccess: forgetSession });
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading height={96} label="Loading your sessions" />;
  const failure = end.error ?? endAll.error;
  const isPending = end.isPending || endAll.isPending;
  return (
    <>
      <ul className={styles.list} aria-label="Your sessions" ref={list} tabIndex={-1}>
        {data.map((session) => (
          <Item key={session.id} session={session} isPending={isPending} onEnd={() => end.mutate(session)} />
        ))}
      </ul>
      <p className={styles.soft} role="status">
        {end.isSuccess && 'The session was ended.'}
      </p>
      {failure !== null && <ErrorMessage error={failure} />}
      <div className={styles.actions}>
        <Button onClick={() => endAll.mutate()} disabled={isPending}>
          Sign out everywhere
        </Button>
        <span className={styles.soft}>
          Also ends this session. Tokens and API keys of programs stay valid until they expire.
        </span>
      </div>
    </>
  );
}

interface ItemProps {
  readonly session: ListedSession;
  readonly isPending: boolean;
  readonly onEnd: () => void;
}

function Item({ session: { id, begunAt, lastSeenAt, expiresAt, current }, isPending, onEnd }: ItemProps) {
  const begun = begunAt === null ? 'at an unknown time' : formatTime(begunAt);
  return (
    <li className={styles.item}>
      <span className={styles.grow}>
        Signed in {begun} {current && <Badge>this browser</Badge>}
        <span className={styles.details}>
          {lastSeenAt !== null && `Last used about ${formatTime(lastSeenAt)} · `}
          Expires {formatTime(expiresAt)} without further use
        </span>
      </span>
      <Button size="small" onClick={onEnd} disabled={isPending} aria-label={`Sign out the session ${id} of ${begun}`}>
        Sign out
      </Button>
    </li>
  );
}
