import { STATUS_CODES } from 'node:http';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { FailedSignIns } from '../../accounts/failed-sign-ins.js';
import type { SignInChecks, SignInProvider } from '../../accounts/identity/sign-in-provider.js';
import type { UsedSignIns } from '../../accounts/used-sign-ins.js';
import type { Users } from '../../accounts/users.js';
import { escapeHtml } from '../../engine/http/escape-html.js';
import type {
  FailureToShow,
  OpenOperation,
  Operation,
  OperationRequest,
} from '../../engine/http/operations/operation.js';
import { writePlainPage } from '../../engine/http/plain-page.js';
import { DATABASE_ERRORS, HttpProblem } from '../../engine/http/problems/http-problem.js';
import { queryText } from '../../engine/http/requests/read-request.js';
import { EngineError } from '../../engine/index.js';
import { throwIdentityProblem } from './bearer.js';
import type { BrowserSessions } from './browser-sessions.js';
import { throwIfRemoved } from './identify.js';
import type { PendingSignIns } from './pending-sign-in.js';

export interface SignInParts {
  readonly provider: SignInProvider;
  readonly pending: PendingSignIns;
  readonly used: UsedSignIns;
  readonly failed: FailedSignIns;
  readonly sessions: BrowserSessions;
  readonly users: Users;
  /** The public URL of this service. */
  readonly publicUrl: URL;
  /**
   * Returns the current time, which is used to check the ID token. The time of the request cannot be used, because the provider issues the
   * ID token later.
   */
  readonly clock: () => Date;
}

/**
 * `GET /sign-in/` redirects a browser to the identity provider, which redirects it back to `/sign-in/callback/`.
 * `POST /sign-out/` ends the session.
 */
export function signInOperations(parts: SignInParts): Operation[] {
  const basePath = `${parts.publicUrl.pathname.replace(/\/$/, '')}/`;
  const tryAgain = (returnTo = basePath) => `${basePath}sign-in/?return_to=${encodeURIComponent(returnTo)}`;
  const failurePage = (failure: FailureToShow) =>
    writeFailurePage(failure, tryAgain(failure.response.locals[RETURN_TO_OF_FAILURE] as string | undefined));
  return [
    {
      ...STEP,
      failurePage,
      id: 'sign-in',
      path: '/sign-in/',
      summary: 'Redirects a browser to the identity provider',
      parameters: { return_to: { ...RETURN_TO, default: basePath } },
      statuses: [302],
      headers: { Location: 'The sign-in page of the provider.' },
      errors: ['identity_unavailable'],
      handle: signIn(parts, basePath),
    },
    {
      ...STEP,
      failurePage,
      id: 'sign-in-callback',
      path: '/sign-in/callback/',
      summary: 'Begins a session for a browser that returns from the provider',
      description: 'The provider sets the query: `state` and `code`, or `error`.',
      anyQuery: true,
      statuses: [303],
      headers: { Location: 'The path of `return_to`.' },
      errors: ['sign_in_failed', 'identity_unavailable', 'account_disabled', ...STATE_ERRORS],
      handle: callback(parts),
    },
    {
      ...FOR_BROWSERS,
      id: 'sign-out',
      method: 'post',
      path: '/sign-out/',
      summary: 'Ends the session of a browser, if it has one',
      statuses: [204],
      errors: ['cross_site_request', ...STATE_ERRORS],
      handle: signOut(parts),
    },
  ];
}

type Handler = OpenOperation['handle'];

const FOR_BROWSERS = { access: 'open', tag: 'Sign-in', isPrivate: true } as const;

/** The common properties of a sign-in step. It is a GET request with side effects, so HEAD is rejected. */
const STEP = { ...FOR_BROWSERS, method: 'get', limit: 'signIn', rejectsHead: true } as const;

/** Error codes of operations that read or write users and sessions. */
const STATE_ERRORS = ['user_not_found', 'state_unavailable', ...DATABASE_ERRORS] as const;

/** Browsers limit a cookie to 4,096 bytes. The cookie of a sign-in contains this path, and its encoding makes the path longer. */
const MAX_RETURN_TO = 1_000;

/** A parameter with an ASCII path. The pattern rejects texts such as `//host`, which browsers treat as another host. */
const RETURN_TO = {
  in: 'query',
  type: 'string',
  pattern: '^/($|[!-.0-\\[\\]-~][!-\\[\\]-~]*$)',
  maxLength: MAX_RETURN_TO,
  description: 'The path of this service to which the browser returns after sign-in, percent-encoded as in a URL.',
} as const;

/** The local variable in which an operation stores its `return_to` for the failure page. */
const RETURN_TO_OF_FAILURE = 'returnTo';

function signIn({ provider, pending }: SignInParts, basePath: string): Handler {
  return async ({ parameters, http, response }) => {
    const returnTo = String(parameters.return_to);
    requirePathBelow(basePath, returnTo);
    response.locals[RETURN_TO_OF_FAILURE] = returnTo;
    const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const address = await provider.createAuthorizationUrl(checks).catch(throwIdentityProblem);
    await pending.keep(http, response, { ...checks, returnTo });
    return { status: 302, location: address.href };
  };
}

function callback(parts: SignInParts): Handler {
  const { pending, used, failed } = parts;
  return async (request) => {
    const { http, response, now } = request;
    const query = new URLSearchParams(queryText(http.originalUrl));
    const checks = await pending.take(http, response, query.get('state') ?? '');
    if (checks === undefined) throw unknownSignInProblem();
    response.locals[RETURN_TO_OF_FAILURE] = checks.returnTo;
    if (!(await used.consume(checks.state, now))) throw usedSignInProblem();
    await beginSession(parts, request, checks, query).catch(async (error: unknown) => {
      // If the entry cannot be written, the caller still gets the reason of the failed sign-in.
      await failed.note(codeOf(error), now).catch(() => undefined);
      throw error;
    });
    return { status: 303, location: checks.returnTo };
  };
}

async function beginSession(
  { provider, sessions, users, clock }: SignInParts,
  { http, response, now }: OperationRequest,
  checks: SignInChecks,
  query: URLSearchParams,
): Promise<void> {
  const account = await provider.completeSignIn(query.toString(), checks, clock).catch(throwIdentityProblem);
  try {
    const user = await users.signIn(account, now);
    if (user.isDisabled) throw new HttpProblem('account_disabled', 'An operator disabled this user.');
    await sessions.begin(http, response, user.id, now);
  } catch (error) {
    throwIfRemoved(error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof HttpProblem || error instanceof EngineError ? error.code : 'internal_error';
}

/**
 * Throws `bad_parameter` for a path that is not below the path of PUBLIC_URL, because another application may serve it. `..` is also
 * rejected, because proxies resolve it even between encoded slashes.
 */
function requirePathBelow(basePath: string, path: string): void {
  if (basePath === '/') return;
  const [plain = ''] = path.split(/[?#]/);
  const decoded = `${plain.replace(/%2f|%5c/gi, '/').replace(/%2e/gi, '.')}/`;
  if (decoded.startsWith(basePath) && !decoded.includes('/../')) return;
  const expected = `a path below ${basePath}`;
  const message = `return_to: expected ${expected}, got ${JSON.stringify(path)}`;
  const faults = [{ parameter: 'return_to', expected, got: path, message }];
  throw new EngineError('bad_parameter', message, { parameters: faults });
}

function signOut({ sessions }: SignInParts): Handler {
  return async ({ http, response }) => {
    await sessions.end(http, response);
    return { status: 204 };
  };
}

function unknownSignInProblem(): HttpProblem {
  const message = 'This browser did not start the sign-in within the last ten minutes. Start again at /sign-in/.';
  return new HttpProblem('sign_in_failed', message);
}

function usedSignInProblem(): HttpProblem {
  return new HttpProblem('sign_in_failed', 'This sign-in was already used. Start again at /sign-in/.');
}

/** Writes the page for a failed sign-in, with a link to try again. `signInUrl` is the path of this link. */
function writeFailurePage({ status, message }: FailureToShow, signInUrl: string): string {
  const title = `${status} ${STATUS_CODES[status] ?? 'Failure'}`;
  const content = [
    `<p>${escapeHtml(message)}</p>`,
    `<p><a href="${escapeHtml(signInUrl)}">Try again</a></p>`,
    `<p><small>${escapeHtml(title)}</small></p>`,
  ];
  return writePlainPage('Sign-in failed', content.join('\n'));
}
