import type { Request } from 'express';
import type { ReadToken } from '../../accounts/identity/bearer-tokens.js';
import { RemovedUserError, type User, type Users } from '../../accounts/users.js';
import type { Identify } from '../../engine/http/operations/caller.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { bearerOf, throwIdentityProblem } from './bearer.js';

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

function missingCredentialProblem(): HttpProblem {
  const headers = { 'WWW-Authenticate': 'Bearer realm="repo-insight"' };
  const message = 'This operation needs a signed-in user: send the header Authorization: Bearer <token>.';
  return new HttpProblem('credential_missing', message, { headers });
}

export function removedUserProblem(): HttpProblem {
  return new HttpProblem('user_not_found', 'This user was removed.');
}

/** Rethrows a `RemovedUserError` as an HTTP problem, and any other error unchanged. */
export function throwIfRemoved(error: unknown): never {
  throw error instanceof RemovedUserError ? removedUserProblem() : error;
}
