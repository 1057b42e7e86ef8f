import type { Request } from 'express';
import type { ReadToken } from '../../accounts/identity/bearer-tokens.js';
import { RemovedUserError, type User, type Users } from '../../accounts/users.js';
import type { Identify } from '../../engine/http/operations/caller.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { bearerOf, invalidCredentialProblem, throwIdentityProblem } from './bearer.js';
import {
  type FindKeyUser,
  invalidKeyProblem,
  keyOf,
  type RequestKey,
  severalCredentialsProblem,
} from './request-key.js';

export interface IdentityParts {
  readonly users: Users;
  readonly readToken: ReadToken;
  /** Returns the user id of the session of a request. Absent if browser sign-in is not configured. */
  readonly readSession?: (request: Request) => Promise<number | undefined>;
  /** Returns the user of an API key. Absent if users have no keys. */
  readonly findKeyUser?: FindKeyUser;
}

/** Identifies the user of a request by its API key, by its bearer token or, without both, by its session. */
export function createIdentify({ users, readToken, readSession, findKeyUser }: IdentityParts): Identify {
  return async (request, now, { acceptsKeys = false } = {}) => {
    const key = findKeyUser && keyOf(request);
    const user = key?.hasForm ? await userOfKey(key, request, acceptsKeys) : await userOf(request, now);
    if (user.isDisabled) throw new HttpProblem('account_disabled', 'An operator disabled this user.');
    return user;
  };

  async function userOfKey({ text, isOnly }: RequestKey, request: Request, acceptsKeys: boolean): Promise<User> {
    if (!acceptsKeys) throw invalidCredentialProblem(NO_KEYS);
    if (!isOnly) throw severalCredentialsProblem();
    const user = await findKeyUser?.(text, request);
    if (user === undefined) throw invalidKeyProblem();
    return user;
  }

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

const NO_KEYS = 'This operation does not accept API keys: sign in, or send a token of the user.';

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
