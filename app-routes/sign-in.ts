import { type Request, type RequestHandler, type Response, Router } from 'express';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { createParameterReader } from '../engine/index.js';
import type { Users } from '../warehouse/state/users.js';
import { allowOnly } from './allow-only.js';
import { HttpProblem } from './http-problem.js';
import type { BrowserSessions } from './identity/browser-sessions.js';
import type { PendingSignIns } from './identity/pending-sign-in.js';
import type { SignInProvider } from './identity/sign-in-provider.js';
import { queryText, rawParameters } from './raw-parameters.js';
import { tellRemoved } from './removed-user.js';

export interface SignInParts {
  readonly provider: SignInProvider;
  readonly pending: PendingSignIns;
  readonly sessions: BrowserSessions;
  readonly users: Users;
}

/**
 * `GET /sign-in/` sends a browser to the provider, which sends it back to `/sign-in/callback/`; `POST /sign-out/` ends the
 * session. They are for people and not in the machine-readable description.
 */
export function signInRoutes(parts: SignInParts): Router {
  const router = Router({ caseSensitive: true });
  router.route('/sign-in').get(noStore, signIn(parts)).all(allowOnly('GET'));
  router.route('/sign-in/callback').get(noStore, callback(parts)).all(allowOnly('GET'));
  router.route('/sign-out').post(noStore, signOut(parts)).all(allowOnly('POST'));
  return router;
}

type Handler = (request: Request, response: Response) => Promise<void>;

const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

function signIn({ provider, pending }: SignInParts): Handler {
  const read = createParameterReader({ return_to: RETURN_TO });
  return async (request, response) => {
    const returnTo = String(read(rawParameters(request)).return_to);
    const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const address = await provider.addressFor(checks);
    await pending.keep(response, { ...checks, returnTo });
    response.redirect(address.href);
  };
}

function callback({ provider, pending, sessions, users }: SignInParts): Handler {
  return async (request, response) => {
    const checks = await pending.take(request, response);
    const query = new URLSearchParams(queryText(request));
    if (checks === undefined || query.get('state') !== checks.state) throw notBegunHere();
    const account = await provider.accountOf(query.toString(), checks);
    try {
      const user = await users.signIn(account, new Date());
      if (user.isDisabled) throw new HttpProblem('account_disabled', 'An operator disabled this user.');
      await sessions.begin(request, response, user.id);
    } catch (error) {
      tellRemoved(error);
    }
    response.redirect(303, checks.returnTo);
  };
}

function signOut({ sessions }: SignInParts): Handler {
  return async (request, response) => {
    await sessions.end(request, response);
    response.status(204).end();
  };
}

/** A path, and nothing that a browser could take for another host. */
const RETURN_TO = {
  in: 'query',
  type: 'string',
  pattern: '^/($|[^/\\\\\\x00-\\x20][^\\\\\\x00-\\x20]*$)',
  maxLength: 1_000,
  default: '/',
  description: 'The path of this service to which the browser goes afterwards.',
} as const;

function notBegunHere(): HttpProblem {
  const message = 'The sign-in was not begun in this browser within the last ten minutes. Start again at /sign-in/.';
  return new HttpProblem('sign_in_failed', message);
}
