import type { CustomFetch } from 'openid-client';
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

/** Why a caller could not be identified. Each code is the error code of a response. */
type IdentityErrorCode = 'credential_invalid' | 'sign_in_failed' | 'identity_unavailable';

/** Thrown for a rejected credential or sign-in. `message` may be shown to the caller; `cause` is for the log only. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';

  constructor(
    readonly code: IdentityErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function invalidCredential(message: string): IdentityError {
  return new IdentityError('credential_invalid', message);
}

/** The time limit of one request to a provider, in seconds. */
export const REQUEST_TIMEOUT_SECONDS = 5;

/** Adapts the `fetch` of this service to the type of openid-client. */
export function adaptFetch(providerFetch: typeof fetch): CustomFetch {
  // The types only differ in how a missing option is declared (`undefined`).
  return (url, options) => providerFetch(url, options as RequestInit);
}
