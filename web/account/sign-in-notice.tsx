import { signInUrl } from '../api/account.js';
import { ButtonLink } from '../parts/layout/button.js';
import { Message } from '../parts/messages/message.js';
import type { SignInState } from './use-session.js';

/** Explains why a user must sign in, and how. Shows nothing to signed-in users. `purpose` completes `Sign in to …`. */
export function SignInNotice({ state, purpose }: { readonly state: SignInState; readonly purpose: string }) {
  if (state === 'loading' || state === 'signed-in') return null;
  if (state === 'signed-out')
    return (
      <Message title={`Sign in to ${purpose}.`} actions={<SignInLink />}>
        <p>You return to this page.</p>
      </Message>
    );
  return (
    <Message title="Sign-in is not configured in this service">
      <p>You cannot {purpose} in the browser.</p>
      <p>
        Operators: set <code>PUBLIC_URL</code>, <code>OIDC_CLIENT_ID</code> and a provider (<code>OIDC_ISSUER</code> or{' '}
        <code>OAUTH_PROVIDER</code>), as described in <code>docs/users.md</code>, “Sign-in with a browser”. Programs can
        use a bearer token.
      </p>
    </Message>
  );
}

/** A link that starts the sign-in, after which the browser returns to this page. */
export function SignInLink({ label = 'Sign in' }: { readonly label?: string }) {
  return (
    <ButtonLink variant="primary" href={signInUrl()}>
      {label}
    </ButtonLink>
  );
}
