import { type JWTPayload, type JWTVerifyGetKey, SignJWT } from 'jose';
import type { Account } from '../users.js';
import { accountOf } from './account-from-claims.js';
import { invalidCredential } from './identity-error.js';
import { type PublishedKeys, publishedKeys } from './published-keys.js';
import { PUBLISHED_ALGORITHMS, verifyToken } from './verify-token.js';

export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  /** Seconds by which the clocks of issuer and service may differ. */
  readonly clockSkew: number;
  /** Where the issuer publishes its keys, or the secret that it shares with this service, at least 32 bytes. */
  readonly keys: PublishedKeys | { readonly secret: string };
}

/** Returns the account of a valid token. Throws `IdentityError`. */
export type ReadToken = (token: string) => Promise<Account>;

/** Reads bearer tokens; checks their signature, kind, issuer, audience and times. */
export function createTokenReader({ keys, ...rules }: TokenRules): ReadToken {
  const [key, algorithms] =
    'secret' in keys ? [secretKey(keys.secret), SHARED] : [publishedKeys(keys), PUBLISHED_ALGORITHMS];
  const checks = { ...rules, algorithms, types: BEARER_TYPES, requiredClaims: ['sub', 'exp'] };
  return async (token) => {
    if (token.length > MAX_LENGTH) throw invalidCredential(`The token is longer than ${MAX_LENGTH} characters.`);
    return accountOf(await verifyToken(token, key, checks));
  };
}

/** A token that `createTokenReader` accepts with the same rules. */
export async function signToken(
  { issuer, audience }: Pick<TokenRules, 'issuer' | 'audience'>,
  secret: string,
  claims: JWTPayload & { readonly sub: string },
  seconds: number,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(claims.iat ?? now)
    .setExpirationTime(now + seconds)
    .sign(new TextEncoder().encode(secret));
}

const MAX_LENGTH = 8_192;

const SHARED = ['HS256', 'HS384', 'HS512'];

/** Plain tokens, and access tokens of RFC 9068. */
const BEARER_TYPES = ['jwt', 'at+jwt'];

function secretKey(secret: string): JWTVerifyGetKey {
  const bytes = new TextEncoder().encode(secret);
  return async () => bytes;
}
