import type { Account } from '../users.js';

/** Random values of one sign-in, by which the browser that comes back is recognised. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
}

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
  /** Requests the provider; limits the size of its answers. */
  readonly fetch: typeof fetch;
}
