import type { Request } from 'express';
import type { ReadToken } from '../../accounts/identity/bearer-tokens.js';
import { IdentityError } from '../../accounts/identity/sign-in-provider.js';
import { RemovedUserError, type User, type Users } from '../../accounts/users.js';
import type { Identify } from '../../engine/http/operations/caller.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';

export interface IdentityParts {
  readonly users: Users;
  readonly readToken: ReadToken;
  /** Returns the user id of the session of a request. Absent if browser sign-in is not configured. */
  readonly readSession?: (request: Request) => Promise<number | undefined>;
}

/** Identifies the user of a request by its bearer token or, without a token, by its session. */
export function createIdentify({ users, readToken, readSession }: IdentityParts): Identify {
  return async (request, now) => {
    const user = await userOf(request, now);
    if (user.isDisabled) throw new HttpProblem('account_disabled', 'An operator disabled this user.');
    return user;
  };

  async function userOf(request: Request, now: Date): Promise<User> {
    const token = bearerOf(request);
    const who =
      token === undefined ? await readSession?.(request) : await readToken(token, now).catch(throwIdentityProblem);
    if (who === undefined) throw missingCredentialProblem();
    const found = typeof who === 'number' ? users.findById(who) : users.signIn(who, now);
    const user = await found.catch(throwIfRemoved);
    if (user === undefined) throw removedUserProblem();
    return user;
  }
}

/** Returns the token in the header `Authorization`. Throws `credential_invalid` for any other content of the header. */
export function bearerOf({ headersDistinct }: Pick<Request, 'headersDistinct'>): string | undefined {
  const [authorization, ...others] = headersDistinct.authorization ?? [];
  if (authorization === undefined) return undefined;
  // Rejected, because a proxy in front of the service may have checked a different one of the headers.
  if (others.length > 0) throw invalidCredentialProblem('The request has more than one Authorization header.');
  const [, token] = /^Bearer +([^\s]+) *$/i.exec(authorization) ?? [];
  if (token === undefined)
    throw invalidCredentialProblem('The header Authorization must contain "Bearer" and a token.');
  return token;
}

function missingCredentialProblem(): HttpProblem {
  const headers = { 'WWW-Authenticate': 'Bearer realm="repo-insight"' };
  const message = 'This operation needs a signed-in user: send the header Authorization: Bearer <token>.';
  return new HttpProblem('credential_missing', message, { headers });
}

/** Creates a problem with status 401 and the header that RFC 6750 requires. */
export function invalidCredentialProblem(message: string): HttpProblem {
  const headers = { 'WWW-Authenticate': 'Bearer realm="repo-insight", error="invalid_token"' };
  return new HttpProblem('credential_invalid', message, { headers });
}

/** Rethrows an `IdentityError` as an HTTP problem, and any other error unchanged. */
export function throwIdentityProblem(error: unknown): never {
  if (!(error instanceof IdentityError)) throw error;
  if (error.code === 'credential_invalid') throw invalidCredentialProblem(error.message);
  throw new HttpProblem(error.code, error.message, { ...(error.cause !== undefined && { cause: error.cause }) });
}

export function removedUserProblem(): HttpProblem {
  return new HttpProblem('user_not_found', 'This user was removed.');
}

/** Rethrows a `RemovedUserError` as an HTTP problem, and any other error unchanged. */
export function throwIfRemoved(error: unknown): never {
  throw error instanceof RemovedUserError ? removedUserProblem() : error;
}
