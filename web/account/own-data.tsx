import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { exportUrl, removeAccount } from '../api/account.js';
import type { ConsoleSession } from '../api/session.js';
import { Button, ButtonLink } from '../parts/layout/button.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import styles from './account.module.css';

interface OwnDataProps {
  readonly user: NonNullable<ConsoleSession['user']>;
  /** Called after the account was removed. */
  readonly onRemoved: () => Promise<void>;
}

/** The stored data of the user: a download of all of them, and the removal of the account. */
export function OwnData({ user, onRemoved }: OwnDataProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <p className={styles.text}>
        The download is one JSON file with everything that the service stores about you: profile, digest, subscriptions,
        questions with their answers, feedback, sessions, API keys without secrets, and changes.
      </p>
      <div className={styles.actions}>
        <ButtonLink icon="download" href={exportUrl()} download>
          Download my data
        </ButtonLink>
        <Button variant="danger" onClick={() => setIsOpen(true)}>
          Remove my account
        </Button>
      </div>
      {isOpen && <RemovalDialog login={user.login} onClose={() => setIsOpen(false)} onRemoved={onRemoved} />}
    </>
  );
}

interface RemovalDialogProps {
  readonly login: string;
  readonly onClose: () => void;
  readonly onRemoved: () => Promise<void>;
}

/** Asks for the login before the account is removed. */
function RemovalDialog({ login, onClose, onRemoved }: RemovalDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const removal = useMutation({ mutationFn: () => removeAccount(text), onSuccess: onRemoved });
  useEffect(() => dialog.current?.showModal(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsWrong(text !== login);
    if (text === login) removal.mutate();
    else field.current?.focus();
  };
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={`${id}-title`} onClose={onClose}>
      <form className={styles.removal} onSubmit={submit}>
        <h2 id={`${id}-title`}>Remove my account</h2>
        <p>
          The service deletes your profile, subscriptions, questions, feedback, sessions and API keys. This cannot be
          undone. <strong>This account cannot sign in again.</strong> To prevent it, the service keeps a keyed hash of
          the account. The audit log keeps the number of your user.
        </p>
        <label htmlFor={id}>
          Your login, <code>{login}</code>
        </label>
        <input
          ref={field}
          id={id}
          type="text"
          value={text}
          maxLength={255}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? `${id}-fault` : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setIsWrong(false);
          }}
        />
        {isWrong && (
          <p id={`${id}-fault`} className={styles.fault} role="alert">
            Enter exactly {login}.
          </p>
        )}
        {removal.error !== null && <ErrorMessage error={removal.error} />}
        <div className={styles.actions}>
          <Button type="submit" variant="danger" disabled={removal.isPending}>
            {removal.isPending ? 'Removing…' : 'Remove the account'}
          </Button>
          <Button onClick={() => dialog.current?.close()} disabled={removal.isPending}>
            Cancel
          </Button>
        </div>
      </form>
    </dialog>
  );
}
