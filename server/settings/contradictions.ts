import { parseMysqlUrl } from '../../databases/mysql/address.js';
import { SETTINGS, type Settings } from './settings.js';

/** What would be passed over without a word, or write where nobody reads. */
export function contradictions(settings: Settings): string[] {
  return [
    ...otherDatabases(settings),
    ...sameShadow(settings),
    ...playgroundElsewhere(settings),
    ...keysOfTwoKinds(settings),
    ...halfASignIn(settings),
  ];
}

function playgroundElsewhere({ databaseUrl, playgroundDatabaseUrl }: Settings): string[] {
  if (playgroundDatabaseUrl === undefined || databaseUrl?.startsWith('mysql:')) return [];
  return [`${SETTINGS.playgroundDatabaseUrl.name}: expected DATABASE_URL to name the same database, by mysql://…`];
}

function keysOfTwoKinds({ jwtJwksUrl, jwtSecret }: Settings): string[] {
  if (jwtJwksUrl === undefined || jwtSecret === undefined) return [];
  return ['JWT_SECRET: expected nothing beside JWT_JWKS_URL: tokens are checked by published keys or by a secret'];
}

function sameShadow({ databaseUrl, shadowDatabaseUrl }: Settings): string[] {
  if (shadowDatabaseUrl === undefined || shadowDatabaseUrl !== databaseUrl) return [];
  return [`${SETTINGS.shadowDatabaseUrl.name}: expected another database than DATABASE_URL`];
}

/** A provider needs all three; a client without a provider is one that was forgotten. */
function halfASignIn({ oidcIssuer, oidcClientId, oidcClientSecret, publicUrl }: Settings): string[] {
  if (oidcIssuer === undefined) {
    const isAlone = oidcClientId !== undefined || oidcClientSecret !== undefined;
    return isAlone ? ['OIDC_ISSUER: expected the URL of the provider beside OIDC_CLIENT_ID, got nothing'] : [];
  }
  return [
    ...(oidcClientId === undefined ? ['OIDC_CLIENT_ID: expected the id that OIDC_ISSUER gave, got nothing'] : []),
    ...(publicUrl === undefined
      ? ['PUBLIC_URL: expected the URL of this service beside OIDC_ISSUER, got nothing']
      : []),
  ];
}

function otherDatabases({ databaseUrl, databaseWriteUrl }: Settings): string[] {
  if (databaseWriteUrl === undefined) return [];
  const { name } = SETTINGS.databaseWriteUrl;
  if (!databaseUrl?.startsWith('mysql:'))
    return [`${name}: expected DATABASE_URL to name the same database, by mysql://…`];
  const [read, write] = [databaseUrl, databaseWriteUrl].map((url) => parseMysqlUrl(url).database);
  return read === write ? [] : [`${name}: expected the database of DATABASE_URL, ${read}, got ${write}`];
}
