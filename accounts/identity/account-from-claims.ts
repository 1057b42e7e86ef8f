import type { JWTPayload } from 'jose';
import type { Account } from '../users.js';
import {
  MAX_SUBJECT_LENGTH,
  MAX_TEXT_LENGTH,
  readAccountId,
  readDisplayName,
  readEmailAddress,
  readLogin,
  readPictureUrl,
} from './account-fields.js';
import { invalidCredential } from './sign-in-provider.js';

/** Provider names that mean GitHub: `host` in this service, and usually `github` at identity brokers. */
export const GITHUB_PROVIDERS: readonly string[] = ['host', 'github'];

/**
 * Reads the account from the claims of a token. Throws `credential_invalid` if the claims do not identify an account. `isTokenIssuer` is
 * false for a sign-in provider that is not the issuer of the bearer tokens. The sign-in provider and
 * the token issuer can use the same provider name for different accounts. So with `isTokenIssuer: false`, a provider name is only accepted
 * if it means GitHub.
 */
export function readAccountFromClaims(claims: JWTPayload, now: Date, isTokenIssuer = true): Account {
  const sub = readAccountId(claims.sub);
  if (sub === undefined) {
    throw invalidCredential(`The claim "sub" of the token must be one line of 1 to ${MAX_SUBJECT_LENGTH} characters.`);
  }
  // A broker for several providers writes `provider|account` into the claim `sub`.
  const [, name = '', ofProvider = ''] = /^([\w-]+)\|(.+)$/.exec(sub) ?? [];
  const isOfProvider = name !== '' && (isTokenIssuer || GITHUB_PROVIDERS.includes(name));
  const [provider, id] = isOfProvider ? [name, ofProvider] : [String(claims.iss), sub];
  return {
    provider,
    accountId: id,
    login: findLogin(claims, id),
    name: readDisplayName(claims.name),
    email: claims.email_verified === true ? readEmailAddress(claims.email) : '',
    avatarUrl: readPictureUrl(claims.picture),
    profileAt: issuedAt(claims.iat, now),
  };
}

/**
 * Merges the claims of an ID token with the newer claims of the user info endpoint. The merged e-mail address and
 * `email_verified` always come from the same source.
 */
export function mergeUserInfo(idToken: JWTPayload, userInfo: Readonly<Record<string, unknown>>): JWTPayload {
  const { email, email_verified } = userInfo.email === undefined ? idToken : userInfo;
  return { ...idToken, ...userInfo, email, email_verified, iss: idToken.iss, iat: idToken.iat } as JWTPayload;
}

/** Returns the first login in the claims, or the id of the account if the claims contain no login. */
function findLogin(claims: JWTPayload, id: string): string {
  const source = ['preferred_username', 'nickname'].find((name) => (claims[name] ?? '') !== '');
  const login = readLogin(source === undefined ? id : claims[source]);
  if (login !== undefined) return login;
  throw invalidCredential(
    `The claim "${source ?? 'sub'}" of the token must be text of 1 to ${MAX_TEXT_LENGTH} visible characters.`,
  );
}

/** Limits the time to `now`, because a time in the future would block all later updates of the account. */
function issuedAt(iat = 0, now: Date): Date {
  return new Date(Math.min(Math.max(iat * 1000, 0), now.getTime()));
}
