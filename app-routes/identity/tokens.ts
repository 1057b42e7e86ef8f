import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';
import type { Account } from '../../warehouse/state/users.js';
import { HttpProblem } from '../http-problem.js';
import { accountText, MAX_SUBJECT_LENGTH, MAX_TEXT_LENGTH, pictureAddress } from './account-text.js';
import { type PublishedKeys, publishedKeys } from './published-keys.js';

export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  /** Seconds by which the clocks of issuer and service may differ. */
  readonly clockSkew: number;
  /** Where the issuer publishes its keys, or the secret that it shares with this service, at least 32 bytes. */
  readonly keys: PublishedKeys | { readonly secret: string };
}

/** Whose account a token is, once it is known that the token holds. Throws `HttpProblem`. */
export type ReadToken = (token: string) => Promise<Account>;

/** Checks tokens (JWT, RFC 7519): signature, issuer, audience and times. */
export function createTokenReader({ issuer, audience, clockSkew, keys }: TokenRules): ReadToken {
  const [key, algorithms] = 'secret' in keys ? [secretKey(keys.secret), SHARED] : [publishedKeys(keys), PUBLISHED];
  const options = { issuer, audience, algorithms, clockTolerance: clockSkew, requiredClaims: ['sub', 'exp'] };
  return async (token) => {
    if (token.length > MAX_LENGTH) throw invalid(`The token is longer than ${MAX_LENGTH} characters.`);
    const { payload } = await jwtVerify(token, key, options).catch((error: unknown) => {
      throw explain(error);
    });
    if (!isCanonical(token)) throw invalid(WRONG_SIGNATURE);
    return accountOf(payload);
  };
}

/** A token that `createTokenReader` takes with the same rules. */
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

/** 401 with what a client needs to know of it (RFC 6750). */
export function invalid(message: string): HttpProblem {
  const headers = { 'WWW-Authenticate': 'Bearer realm="repo-insight", error="invalid_token"' };
  return new HttpProblem('credential_invalid', message, { headers });
}

const MAX_LENGTH = 8_192;

/** A published key never is a secret of HMAC: that a token says otherwise must not matter. */
const SHARED = ['HS256', 'HS384', 'HS512'];
const PUBLISHED = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

function secretKey(secret: string): JWTVerifyGetKey {
  const bytes = new TextEncoder().encode(secret);
  return async () => bytes;
}

const WRONG_SIGNATURE = 'The signature of the token is wrong.';

/** Whether the signature is written as its issuer writes it: its last letter has bits that mean nothing, which jose passes over. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

function explain(error: unknown): HttpProblem {
  if (error instanceof errors.JWTExpired) return invalid('The token has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    return invalid(`The claim "${error.claim}" of the token is missing or not the one that this service expects.`);
  }
  if (error instanceof errors.JOSEAlgNotAllowed)
    return invalid('The token is signed by an algorithm that is not taken.');
  if (error instanceof errors.JWKSNoMatchingKey)
    return invalid('The token is signed by a key that its issuer does not publish.');
  if (error instanceof errors.JWSSignatureVerificationFailed) return invalid(WRONG_SIGNATURE);
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid)
    return invalid('This is no token (JWT).');
  if (error instanceof errors.JOSENotSupported || error instanceof errors.JWKSMultipleMatchingKeys) {
    return invalid('The header of the token asks for what is not supported.');
  }
  const message = 'The keys of the issuer of tokens cannot be fetched for the moment.';
  return new HttpProblem('identity_unavailable', message, { cause: error });
}

/** The account that the claims of a token are about. Throws `HttpProblem`. */
export function accountOf(claims: JWTPayload): Account {
  const sub = text(claims, 'sub');
  if (sub === '' || sub.length > MAX_SUBJECT_LENGTH) {
    throw invalid(`The claim "sub" of the token must be 1 to ${MAX_SUBJECT_LENGTH} characters.`);
  }
  // Brokers of several providers tell both in one claim.
  const [, provider = String(claims.iss), accountId = sub] = /^([\w-]+)\|(.+)$/.exec(sub) ?? [];
  const login = text(claims, 'preferred_username') || text(claims, 'nickname') || accountId;
  return {
    provider,
    accountId,
    login,
    name: text(claims, 'name'),
    email: claims.email_verified === false ? '' : text(claims, 'email'),
    avatarUrl: pictureAddress(claims.picture),
    toldAt: timeOf(claims.iat),
  };
}

/** What was told after now would keep out whatever is told later. */
function timeOf(iat = 0): Date {
  return new Date(Math.min(Math.max(iat * 1000, 0), Date.now()));
}

function text(claims: JWTPayload, name: string): string {
  const value = accountText(claims[name]);
  if (value !== undefined) return value;
  throw invalid(`The claim "${name}" of the token must be text of at most ${MAX_TEXT_LENGTH} characters.`);
}
