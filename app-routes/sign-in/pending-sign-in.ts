import { createHash } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { SignInChecks } from '../../accounts/identity/sign-in-provider.js';
import { cookieOf } from './cookies.js';

/** The data of a sign-in from its start until the browser returns from the provider. */
export interface PendingSignIn extends SignInChecks {
  /** A path of this service. */
  readonly returnTo: string;
}

/**
 * Stores pending sign-ins in an encrypted cookie of the browser. So a sign-in that the user does not finish needs no
 * storage in the service.
 */
export interface PendingSignIns {
  keep(response: Response, pending: PendingSignIn): Promise<void>;
  /** Returns undefined if this browser started no sign-in within ten minutes. The response deletes the cookie. */
  take(request: Request, response: Response): Promise<PendingSignIn | undefined>;
}

export function createPendingSignIns(secret: string, publicUrl: URL, clock: () => Date): PendingSignIns {
  const isSecure = publicUrl.protocol === 'https:';
  const name = isSecure ? `__Host-${COOKIE}` : COOKIE;
  const place: CookieOptions = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' };
  const key = createHash('sha256').update(`${COOKIE}\0${secret}`).digest();
  return {
    keep: async (response, pending) => {
      const sealed = await new EncryptJWT({ ...pending })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(new Date(clock().getTime() + MINUTES * 60_000))
        .encrypt(key);
      response.cookie(name, sealed, { ...place, maxAge: MINUTES * 60_000 });
    },
    take: async (request, response) => {
      const sealed = cookieOf(request, name);
      if (sealed === undefined) return undefined;
      response.clearCookie(name, place);
      const algorithms = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
      const options = { ...algorithms, currentDate: clock() };
      return jwtDecrypt<PendingSignIn>(sealed, key, options).then(
        ({ payload }) => payload,
        () => undefined,
      );
    },
  };
}

const COOKIE = 'repo-insight-sign-in';
const MINUTES = 10;
