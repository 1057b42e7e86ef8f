import type { Request, Response } from 'express';
import session, { type CookieOptions } from 'express-session';
import type { Sessions } from '../../accounts/sessions.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { runHandler, toCallback } from '../../engine/http/requests/run-handler.js';
import { cookieOf } from './cookies.js';
import { SessionStore } from './session-store.js';

export interface SessionParts {
  readonly sessions: Sessions;
  /** The key that signs cookies. */
  readonly secret: string;
  /** The public URL of this service. */
  readonly publicUrl: URL;
  /** The maximum duration of a session (`lifetimeMs`), and the maximum time between two of its requests (`idleMs`). */
  readonly lifetimeMs: number;
  readonly idleMs: number;
  readonly clock: () => Date;
}

/** Sessions of users who signed in with a browser. */
export interface BrowserSessions {
  /** The name of the cookie. */
  readonly cookie: string;
  /**
   * Returns the user of the session of a request; undefined if it has no session. Throws `cross_site_request` if another site sent a
   * request that changes data.
   */
  userIdOf(request: Request): Promise<number | undefined>;
  /** Starts a session. Its id is always new, even if the browser sent a session id. */
  begin(request: Request, response: Response, userId: number, now: Date): Promise<void>;
  /** Ends the session of a request, if it has one. Throws the same errors as `userIdOf`. */
  end(request: Request, response: Response): Promise<void>;
  /** Returns the id of the session with which `userIdOf` identified the user of a request; undefined if the user sent a token. */
  idOf(request: Request): string | undefined;
  /** Removes the cookie of a request whose session has ended in the meantime, if the session identified its user. */
  removeCookie(request: Request, response: Response): void;
}

export function createBrowserSessions(parts: SessionParts): BrowserSessions {
  const { sessions, secret, publicUrl, lifetimeMs, idleMs, clock } = parts;
  const isSecure = publicUrl.protocol === 'https:';
  const name = sessionCookie(publicUrl);
  const cookie: CookieOptions = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/', maxAge: lifetimeMs };
  const store = new SessionStore({ sessions, idleMs, clock });
  const middleware = session({ name, secret, cookie, store, proxy: true, resave: false, saveUninitialized: false });
  const load = (request: Request, response: Response) => {
    // If PUBLIC_URL uses https, browsers use https, even if a proxy reports http. Without this header, express-session would then not set
    // the cookie.
    if (isSecure) request.headers['x-forwarded-proto'] = 'https';
    return runHandler(middleware, request, response);
  };
  const hasCookie = (request: Request) => cookieOf(request, name) !== undefined;
  const { maxAge: _, ...place } = cookie;
  const removeCookie = (response: Response) => response.clearCookie(name, place as { path: string });
  // express-session adds this member only to the requests that it has read.
  const idOf = (request: Request) => (request as Partial<Request>).sessionID;
  return {
    cookie: name,
    idOf,
    removeCookie: (request, response) => {
      if (idOf(request) !== undefined) removeCookie(response);
    },
    userIdOf: async (request) => {
      if (request.res === undefined || !hasCookie(request)) return undefined;
      requireSameOrigin(request, publicUrl.origin);
      await load(request, request.res);
      return request.session.userId;
    },
    begin: async (request, response, userId, now) => {
      await load(request, response);
      await new Promise<void>((resolve, reject) => request.session.regenerate(toCallback(resolve, reject)));
      const endsAt = new Date(now.getTime() + lifetimeMs).toISOString();
      const data = { userId, begunAt: now.toISOString(), endsAt };
      await store.add(request.sessionID, { ...request.session, ...data }, now);
      // Changing the session makes express-session set the cookie.
      Object.assign(request.session, data);
    },
    end: async (request, response) => {
      if (!hasCookie(request)) return;
      requireSameOrigin(request, publicUrl.origin);
      await load(request, response);
      await new Promise<void>((resolve, reject) => request.session.destroy(toCallback(resolve, reject)));
      removeCookie(response);
    },
  };
}

/** Returns the name of the session cookie for this public URL. */
export function sessionCookie({ protocol }: URL): string {
  return protocol === 'https:' ? `__Host-${COOKIE}` : COOKIE;
}

const COOKIE = 'repo-insight-session';

/**
 * Rejects requests with a session cookie that change data, unless a page of this service sent them. Browsers send the header
 * `Sec-Fetch-Site`, older browsers `Origin`, and pages cannot change these headers. Requests without both are rejected, so the service
 * needs no CSRF tokens. Requests with a bearer token need no check, because other sites do not have the token.
 */
function requireSameOrigin({ method, headers }: Request, origin: string): void {
  if (SAFE.includes(method)) return;
  const site = headers['sec-fetch-site'];
  const isOurs = site === undefined ? headers.origin === origin : site === 'same-origin';
  if (isOurs) return;
  const message = `Only pages of ${origin} can send ${method} with a session; programs must send a bearer token.`;
  throw new HttpProblem('cross_site_request', message);
}

const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
