import {
  decodeProtectedHeader,
  type JWTPayload,
  type JWTVerifyGetKey,
  type ProtectedHeaderParameters,
  SignJWT,
} from 'jose';
import type { Account } from '../users.js';
import { readAccountFromClaims } from './account-from-claims.js';
import { createPublishedKeys, type PublishedKeysOptions } from './published-keys.js';
import { invalidCredential } from './sign-in-provider.js';
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

/** Validates a token at the time `now` and returns its account. Throws `IdentityError`. */
export type ReadToken = (token: string, now: Date) => Promise<Account>;

/** Creates a reader of the accounts in bearer tokens, with the checks of `createClaimsReader`. */
export function createTokenReader(rules: TokenRules): ReadToken {
  const readClaims = createClaimsReader(rules);
  return async (token, now) => readAccountFromClaims(await readClaims(token, now), now);
}

/** Validates a token at the time `now` and returns its claims. Throws `IdentityError`. */
export type ReadClaims = (token: string, now: Date) => Promise<JWTPayload>;

/** Creates a reader of bearer tokens that checks their signature, type, issuer, audience and times. The reader rejects ID tokens. */
export function createClaimsReader({ keys, ...rules }: TokenRules): ReadClaims {
  const [key, algorithms] =
    'secret' in keys
      ? [createSecretKey(keys.secret), SHARED_ALGORITHMS]
      : [createPublishedKeys(keys), PUBLISHED_ALGORITHMS];
  const checks = { ...rules, algorithms, types: BEARER_TYPES, requiredClaims: ['sub', 'exp'] };
  return async (token, now) => {
    if (token.length > MAX_LENGTH) throw invalidCredential(`The token is longer than ${MAX_LENGTH} characters.`);
    const claims = await verifyToken(token, key, { ...checks, now });
    requireAccessToken(decodeProtectedHeader(token), claims, rules.audience);
    return claims;
  };
}

/** Signs a token that is valid from `now` for `seconds`. `createTokenReader` with the same rules accepts the token. */
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

/**
 * Throws `credential_invalid` for an ID token. An ID token proves a sign-in to one client. If an ID token were accepted here, this client
 * could send requests as the user. `audience` is the name of this service in tokens.
 *
 * Only access tokens may have the type `at+jwt` (RFC 9068). Some issuers use `JWT` for both kinds of tokens; then the claims are checked.
 */
function requireAccessToken({ typ }: ProtectedHeaderParameters, claims: JWTPayload, audience: string): void {
  if (typ !== undefined && isAccessTokenType(typ)) return;
  const claim = findClaimOfIdToken(claims, audience);
  if (claim === undefined) return;
  throw invalidCredential(`The token is an ID token (claim "${claim}"). Send an access token for this service.`);
}

/** Media types are case-insensitive and may omit `application/` (RFC 7515, section 4.1.9). */
function isAccessTokenType(typ: string): boolean {
  return typ.toLowerCase().replace(/^application\//, '') === 'at+jwt';
}

function findClaimOfIdToken(claims: JWTPayload, audience: string): string | undefined {
  const hash = HASHES.find((name) => claims[name] !== undefined);
  if (hash !== undefined) return hash;
  if (claims.typ === 'ID') return 'typ';
  if (claims.token_use === 'id') return 'token_use';
  // Keycloak marks access tokens with this claim. Until version 24, Keycloak also copied the nonce into access tokens.
  if (claims.typ === 'Bearer') return undefined;
  if (claims.nonce !== undefined) return 'nonce';
  // The audience is the client itself, as in an ID token. Only access tokens have scopes.
  const hasScopes = claims.scope !== undefined || claims.scp !== undefined;
  return claims.azp === audience && !hasScopes ? 'azp' : undefined;
}

/** Claims of ID tokens that contain hashes of values from the same response (OpenID Connect Core, section 3.3.2.11; `s_hash` of FAPI). */
const HASHES = ['at_hash', 'c_hash', 's_hash'];
