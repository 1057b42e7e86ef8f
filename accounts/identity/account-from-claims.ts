import type { JWTPayload } from 'jose';
import type { Account } from '../users.js';
import {
  accountId,
  displayName,
  emailAddress,
  readLogin,
  MAX_SUBJECT_LENGTH,
  MAX_TEXT_LENGTH,
  pictureAddress,
} from './account-fields.js';
import { invalidCredential } from './identity-error.js';

/** The account that the claims of a token describe. Throws `credential_invalid` if they do not identify one. */
export function accountOf(claims: JWTPayload): Account {
  const sub = accountId(claims.sub);
  if (sub === undefined) {
    throw invalidCredential(
      `The claim "sub" of the token must be text of 1 to ${MAX_SUBJECT_LENGTH} characters of one line.`,
    );
  }
  // Brokers of several providers name the provider and the account in one claim.
  const [, provider = String(claims.iss), id = sub] = /^([\w-]+)\|(.+)$/.exec(sub) ?? [];
  return {
    provider,
    accountId: id,
    login: loginOf(claims, id),
    name: displayName(claims.name),
    email: claims.email_verified === true ? emailAddress(claims.email) : '',
    avatarUrl: pictureAddress(claims.picture),
    toldAt: timeOf(claims.iat),
  };
}

/** The claims of an ID token with those of the user info endpoint, which are newer; an e-mail address stays with its own `email_verified`. */
export function withUserInfo(idToken: JWTPayload, userInfo: Readonly<Record<string, unknown>>): JWTPayload {
  const { email, email_verified } = userInfo.email === undefined ? idToken : userInfo;
  return { ...idToken, ...userInfo, email, email_verified, iss: idToken.iss, iat: idToken.iat } as JWTPayload;
}

/** The first login that the claims give, else the id of the account. */
function loginOf(claims: JWTPayload, id: string): string {
  const given = ['preferred_username', 'nickname'].find((name) => (claims[name] ?? '') !== '');
  const login = readLogin(given === undefined ? id : claims[given]);
  if (login !== undefined) return login;
  throw invalidCredential(
    `The claim "${given ?? 'sub'}" of the token must be text of 1 to ${MAX_TEXT_LENGTH} characters that can be seen.`,
  );
}

/** A time in the future would keep out every later change of the account. */
function timeOf(iat = 0): Date {
  return new Date(Math.min(Math.max(iat * 1000, 0), Date.now()));
}
