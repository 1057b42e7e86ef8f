import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { signOut } from '../api/account.js';
import type { ConsoleSession } from '../api/session.js';
import { Button } from '../parts/layout/button.js';
import { Card } from '../parts/layout/card.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { Message } from '../parts/messages/message.js';
import styles from './account.module.css';
import { Avatar } from './avatar.js';
import { DigestSetting } from './digest-setting.js';
import { Keys } from './keys.js';
import { OwnData } from './own-data.js';
import { OwnQuestions } from './own-questions.js';
import { Sessions } from './sessions.js';
import { SignInNotice } from './sign-in-notice.js';
import { Subscriptions } from './subscriptions.js';
import { useForgetSession, useSession } from './use-session.js';

/** The signed-in user: subscriptions, settings, own questions, sessions, API keys and stored data. */
export function AccountPage() {
  const { session, state, error, refetch } = useSession();
  const user = session?.user ?? null;
  const [isRemoved, setIsRemoved] = useState(false);
  return (
    <article className={styles.page}>
      <PageHeader title="Account" />
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {state === 'loading' && error === null && <Loading height={120} label="Loading the account" />}
      {user === null ? (
        <>
          {isRemoved && <Removed />}
          <SignInNotice state={state} purpose="subscribe to repositories, ask questions and see your own questions" />
          {state !== 'loading' && <WithoutAccount />}
        </>
      ) : (
        <SignedIn user={user} sendsDigests={session?.digests === true} onRemoved={() => setIsRemoved(true)} />
      )}
    </article>
  );
}

function WithoutAccount() {
  return (
    <Card title="What works without an account">
      <p className={styles.text}>
        All endpoints, pages, charts and downloads, the playground, and all questions that other people shared with a
        link. The service stores nothing about visitors. The theme and the history of the playground stay in this
        browser.
      </p>
    </Card>
  );
}

/** Says that the account was removed. It takes the focus, because the dialog that had it is gone. */
function Removed() {
  return (
    <div tabIndex={-1} ref={(element) => element?.focus()}>
      <Message tone="good" role="status" title="Your account was removed.">
        <p>This account cannot sign in again.</p>
      </Message>
    </div>
  );
}

interface SignedInProps {
  readonly user: NonNullable<ConsoleSession['user']>;
  /** Whether the service sends digests. */
  readonly sendsDigests: boolean;
  readonly onRemoved: () => void;
}

function SignedIn({ user, sendsDigests, onRemoved }: SignedInProps) {
  const forgetSession = useForgetSession();
  return (
    <>
      <Profile user={user} />
      <div className={styles.columns}>
        <Card title="Subscriptions">
          <Subscriptions />
        </Card>
        {sendsDigests && (
          <Card title="E-mail">
            <DigestSetting />
          </Card>
        )}
      </div>
      <Card title="Your questions">
        <OwnQuestions />
      </Card>
      <Card title="Sessions">
        <Sessions />
      </Card>
      <Card title="API keys">
        <Keys />
      </Card>
      <Card title="Your data">
        <OwnData
          user={user}
          onRemoved={async () => {
            await forgetSession();
            onRemoved();
          }}
        />
      </Card>
    </>
  );
}

function Profile({ user }: { readonly user: NonNullable<ConsoleSession['user']> }) {
  const leave = useMutation({ mutationFn: signOut, onSuccess: useForgetSession() });
  const { login, name, isTrusted } = user;
  return (
    <section className={styles.profile} aria-label="Signed-in user">
      <Avatar user={user} size={56} />
      <div className={styles.who}>
        <strong>{name === '' ? login : name}</strong>
        <span className={styles.soft}>
          {login}
          {isTrusted && (
            <>
              {' · trusted user · '}
              <Link to="/operator">State of the service</Link>
            </>
          )}
        </span>
      </div>
      <Button onClick={() => leave.mutate()} disabled={leave.isPending}>
        Sign out
      </Button>
      {leave.error !== null && <ErrorMessage error={leave.error} />}
    </section>
  );
}
