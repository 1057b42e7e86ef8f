import type { Request } from 'express';
import type { ReadToken } from '../../accounts/identity/bearer-tokens.js';
import type { User, Users } from '../../accounts/users.js';
import type { Identify } from '../../http/operations/caller.js';
import { HttpProblem } from '../../http/problems/http-problem.js';
import { invalidCredentialProblem, throwIdentityProblem } from './identity-problem.js';
import { removedUser, tellRemoved } from './removed-user.js';

export interface IdentityParts {
  readonly users: Users;
  readonly readToken: ReadToken;
  /** The id of the user whose session a request without a token belongs to. Left out where nobody can sign in here. */
  readonly readSession?: (request: Request) => Promise<number | undefined>;
}

/** Who a request is from: by its bearer token, else by its session. */
export function createIdentify({ users, readToken, readSession }: IdentityParts): Identify {
  return async (request, now) => {
    const user = await userOf(request, now);
    if (user.isDisabled) throw new HttpProblem('account_disabled', 'An operator disabled this user.');
    return user;
  };

  async function userOf(request: Request, now: Date): Promise<User> {
    const token = bearerOf(request);
    // Tokens expire by real time, even if the setting NOW fixes the clock of the request.
    const who =
      token === undefined
        ? await readSession?.(request)
        : await readToken(token, new Date()).catch(throwIdentityProblem);
    if (who === undefined) throw missing();
    const found = typeof who === 'number' ? users.findById(who) : users.signIn(who, now);
    const user = await found.catch(tellRemoved);
    if (user === undefined) throw removedUser();
    return user;
  }
}

function bearerOf({ headersDistinct }: Request): string | undefined {
  const [authorization, ...others] = headersDistinct.authorization ?? [];
  if (authorization === undefined) return undefined;
  // Whoever stands before this service may have looked at another one.
  if (others.length > 0) throw invalidCredentialProblem('There is more than one header Authorization.');
  const [, token] = /^Bearer +([^\s]+) *$/i.exec(authorization) ?? [];
  if (token === undefined) throw invalidCredentialProblem('The header Authorization must be "Bearer" and a token.');
  return token;
}

function missing(): HttpProblem {
  const headers = { 'WWW-Authenticate': 'Bearer realm="repo-insight"' };
  return new HttpProblem(
    'credential_missing',
    'A signed-in user is needed: send the header Authorization: Bearer <token>.',
    {
      headers,
    },
  );
}
