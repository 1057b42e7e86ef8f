import type { Account } from '../users.js';

/** Random values of one sign-in. The values prove that the browser in the callback is the browser that started the sign-in. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** A provider of accounts that uses the authorization code flow with PKCE. */
export interface SignInProvider {
  /** Returns the URL of the provider to which the browser is redirected. Throws `identity_unavailable`. */
  createAuthorizationUrl(checks: SignInChecks): Promise<URL>;
  /**
   * Returns the account for a callback with these query parameters. `clock` is called after the requests to the provider, because the ID
   * token is issued during these requests. Throws `sign_in_failed` or `identity_unavailable`.
   */
  completeSignIn(query: string, checks: SignInChecks, clock: () => Date): Promise<Account>;
}

/** This service as a client of the provider. */
export interface SignInClient {
  readonly clientId: string;
  /** Undefined for a public client, which has no secret. */
  readonly clientSecret?: string;
  /** The URL to which the provider redirects browsers. */
  readonly callbackUrl: URL;
  /** The `fetch` for requests to the provider, which must limit the size of responses. */
  readonly fetch: typeof fetch;
}
