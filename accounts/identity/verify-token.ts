import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';
import { IdentityError, invalidCredential } from './sign-in-provider.js';

/**
 * Signature algorithms that are allowed with published keys. HMAC is excluded: a published key must never serve as a
 * shared secret.
 */
export const PUBLISHED_ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

export interface TokenChecks extends Omit<JWTVerifyOptions, 'typ' | 'clockTolerance' | 'currentDate'> {
  /**
   * Accepted values of the header `typ`, in lower case and without `application/`. A token without `typ` is always
   * accepted.
   */
  readonly types: readonly string[];
  /** The maximum difference between the clocks of the issuer and this service, in seconds. */
  readonly clockSkew: number;
  /** The time at which the token must be valid. */
  readonly now: Date;
}

/**
 * Checks the signature, the type and the times of a token (JWT, RFC 7519) and returns its claims. Throws
 * `credential_invalid`, or `identity_unavailable` if the keys cannot be fetched.
 */
export async function verifyToken(token: string, key: JWTVerifyGetKey, checks: TokenChecks): Promise<JWTPayload> {
  const { types, clockSkew, now, ...options } = checks;
  const verified = jwtVerify(token, key, { ...options, clockTolerance: clockSkew, currentDate: now });
  const { payload, protectedHeader } = await verified.catch((error: unknown) => {
    throw toIdentityError(error);
  });
  if (!isCanonical(token)) throw invalidCredential(INVALID_SIGNATURE);
  if (!isOfType(protectedHeader.typ, types)) {
    throw invalidCredential('This service does not accept the type of the token (header "typ").');
  }
  // A security event token (RFC 8417) reports an event, for example a sign-out, and does not identify a caller.
  if (payload.events !== undefined) throw invalidCredential('The token reports events (claim "events").');
  return payload;
}

const INVALID_SIGNATURE = 'The signature of the token is invalid.';

/** Whether the signature is in canonical base64url. jose ignores the unused bits in the last character. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** Media types are case-insensitive and may omit `application/` (RFC 7515, section 4.1.9). */
function isOfType(typ: unknown, types: readonly string[]): boolean {
  if (typ === undefined) return true;
  return typeof typ === 'string' && types.includes(typ.toLowerCase().replace(/^application\//, ''));
}

function toIdentityError(error: unknown): IdentityError {
  if (error instanceof errors.JWTExpired) return invalidCredential('The token has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    return invalidCredential(`The claim "${error.claim}" of the token is missing or does not have the expected value.`);
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return invalidCredential('This service does not accept the algorithm of the signature.');
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return invalidCredential('The issuer does not publish the key of the signature.');
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return invalidCredential(INVALID_SIGNATURE);
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) {
    return invalidCredential('The credential is not a token (JWT).');
  }
  if (error instanceof errors.JOSENotSupported || error instanceof errors.JWKSMultipleMatchingKeys) {
    return invalidCredential('The header of the token contains an unsupported value.');
  }
  const message = 'The keys of the token issuer cannot be fetched at the moment.';
  return new IdentityError('identity_unavailable', message, { cause: error });
}
