import { decodeProtectedHeader, type JWTPayload, type JWTVerifyGetKey, SignJWT } from 'jose';
import type { Account } from '../users.js';
import { readAccountFromClaims } from './account-from-claims.js';
import { invalidCredential } from './identity-error.js';
import { createPublishedKeys, type PublishedKeysOptions } from './published-keys.js';
import { requireAccessToken } from './require-access-token.js';
import { PUBLISHED_ALGORITHMS, verifyToken } from './verify-token.js';

/** The rules that a bearer token must satisfy. */
export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  /** The maximum difference between the clocks of the issuer and this service, in seconds. */
  readonly clockSkew: number;
  /** The published keys of the issuer, or a secret of at least 32 bytes that the issuer shares with this service. */
  readonly keys: PublishedKeysOptions | { readonly secret: string };
}

/** Returns the account of a token that is valid at `now`. Throws `IdentityError`. */
export type ReadToken = (token: string, now: Date) => Promise<Account>;

/** Creates a reader of bearer tokens that checks their signature, type, issuer, audience and times. It rejects ID tokens. */
export function createTokenReader({ keys, ...rules }: TokenRules): ReadToken {
  const [key, algorithms] =
    'secret' in keys
      ? [createSecretKey(keys.secret), SHARED_ALGORITHMS]
      : [createPublishedKeys(keys), PUBLISHED_ALGORITHMS];
  const checks = { ...rules, algorithms, types: BEARER_TYPES, requiredClaims: ['sub', 'exp'] };
  return async (token, now) => {
    if (token.length > MAX_LENGTH) throw invalidCredential(`The token is longer than ${MAX_LENGTH} characters.`);
    const claims = await verifyToken(token, key, { ...checks, now });
    requireAccessToken(decodeProtectedHeader(token), claims, rules.audience);
    return readAccountFromClaims(claims, now);
  };
}

/** Signs a token that `createTokenReader` accepts with the same rules, from `now` for `seconds`. */
export async function signToken(
  { issuer, audience }: Pick<TokenRules, 'issuer' | 'audience'>,
  secret: string,
  claims: JWTPayload & { readonly sub: string },
  seconds: number,
  now: Date,
): Promise<string> {
  const nowSeconds = Math.floor(now.getTime() / 1000);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(claims.iat ?? nowSeconds)
    .setExpirationTime(nowSeconds + seconds)
    .sign(new TextEncoder().encode(secret));
}

const MAX_LENGTH = 8_192;

const SHARED_ALGORITHMS = ['HS256', 'HS384', 'HS512'];

/** Accepted values of the header `typ`: plain tokens, and access tokens of RFC 9068. */
const BEARER_TYPES = ['jwt', 'at+jwt'];

function createSecretKey(secret: string): JWTVerifyGetKey {
  const bytes = new TextEncoder().encode(secret);
  return async () => bytes;
}
