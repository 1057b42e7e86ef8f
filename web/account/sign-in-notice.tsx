import { signInUrl } from '../api/account.js';
import styles from './account.module.css';
import type { SignInState } from './use-session.js';

/** Says why a user has to sign in, and how; nothing for signed-in users. `purpose` completes `Sign in to …`. */
export function SignInNotice({ state, purpose }: { readonly state: SignInState; readonly purpose: string }) {
  if (state === 'loading' || state === 'signed-in') return null;
  if (state === 'signed-out')
    return (
      <p className={styles.notice}>
        <span>You need an account to {purpose}.</span> <SignInLink />
      </p>
    );
  return (
    <div className={styles.notice}>
      <p>
        <strong>Sign-in is not configured in this service</strong>, so you cannot {purpose} in the browser.
      </p>
      <p>
        Operators: set <code>PUBLIC_URL</code>, <code>OIDC_CLIENT_ID</code> and a provider (<code>OIDC_ISSUER</code> or{' '}
        <code>OAUTH_PROVIDER</code>), as described in <code>docs/operations.md</code>, “Sign-in with a browser”.
        Programs can use a bearer token.
      </p>
    </div>
  );
}

/** Begins the sign-in, and returns to this page. */
export function SignInLink({ label = 'Sign in' }: { readonly label?: string }) {
  return (
    <a className={styles.primary} href={signInUrl()}>
      {label}
    </a>
  );
}
