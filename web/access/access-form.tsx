import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { SignInLink } from '../account/sign-in-notice.js';
import { useSession } from '../account/use-session.js';
import { keepApiKey } from '../api/api-key.js';
import { RepoInsightError } from '../api/generated/client.js';
import { Button } from '../parts/layout/button.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { errorTexts } from '../parts/messages/error-texts.js';
import { Message } from '../parts/messages/message.js';
import styles from './access.module.css';
import { describeAccess } from './describe-access.js';

export interface AccessFormProps {
  readonly error: Error;
  /** Who can read the data; null or absent if this is not the reason of the error, for example if the key in use is not valid. */
  readonly access?: readonly string[] | null | undefined;
  /** What cannot be read, at the start of a sentence. */
  readonly subject?: string;
  /** Requests the data with a key. The key is kept in the tab only after a success. */
  readonly tryKey: (key: string) => Promise<unknown>;
  /** Called after the key was kept. */
  readonly onKept?: () => void;
}

/** Shows the error of a request, with a form for an API key if the service asks for a credential. */
export function AccessOrError({ onRetry, ...form }: AccessFormProps & { readonly onRetry: () => void }) {
  return isAccessError(form.error) ? <AccessForm {...form} /> : <ErrorMessage error={form.error} onRetry={onRetry} />;
}

/** Whether a request needs a credential, or another one. */
export function isAccessError(error: unknown): error is RepoInsightError {
  return error instanceof RepoInsightError && ACCESS_CODES.includes(error.code);
}

const ACCESS_CODES: readonly string[] = ['credential_missing', 'credential_invalid', 'access_denied'];

/** Explains why data cannot be read, and asks for an API key. Users who can sign in get a link. */
export function AccessForm({ error, access, subject = 'This endpoint', tryKey, onKept }: AccessFormProps) {
  const id = useId();
  const client = useQueryClient();
  const { state } = useSession();
  const change = useMutation({
    mutationFn: async (key: string) => {
      if (!/^[!-~]+$/.test(key)) throw new Error('An API key has no spaces and only ASCII characters.');
      await tryKey(key);
      // The form is removed with the error, so the focus needs another place.
      document.getElementById('content')?.focus();
      void keepApiKey(key, client);
      onKept?.();
    },
  });
  const title = access ? `${subject} needs ${describeAccess(access)}` : errorTexts(error).title;
  const canSignIn = state === 'signed-out' && access?.some((entry) => entry !== 'key');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = event.currentTarget.querySelector('input');
    if (!change.isPending) change.mutate(field?.value.trim() ?? '');
    field?.focus();
  };
  return (
    <Message tone="warning" title={title}>
      <p role="alert">{error.message}</p>
      {canSignIn && <SignInLink />}
      <form className={styles.form} onSubmit={submit}>
        <label htmlFor={id}>API key</label>
        <div className={styles.row}>
          {/* Without a name, the browser never sends the value of the field itself. */}
          <input
            id={id}
            type="password"
            autoComplete="off"
            required
            aria-invalid={change.error !== null}
            aria-describedby={`${id}-error ${id}-hint`}
          />
          <Button type="submit" variant="primary">
            {change.isPending ? 'Checking the key…' : 'Use this key'}
          </Button>
        </div>
        <p id={`${id}-error`} className={styles.error} aria-live="polite">
          {change.error !== null && <>⚠ {change.error.message}</>}
        </p>
        <p id={`${id}-hint`} className={styles.hint}>
          The key stays in this tab until you remove it or close the tab.
        </p>
      </form>
    </Message>
  );
}
