import type { JWTPayload, ProtectedHeaderParameters } from 'jose';
import { invalidCredential } from './identity-error.js';

/**
 * Throws `credential_invalid` for an ID token. An ID token is the proof of a sign-in for one client. If it were accepted
 * here, this client could send requests as the user. `audience` is the name of this service in tokens.
 *
 * The header `at+jwt` is only allowed in access tokens (RFC 9068). Other issuers use `JWT` in both kinds of tokens, so
 * that only the claims show the kind.
 */
export function requireAccessToken({ typ }: ProtectedHeaderParameters, claims: JWTPayload, audience: string): void {
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
  // Keycloak marks access tokens so. Until version 24 it copied the nonce into them.
  if (claims.typ === 'Bearer') return undefined;
  if (claims.nonce !== undefined) return 'nonce';
  // The token was issued to a client that has the name of the audience. Only access tokens have scopes.
  const hasScopes = claims.scope !== undefined || claims.scp !== undefined;
  return claims.azp === audience && !hasScopes ? 'azp' : undefined;
}

/** The hashes of what a provider returned with an ID token (OpenID Connect Core, section 3.3.2.11; `s_hash` of FAPI). */
const HASHES = ['at_hash', 'c_hash', 's_hash'];
