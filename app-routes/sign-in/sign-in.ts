import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { SignInProvider } from '../../accounts/identity/sign-in-provider.js';
import type { UsedSignIns } from '../../accounts/used-sign-ins.js';
import type { Users } from '../../accounts/users.js';
import type { OpenOperation, Operation } from '../../http/operations/operation.js';
import { DATABASE_ERRORS, HttpProblem } from '../../http/problems/http-problem.js';
import { queryText } from '../../http/requests/read-request.js';
import type { BrowserSessions } from './browser-sessions.js';
import { throwIdentityProblem } from './identity-problem.js';
import type { PendingSignIns } from './pending-sign-in.js';
import { tellRemoved } from './removed-user.js';

export interface SignInParts {
  readonly provider: SignInProvider;
  readonly pending: PendingSignIns;
  readonly used: UsedSignIns;
  readonly sessions: BrowserSessions;
  readonly users: Users;
}

/**
 * `GET /sign-in/` sends a browser to the provider, which sends it back to `/sign-in/callback/`; `POST /sign-out/` ends the
 * session.
 */
export function signInOperations(parts: SignInParts): Operation[] {
  return [
    {
      ...FOR_BROWSERS,
      id: 'sign-in',
      method: 'get',
      path: '/sign-in/',
      summary: 'Sends a browser to the provider where people sign in',
      parameters: { return_to: RETURN_TO },
      statuses: [302],
      headers: { Location: 'The page of the provider.' },
      limit: 'signIn',
      refusesHead: true,
      errors: ['identity_unavailable'],
      handle: signIn(parts),
    },
    {
      ...FOR_BROWSERS,
      id: 'sign-in-callback',
      method: 'get',
      path: '/sign-in/callback/',
      summary: 'Begins a session for a browser that comes back from the provider',
      description: 'Its query is what the provider told: `state` and `code`, or `error`.',
      anyQuery: true,
      statuses: [303],
      headers: { Location: 'The path that `return_to` named.' },
      limit: 'signIn',
      refusesHead: true,
      errors: ['sign_in_failed', 'identity_unavailable', 'account_disabled', ...OF_STATE],
      handle: callback(parts),
    },
    {
      ...FOR_BROWSERS,
      id: 'sign-out',
      method: 'post',
      path: '/sign-out/',
      summary: 'Ends the session of a browser, if it has one',
      statuses: [204],
      errors: ['cross_site_request', ...OF_STATE],
      handle: signOut(parts),
    },
  ];
}

/** ID tokens expire by real time, even if the setting NOW fixes the clock of the request. */
const realTime = () => new Date();

type Handler = OpenOperation['handle'];

const FOR_BROWSERS = { access: 'open', tag: 'Sign-in', isPrivate: true } as const;

/** What users and sessions are kept in may fail. */
const OF_STATE = ['user_not_found', 'state_unavailable', ...DATABASE_ERRORS] as const;

/** A browser keeps cookies of 4,096 bytes; this one holds the path as base64, with quotes doubled. */
const MAX_RETURN_TO = 1_000;

/** A path as URLs have it, in ASCII, and nothing that a browser could take for another host. */
const RETURN_TO = {
  in: 'query',
  type: 'string',
  pattern: '^/($|[!-.0-\\[\\]-~][!-\\[\\]-~]*$)',
  maxLength: MAX_RETURN_TO,
  default: '/',
  description: 'The path of this service to which the browser goes afterwards, percent-encoded as in its address.',
} as const;

function signIn({ provider, pending }: SignInParts): Handler {
  return async ({ parameters, response }) => {
    const returnTo = String(parameters.return_to);
    const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const address = await provider.createAuthorizationUrl(checks).catch(throwIdentityProblem);
    await pending.keep(response, { ...checks, returnTo });
    return { status: 302, location: address.href };
  };
}

function callback({ provider, pending, used, sessions, users }: SignInParts): Handler {
  return async ({ http, response, now }) => {
    const checks = await pending.take(http, response);
    const query = new URLSearchParams(queryText(http));
    if (checks === undefined || query.get('state') !== checks.state) throw notBegunHere();
    if (!(await used.consume(checks.state, now))) throw alreadyUsed();
    const account = await provider.completeSignIn(query.toString(), checks, realTime).catch(throwIdentityProblem);
    try {
      const user = await users.signIn(account, now);
      if (user.isDisabled) throw new HttpProblem('account_disabled', 'An operator disabled this user.');
      await sessions.begin(http, response, user.id, now);
    } catch (error) {
      tellRemoved(error);
    }
    return { status: 303, location: checks.returnTo };
  };
}

function signOut({ sessions }: SignInParts): Handler {
  return async ({ http, response }) => {
    await sessions.end(http, response);
    return { status: 204 };
  };
}

function notBegunHere(): HttpProblem {
  const message = 'The sign-in was not begun in this browser within the last ten minutes. Start again at /sign-in/.';
  return new HttpProblem('sign_in_failed', message);
}

function alreadyUsed(): HttpProblem {
  return new HttpProblem('sign_in_failed', 'This sign-in was already used. Start again at /sign-in/.');
}
