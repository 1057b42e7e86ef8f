import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useId, useState } from 'react';
import { changeSubscription, repositorySearchQuery, type Subscription, subscriptionsQuery } from '../api/account.js';
import { formatTime } from '../parts/format/format.js';
import { Button } from '../parts/layout/button.js';
import { repositoryPath } from '../parts/links/entity-links.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import styles from './account.module.css';

/** The subscriptions of the user: a search that adds one, and the list. */
export function Subscriptions() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(subscriptionsQuery);
  const change = useMutation({
    mutationFn: ({ name, isSubscribed }: { readonly name: string; readonly isSubscribed: boolean }) =>
      changeSubscription(name, isSubscribed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: subscriptionsQuery.queryKey }),
  });
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading height={160} label="Loading your subscriptions" />;
  const names = new Set(data.map(({ repoName }) => repoName.toLowerCase()));
  return (
    <>
      <RepositorySearch subscribed={names} onAdd={(name) => change.mutate({ name, isSubscribed: true })} />
      {change.error !== null && <ErrorMessage error={change.error} />}
      {data.length === 0 ? (
        <p className={styles.text}>You follow no repository yet. Search for one, or use the button on its page.</p>
      ) : (
        <ul className={styles.list} aria-label="Repositories that you follow">
          {data.map((one) => (
            <Item
              key={one.repoId}
              subscription={one}
              onRemove={() => change.mutate({ name: one.repoName, isSubscribed: false })}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function Item({ subscription, onRemove }: { readonly subscription: Subscription; readonly onRemove: () => void }) {
  const { repoName, subscribedAt } = subscription;
  return (
    <li className={styles.item}>
      <Link to={repositoryPath(repoName)} className={styles.grow}>
        {repoName}
      </Link>
      {subscribedAt !== null && (
        <time className={styles.soft} dateTime={subscribedAt}>
          since {formatTime(subscribedAt)}
        </time>
      )}
      <Button size="small" onClick={onRemove} aria-label={`Unsubscribe from ${repoName}`}>
        Unsubscribe
      </Button>
    </li>
  );
}

interface SearchProps {
  /** The names of the subscriptions, in lower case. */
  readonly subscribed: ReadonlySet<string>;
  readonly onAdd: (fullName: string) => void;
}

function RepositorySearch({ subscribed, onAdd }: SearchProps) {
  const id = useId();
  const [text, setText] = useState('');
  const keyword = useDeferredValue(text.trim());
  const { data, error, isFetching } = useQuery(repositorySearchQuery(keyword));
  const isAsked = keyword.length > 1;
  const found = isAsked ? (data ?? []) : [];
  return (
    <div className={styles.search}>
      <label htmlFor={id}>Add a repository</label>
      <input
        id={id}
        type="search"
        value={text}
        maxLength={100}
        placeholder="owner/name"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <p className={styles.soft} role="status">
        {isAsked && data !== undefined && !isFetching && `${found.length} found`}
      </p>
      {error !== null && <ErrorMessage error={error} />}
      <ul className={styles.list}>
        {found.map(({ id: repoId, fullName }) => (
          <li key={repoId} className={styles.item}>
            <span className={styles.grow}>{fullName}</span>
            {subscribed.has(fullName.toLowerCase()) ? (
              <span className={styles.soft}>✓ Subscribed</span>
            ) : (
              <Button size="small" onClick={() => onAdd(fullName)} aria-label={`Subscribe to ${fullName}`}>
                Subscribe
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
