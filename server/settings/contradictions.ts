import { parseMysqlUrl } from '../../databases/mysql/connection/address.js';
import { databasePlace } from './database-location.js';
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

function sameShadow({ databaseUrl, shadowDatabaseUrl, dataDirectory }: Settings): string[] {
  if (shadowDatabaseUrl === undefined) return [];
  const [ours, shadows] = [databaseUrl, shadowDatabaseUrl].map((url) =>
    databasePlace({ databaseUrl: url, dataDirectory }),
  );
  if (ours !== shadows) return [];
  return [`${SETTINGS.shadowDatabaseUrl.name}: expected another database than DATABASE_URL`];
}

const PLAIN_OAUTH = ['oauthAuthorizationUrl', 'oauthTokenUrl', 'oauthUserUrl'] as const;

/** A provider has to be whole, with a client of it; a client without a provider is one that was forgotten. */
function halfASignIn(settings: Settings): string[] {
  const { oidcIssuer, oidcClientId, oidcClientSecret, publicUrl } = settings;
  const given = PLAIN_OAUTH.find((key) => settings[key] !== undefined);
  if (oidcIssuer === undefined && given === undefined) {
    const isAlone = oidcClientId !== undefined || oidcClientSecret !== undefined;
    return isAlone
      ? ['OIDC_ISSUER: expected the URL of the provider beside OIDC_CLIENT_ID, or OAUTH_…_URL, got nothing']
      : [];
  }
  const { name } = SETTINGS[given ?? 'oidcIssuer'];
  return [
    ...(given === undefined ? [] : plainOauth(settings, name)),
    ...(oidcClientId === undefined ? ['OIDC_CLIENT_ID: expected the id that the provider gave, got nothing'] : []),
    ...(publicUrl === undefined ? [`PUBLIC_URL: expected the URL of this service beside ${name}, got nothing`] : []),
  ];
}

function plainOauth(settings: Settings, given: string): string[] {
  if (settings.oidcIssuer !== undefined)
    return [`${given}: expected nothing beside OIDC_ISSUER: one provider is asked`];
  return PLAIN_OAUTH.filter((key) => settings[key] === undefined).map(
    (key) => `${SETTINGS[key].name}: expected the URL of the provider beside ${given}, got nothing`,
  );
}

function otherDatabases({ databaseUrl, databaseWriteUrl }: Settings): string[] {
  if (databaseWriteUrl === undefined) return [];
  const { name } = SETTINGS.databaseWriteUrl;
  if (!databaseUrl?.startsWith('mysql:'))
    return [`${name}: expected DATABASE_URL to name the same database, by mysql://…`];
  const [read, write] = [databaseUrl, databaseWriteUrl].map((url) => parseMysqlUrl(url).database);
  return read === write ? [] : [`${name}: expected the database of DATABASE_URL, ${read}, got ${write}`];
}
