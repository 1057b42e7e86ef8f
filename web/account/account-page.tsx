import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ACCOUNT_KEY, signOut } from '../api/account.js';
import { type ConsoleSession, sessionQuery } from '../api/session.js';
import { Button } from '../parts/layout/button.js';
import { Card } from '../parts/layout/card.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import styles from './account.module.css';
import { Avatar } from './avatar.js';
import { EmailUpdates } from './email-updates.js';
import { OwnQuestions } from './own-questions.js';
import { SignInNotice } from './sign-in-notice.js';
import { Subscriptions } from './subscriptions.js';
import { useSession } from './use-session.js';

/** The signed-in user: subscriptions, settings and own questions. */
export function AccountPage() {
  const { session, state, error, refetch } = useSession();
  const user = session?.user ?? null;
  return (
    <article className={styles.page}>
      <PageHeader title="Account" />
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {state === 'loading' && error === null && <Loading height={120} label="Loading the account" />}
      {user === null ? (
        <>
          <SignInNotice state={state} purpose="subscribe to repositories, ask questions and see your own questions" />
          {state !== 'loading' && <WithoutAccount />}
        </>
      ) : (
        <SignedIn user={user} />
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

function SignedIn({ user }: { readonly user: NonNullable<ConsoleSession['user']> }) {
  return (
    <>
      <Profile user={user} />
      <div className={styles.columns}>
        <Card title="Subscriptions">
          <Subscriptions />
        </Card>
        <Card title="E-mail">
          <EmailUpdates />
        </Card>
      </div>
      <Card title="Your questions">
        <OwnQuestions />
      </Card>
    </>
  );
}

function Profile({ user }: { readonly user: NonNullable<ConsoleSession['user']> }) {
  const queryClient = useQueryClient();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      queryClient.removeQueries({ queryKey: ACCOUNT_KEY });
      return queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
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
