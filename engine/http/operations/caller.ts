import type { Request } from 'express';

/** The user who sent a request, with the user's data at the time of the request. */
export interface Caller {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  /** Whether the user gets updates by e-mail. */
  readonly getsUpdates: boolean;
  /** Whether an operator granted the user access to `trusted` operations. */
  readonly isTrusted: boolean;
  /** The time when the user was created, as ISO 8601. */
  readonly createdAt: string;
  /** The identity provider of the account with which the user signs in. */
  readonly provider: string;
  readonly accountId: string;
  readonly login: string;
  readonly avatarUrl: string;
}

/**
 * Identifies the user who sent a request. With `acceptsKeys`, an API key of the user is a valid credential. Throws `HttpProblem`: 401 without
 * a valid credential, 403 for a disabled user.
 */
export type Identify = (
  request: Request,
  now: Date,
  options?: { readonly acceptsKeys?: boolean | undefined },
) => Promise<Caller>;
