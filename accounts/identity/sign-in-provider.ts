import type { Account } from '../users.js';

/** Random values of one sign-in. They prove that the returning browser is the browser that started the sign-in. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** A provider of accounts that uses the authorization code flow with PKCE. */
export interface SignInProvider {
  /** Returns the URL of the provider to which a browser goes. Throws `identity_unavailable`. */
  createAuthorizationUrl(checks: SignInChecks): Promise<URL>;
  /**
   * Returns the account of a browser that returned with these query parameters. Reads the clock after the requests to
   * the provider, because the ID token is issued during them. Throws `sign_in_failed` or `identity_unavailable`.
   */
  completeSignIn(query: string, checks: SignInChecks, clock: () => Date): Promise<Account>;
}

/** This service as a client of the provider. */
export interface SignInClient {
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret?: string;
  /** The URL to which the provider returns browsers. */
  readonly callbackUrl: URL;
  /** Sends requests to the provider and limits the size of responses. */
  readonly fetch: typeof fetch;
}
