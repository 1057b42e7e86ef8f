import { createHash } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { SignInChecks } from '../../accounts/identity/sign-in-provider.js';
import { cookieOf } from './cookies.js';

/** What the service must remember until a browser comes back from the provider. */
export interface PendingSignIn extends SignInChecks {
  /** A path of this service. */
  readonly returnTo: string;
}

/** Sign-ins that were begun are kept in the browser's own cookie, so that those never finished cost nothing here. */
export interface PendingSignIns {
  keep(response: Response, pending: PendingSignIn): Promise<void>;
  /** Undefined where none was begun in this browser within ten minutes. The cookie goes with the response. */
  take(request: Request, response: Response): Promise<PendingSignIn | undefined>;
}

export function createPendingSignIns(secret: string, publicUrl: URL): PendingSignIns {
  const isSecure = publicUrl.protocol === 'https:';
  const name = isSecure ? `__Host-${COOKIE}` : COOKIE;
  const place: CookieOptions = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' };
  const key = createHash('sha256').update(`${COOKIE}\0${secret}`).digest();
  return {
    keep: async (response, pending) => {
      const sealed = await new EncryptJWT({ ...pending })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(`${MINUTES}m`)
        .encrypt(key);
      response.cookie(name, sealed, { ...place, maxAge: MINUTES * 60_000 });
    },
    take: async (request, response) => {
      const sealed = cookieOf(request, name);
      if (sealed === undefined) return undefined;
      response.clearCookie(name, place);
      const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
      return jwtDecrypt<PendingSignIn>(sealed, key, options).then(
        ({ payload }) => payload,
        () => undefined,
      );
    },
  };
}

const COOKIE = 'repo-insight-sign-in';
const MINUTES = 10;
