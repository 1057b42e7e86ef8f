import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';
import { IdentityError, invalidCredential } from './identity-error.js';

/** Algorithms of published keys. HMAC is not among them: a published key must never serve as a shared secret. */
export const PUBLISHED_ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

export interface TokenChecks extends Omit<JWTVerifyOptions, 'typ' | 'clockTolerance'> {
  /** Values of the header `typ` in lower case, without `application/`; a token without `typ` is always accepted. */
  readonly types: readonly string[];
  /** Seconds by which the clocks of issuer and service may differ. */
  readonly clockSkew: number;
}

/**
 * Checks the signature, the kind and the times of a token (JWT, RFC 7519), and returns its claims. Throws `credential_invalid`,
 * or `identity_unavailable` if the keys cannot be fetched.
 */
export async function verifyToken(token: string, key: JWTVerifyGetKey, checks: TokenChecks): Promise<JWTPayload> {
  const { types, clockSkew, ...options } = checks;
  const verified = jwtVerify(token, key, { ...options, clockTolerance: clockSkew });
  const { payload, protectedHeader } = await verified.catch((error: unknown) => {
    throw explain(error);
  });
  if (!isCanonical(token)) throw invalidCredential(WRONG_SIGNATURE);
  if (!isOfType(protectedHeader.typ, types)) {
    throw invalidCredential('The type of the token is not accepted here (header "typ").');
  }
  // RFC 8417: such a token reports an event, for example a sign-out, and identifies no caller.
  if (payload.events !== undefined) throw invalidCredential('The token reports events (claim "events").');
  return payload;
}

const WRONG_SIGNATURE = 'The signature of the token is wrong.';

/** Whether the signature has the issuer's spelling: its last letter has bits without a meaning, which jose ignores. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** Media types have no case, and `application/` may be left out (RFC 7515, 4.1.9). */
function isOfType(typ: unknown, types: readonly string[]): boolean {
  if (typ === undefined) return true;
  return typeof typ === 'string' && types.includes(typ.toLowerCase().replace(/^application\//, ''));
}

function explain(error: unknown): IdentityError {
  if (error instanceof errors.JWTExpired) return invalidCredential('The token has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    return invalidCredential(
      `The claim "${error.claim}" of the token is missing or not the one that this service expects.`,
    );
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return invalidCredential('The token is signed by an algorithm that is not accepted.');
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return invalidCredential('The token is signed by a key that its issuer does not publish.');
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return invalidCredential(WRONG_SIGNATURE);
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) {
    return invalidCredential('This is not a token (JWT).');
  }
  if (error instanceof errors.JOSENotSupported || error instanceof errors.JWKSMultipleMatchingKeys) {
    return invalidCredential('The header of the token asks for what is not supported.');
  }
  const message = 'The keys of the issuer of tokens cannot be fetched at the moment.';
  return new IdentityError('identity_unavailable', message, { cause: error });
}
