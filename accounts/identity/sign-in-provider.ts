import type { PendingSignIn } from '../../app-routes/sign-in/pending-sign-in.js';
import type { Account } from '../users.js';

export type SignInChecks = Omit<PendingSignIn, 'returnTo'>;

/** Where people sign in, by the code flow with PKCE. */
export interface SignInProvider {
  /** Where a browser goes to sign in. Throws `identity_unavailable`. */
  addressFor(checks: SignInChecks): Promise<URL>;
  /** Who came back with these query parameters. Throws `sign_in_failed` or `identity_unavailable`. */
  accountOf(query: string, checks: SignInChecks): Promise<Account>;
}

/** This service as the provider knows it. */
export interface SignInClient {
  readonly clientId: string;
  /** Left out for a public client. */
  readonly clientSecret?: string;
  /** Where the provider sends browsers back to. */
  readonly callbackUrl: URL;
}
