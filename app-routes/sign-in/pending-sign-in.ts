import { createHash } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { SignInChecks } from '../../accounts/identity/sign-in-provider.js';
import { type Cookie, cookieOf, cookiesOf } from './cookies.js';

/** The data of a sign-in, from its start until the provider redirects the browser back. */
export interface PendingSignIn extends SignInChecks {
  /** The path of this service to which the browser is redirected after the sign-in. */
  readonly returnTo: string;
}

/**
 * Stores each pending sign-in in an encrypted cookie of the browser, so the service does not store unfinished sign-ins. The name of the
 * cookie contains a hash of the state, so that sign-ins in several tabs do not replace each other.
 */
export interface PendingSignIns {
  /** Adds a cookie for a sign-in to the response. Deletes the oldest sign-ins of this browser if there are too many. */
  keep(request: Request, response: Response, pending: PendingSignIn): Promise<void>;
  /**
   * Returns the sign-in with this state, and deletes its cookie in the response. Undefined if this browser has not started it within the
   * last ten minutes. Other sign-ins of the browser are not affected.
   */
  take(request: Request, response: Response, state: string): Promise<PendingSignIn | undefined>;
}

export function createPendingSignIns(secret: string, publicUrl: URL, clock: () => Date): PendingSignIns {
  const isSecure = publicUrl.protocol === 'https:';
  const prefix = `${isSecure ? '__Host-' : ''}${COOKIE}-`;
  const place: CookieOptions = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' };
  const key = createHash('sha256').update(`${COOKIE}\0${secret}`).digest();
  const nameOf = (state: string) => prefix + createHash('sha256').update(state).digest('hex').slice(0, 16);
  const open = (sealed: string) => {
    const algorithms = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
    return jwtDecrypt<PendingSignIn>(sealed, key, { ...algorithms, currentDate: clock() }).then(
      ({ payload }) => payload,
      () => undefined,
    );
  };
  return {
    keep: async (request, response, pending) => {
      const sealed = await new EncryptJWT({ ...pending })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(new Date(clock().getTime() + MINUTES * 60_000))
        .encrypt(key);
      const earlier = cookiesOf(request).filter(({ name }) => name.startsWith(prefix));
      for (const name of findSurplus(earlier, sealed.length)) response.clearCookie(name, place);
      response.cookie(nameOf(pending.state), sealed, { ...place, maxAge: MINUTES * 60_000 });
    },
    take: async (request, response, state) => {
      const name = nameOf(state);
      const sealed = cookieOf(request, name);
      const pending = sealed === undefined ? undefined : await open(sealed);
      if (pending?.state !== state) return undefined;
      response.clearCookie(name, place);
      return pending;
    },
  };
}

const COOKIE = 'repo-insight-sign-in';
const MINUTES = 10;

/** The maximum number of pending sign-ins of a browser. */
const MAX_PENDING = 5;
/**
 * The maximum total size of their cookies in bytes. Request headers are limited to 16 KB, so a browser with larger cookies would get the
 * status 431.
 */
const MAX_BYTES = 8_192;

/**
 * Returns the names of the cookies that must be deleted so that a new cookie of this size is within the limits. Browsers send the oldest
 * cookies first (RFC 6265, section 5.4).
 */
function findSurplus(earlier: readonly Cookie[], size: number): string[] {
  let [count, bytes] = [1, size];
  return [...earlier]
    .reverse()
    .filter(({ value }) => {
      count += 1;
      bytes += value.length;
      return count > MAX_PENDING || bytes > MAX_BYTES;
    })
    .map(({ name }) => name);
}
