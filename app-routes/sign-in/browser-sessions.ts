import type { Request, Response } from 'express';
import session, { type CookieOptions } from 'express-session';
import type { Sessions } from '../../accounts/sessions.js';
import { runHandler, settled } from '../../http/requests/run-handler.js';
import { cookieOf } from './cookies.js';
import { requireSameOrigin } from './same-origin.js';
import { SessionStore } from './session-store.js';

export interface SessionParts {
  readonly sessions: Sessions;
  /** Signs cookies. */
  readonly secret: string;
  /** Where browsers reach this service. */
  readonly publicUrl: URL;
  /** For how long a session lasts at most, and when it is not used. */
  readonly lifetimeMs: number;
  readonly idleMs: number;
  readonly clock: () => Date;
}

/** Sessions of people who signed in with a browser. */
export interface BrowserSessions {
  /** The name of the cookie. */
  readonly cookie: string;
  /** Whose session a request belongs to. Throws `cross_site_request` where another site may have sent it. */
  userIdOf(request: Request): Promise<number | undefined>;
  /** Begins a session, under a new id whatever the browser brought. */
  begin(request: Request, response: Response, userId: number, now: Date): Promise<void>;
  /** Ends the session of a request, if it has one. Throws as `userIdOf`. */
  end(request: Request, response: Response): Promise<void>;
}

export function createBrowserSessions(parts: SessionParts): BrowserSessions {
  const { sessions, secret, publicUrl, lifetimeMs, idleMs, clock } = parts;
  const isSecure = publicUrl.protocol === 'https:';
  const name = sessionCookie(publicUrl);
  const cookie: CookieOptions = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/', maxAge: lifetimeMs };
  const store = new SessionStore({ sessions, idleMs, clock });
  const middleware = session({ name, secret, cookie, store, proxy: true, resave: false, saveUninitialized: false });
  const load = (request: Request, response: Response) => {
    // The operator's word that browsers come by https counts, whatever stands in between; else no cookie would be set.
    if (isSecure) request.headers['x-forwarded-proto'] = 'https';
    return runHandler(middleware, request, response);
  };
  const isIn = (request: Request) => cookieOf(request, name) !== undefined;
  return {
    cookie: name,
    userIdOf: async (request) => {
      if (request.res === undefined || !isIn(request)) return undefined;
      requireSameOrigin(request, publicUrl.origin);
      await load(request, request.res);
      return request.session.userId;
    },
    begin: async (request, response, userId, now) => {
      await load(request, response);
      await new Promise<void>((resolve, reject) => request.session.regenerate(settled(resolve, reject)));
      const endsAt = new Date(now.getTime() + lifetimeMs).toISOString();
      const begun = { userId, begunAt: now.toISOString(), endsAt };
      await store.add(request.sessionID, { ...request.session, ...begun }, now);
      // A session that was changed gets the browser its cookie.
      Object.assign(request.session, begun);
    },
    end: async (request, response) => {
      if (!isIn(request)) return;
      requireSameOrigin(request, publicUrl.origin);
      await load(request, response);
      await new Promise<void>((resolve, reject) => request.session.destroy(settled(resolve, reject)));
      const { maxAge: _, ...place } = cookie;
      response.clearCookie(name, place as { path: string });
    },
  };
}

/** The name of the cookie where browsers reach the service at this URL. */
export function sessionCookie({ protocol }: URL): string {
  return protocol === 'https:' ? `__Host-${COOKIE}` : COOKIE;
}

const COOKIE = 'repo-insight-session';
