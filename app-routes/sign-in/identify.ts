import type { Request } from 'express';
import type { ReadToken } from '../../accounts/identity/bearer-tokens.js';
import type { User, Users } from '../../accounts/users.js';
import type { Identify } from '../../engine/http/operations/caller.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { invalidCredentialProblem, throwIdentityProblem } from './identity-problem.js';
import { removedUserProblem, throwIfRemoved } from './removed-user.js';

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

function bearerOf({ headersDistinct }: Request): string | undefined {
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
