import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { createKey, keysQuery, type NewUserKey, revokeKey, type UserKey } from '../api/account.js';
import { formatTime } from '../parts/format/format.js';
import { Badge } from '../parts/layout/badge.js';
import { Button } from '../parts/layout/button.js';
import { CodeBlock } from '../parts/layout/code-block.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { Message } from '../parts/messages/message.js';
import styles from './account.module.css';

/** The API keys of the user. Keys can be created and revoked. */
export function Keys() {
  const queryClient = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const [created, setCreated] = useState<NewUserKey>();
  const [isRevoked, setIsRevoked] = useState(false);
  const [toRevoke, setToRevoke] = useState<UserKey>();
  const { data, error, refetch } = useQuery(keysQuery);
  const refresh = () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading height={96} label="Loading your API keys" />;
  const onCreated = (key: NewUserKey) => {
    setCreated(key);
    setIsRevoked(false);
    return refresh();
  };
  const onRevoked = async ({ id }: UserKey) => {
    if (created?.id === id) setCreated(undefined);
    await refresh();
    setIsRevoked(true);
    setToRevoke(undefined);
    // The button that had the focus is removed with its key.
    list.current?.focus();
  };
  return (
    <>
      <p className={styles.text}>
        A key lets your scripts and MCP clients read data and ask questions as you. It cannot change your account.
      </p>
      <ul className={styles.list} aria-label="Your API keys" ref={list} tabIndex={-1}>
        {data.map((key) => (
          <Item key={key.id} of={key} onRevoke={() => setToRevoke(key)} />
        ))}
      </ul>
      <p className={styles.soft} role="status">
        {isRevoked ? 'The key was revoked.' : data.length === 0 && 'You have no API key.'}
      </p>
      {created !== undefined && <Secret of={created} onDone={() => setCreated(undefined)} />}
      <KeyForm onCreated={onCreated} />
      {toRevoke !== undefined && (
        <RevocationDialog of={toRevoke} onClose={() => setToRevoke(undefined)} onRevoked={onRevoked} />
      )}
    </>
  );
}

interface OfKey {
  readonly of: UserKey;
}

function Item({
  of: { id, name, createdAt, expiresAt, expired, lastUsedAt },
  onRevoke,
}: OfKey & { readonly onRevoke: () => void }) {
  return (
    <li className={styles.item}>
      <span className={styles.grow}>
        {name} <code>{id}</code> {expired && <Badge>expired</Badge>}
        <span className={styles.details}>
          Created {formatTime(createdAt)} · {expired ? 'Expired' : 'Expires'} {formatTime(expiresAt)} ·{' '}
          {lastUsedAt === null ? 'Never used' : `Last used ${formatTime(lastUsedAt)}`}
        </span>
      </span>
      <Button size="small" onClick={onRevoke} aria-label={`Revoke the key ${name}, ${id}`}>
        Revoke
      </Button>
    </li>
  );
}

/** The secret of a new key, which the service cannot show again. */
function Secret({ of: { name, secret }, onDone }: { readonly of: NewUserKey; readonly onDone: () => void }) {
  const actions = (
    <Button size="small" onClick={onDone}>
      Hide the secret
    </Button>
  );
  return (
    <Message tone="good" role="status" title={`The key ${name} was created.`} actions={actions}>
      <p>Copy the secret now: the service does not store it, and cannot show it again.</p>
      <CodeBlock label="Secret of the key" text={secret} />
    </Message>
  );
}

function KeyForm({ onCreated }: { readonly onCreated: (key: NewUserKey) => Promise<void> }) {
  const id = useId();
  const [name, setName] = useState('');
  const [days, setDays] = useState(DEFAULT_DAYS);
  const creation = useMutation({
    mutationFn: () => createKey(name.trim(), Number(days)),
    onSuccess: (key) => {
      setName('');
      setDays(DEFAULT_DAYS);
      return onCreated(key);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!creation.isPending) creation.mutate();
  };
  return (
    <form className={styles.create} onSubmit={submit}>
      <label htmlFor={`${id}-name`}>
        Name of a new key
        <input
          id={`${id}-name`}
          type="text"
          value={name}
          required
          maxLength={60}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <label htmlFor={`${id}-days`}>
        Days until it expires
        <input
          id={`${id}-days`}
          type="number"
          value={days}
          required
          min={1}
          max={365}
          onChange={(event) => setDays(event.target.value)}
        />
      </label>
      <Button type="submit" disabled={creation.isPending}>
        {creation.isPending ? 'Creating…' : 'Create the key'}
      </Button>
      {creation.error !== null && <ErrorMessage error={creation.error} />}
    </form>
  );
}

const DEFAULT_DAYS = '90';

interface RevocationProps extends OfKey {
  readonly onClose: () => void;
  /** Called after the key was revoked. */
  readonly onRevoked: (key: UserKey) => Promise<void>;
}

/** Asks for a confirmation before a key is revoked. */
function RevocationDialog({ of: key, onClose, onRevoked }: RevocationProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const revocation = useMutation({ mutationFn: () => revokeKey(key.id), onSuccess: () => onRevoked(key) });
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={`${id}-title`} onClose={onClose}>
      <div className={styles.removal}>
        <h2 id={`${id}-title`}>Revoke the key {key.name}</h2>
        <p>Programs that use this key are rejected within a second. This cannot be undone.</p>
        {revocation.error !== null && <ErrorMessage error={revocation.error} />}
        <div className={styles.actions}>
          <Button variant="danger" onClick={() => revocation.mutate()} disabled={revocation.isPending}>
            {revocation.isPending ? 'Revoking…' : 'Revoke the key'}
          </Button>
          <Button onClick={() => dialog.current?.close()} disabled={revocation.isPending}>
            Cancel
          </Button>
        </div>
      </div>
    </dialog>
  );
}
