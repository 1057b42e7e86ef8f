import { parseMysqlUrl } from '../../engine/databases/mysql/connection/address.js';
import { databasePlace } from './database-location.js';
import { isPrivateHost } from './private-hosts.js';
import { SETTINGS, type Settings } from './settings.js';

/** Finds settings that are valid but contradict each other: the service would ignore one of them, or write to the wrong database. */
export function contradictions(settings: Settings): string[] {
  return [
    ...differentWriteDatabase(settings),
    ...followingWithoutWriting(settings),
    ...sameShadowDatabase(settings),
    ...playgroundWithoutServer(settings),
    ...twoKindsOfKeys(settings),
    ...incompleteSignIn(settings),
    ...audienceOfIdTokens(settings),
    ...incompleteModel(settings),
    ...readableModelKey(settings),
    ...incompleteMail(settings),
  ];
}

function differentWriteDatabase({ databaseUrl, databaseWriteUrl }: Settings): string[] {
  if (databaseWriteUrl === undefined) return [];
  const { name } = SETTINGS.databaseWriteUrl;
  if (!databaseUrl?.startsWith('mysql:'))
    return [`${name}: expected DATABASE_URL to be mysql://… of the same database`];
  const [read, write] = [databaseUrl, databaseWriteUrl].map((url) => parseMysqlUrl(url).database);
  return read === write ? [] : [`${name}: expected the database of DATABASE_URL, ${read}, got ${write}`];
}

function followingWithoutWriting(settings: Settings): string[] {
  const { followArchive, trackRepositories, databaseUrl, databaseWriteUrl, databaseAllowWritingAccount } = settings;
  const isReadOnly = databaseUrl?.startsWith('mysql:') === true && databaseWriteUrl === undefined;
  if (!isReadOnly || databaseAllowWritingAccount === 'yes') return [];
  const expected = 'expected DATABASE_WRITE_URL, because the service writes';
  return [
    ...(followArchive === 'no' ? [] : [`${SETTINGS.followArchive.name}: ${expected} imported hours`]),
    ...(trackRepositories === 'no' ? [] : [`${SETTINGS.trackRepositories.name}: ${expected} the counts of GitHub`]),
  ];
}

function sameShadowDatabase({ databaseUrl, shadowDatabaseUrl, dataDirectory }: Settings): string[] {
  if (shadowDatabaseUrl === undefined) return [];
  const [own, shadow] = [databaseUrl, shadowDatabaseUrl].map((url) =>
    databasePlace({ databaseUrl: url, dataDirectory }),
  );
  if (own !== shadow) return [];
  return [`${SETTINGS.shadowDatabaseUrl.name}: expected a database other than DATABASE_URL`];
}

function playgroundWithoutServer({ databaseUrl, playgroundDatabaseUrl }: Settings): string[] {
  if (playgroundDatabaseUrl === undefined || databaseUrl?.startsWith('mysql:')) return [];
  return [`${SETTINGS.playgroundDatabaseUrl.name}: expected DATABASE_URL to be mysql://… of the same database`];
}

function twoKindsOfKeys({ jwtJwksUrl, jwtSecret }: Settings): string[] {
  if (jwtJwksUrl === undefined || jwtSecret === undefined) return [];
  return ['JWT_SECRET: expected no value, because JWT_JWKS_URL is set; tokens have one kind of key'];
}

function incompleteSignIn({
  oidcIssuer,
  oauthProvider,
  oidcClientId,
  oidcClientSecret,
  publicUrl,
}: Settings): string[] {
  if (oidcIssuer === undefined && oauthProvider === undefined) {
    const hasClient = oidcClientId !== undefined || oidcClientSecret !== undefined;
    return hasClient
      ? ['OIDC_ISSUER: expected a provider for OIDC_CLIENT_ID here or in OAUTH_PROVIDER, got nothing']
      : [];
  }
  const name = oidcIssuer === undefined ? 'OAUTH_PROVIDER' : 'OIDC_ISSUER';
  return [
    ...(oidcIssuer !== undefined && oauthProvider !== undefined
      ? ['OAUTH_PROVIDER: expected no value, because OIDC_ISSUER is set; there is one provider']
      : []),
    ...(oidcClientId === undefined ? [`OIDC_CLIENT_ID: expected the client id for ${name}, got nothing`] : []),
    ...(publicUrl === undefined ? [`PUBLIC_URL: expected the URL of this service for ${name}, got nothing`] : []),
  ];
}

/**
 * The audience of ID tokens is the client id. Bearer tokens must have a different audience, so that an ID token is never accepted as a
 * bearer token.
 */
function audienceOfIdTokens({ oidcIssuer, oidcClientId, jwtAudience }: Settings): string[] {
  if (oidcIssuer === undefined || oidcClientId !== jwtAudience) return [];
  const got = `got ${JSON.stringify(jwtAudience)} for both`;
  return [`JWT_AUDIENCE: expected another value than OIDC_CLIENT_ID, which is the audience of ID tokens, ${got}`];
}

function incompleteModel({ modelUrl, modelName, modelKey }: Settings): string[] {
  if (modelUrl !== undefined) {
    return modelName === undefined ? ['MODEL_NAME: expected the name of a model at MODEL_URL, got nothing'] : [];
  }
  const name = modelName !== undefined ? 'MODEL_NAME' : modelKey !== undefined ? 'MODEL_KEY' : undefined;
  return name === undefined ? [] : [`MODEL_URL: expected the URL of a server for ${name}, got nothing`];
}

/** A digest needs a sender, and links to this service. */
function incompleteMail({ smtpUrl, mailFrom, publicUrl }: Settings): string[] {
  if (smtpUrl === undefined)
    return mailFrom === undefined ? [] : ['SMTP_URL: expected the URL of a mail server for MAIL_FROM, got nothing'];
  return [
    ...(mailFrom === undefined ? ['MAIL_FROM: expected the sender of e-mails for SMTP_URL, got nothing'] : []),
    ...(publicUrl === undefined ? ['PUBLIC_URL: expected the URL of this service for SMTP_URL, got nothing'] : []),
  ];
}

/** Without TLS, other hosts could read the key. */
function readableModelKey({ modelUrl, modelKey }: Settings): string[] {
  if (modelUrl === undefined || modelKey === undefined || modelUrl.startsWith('https:')) return [];
  if (isPrivateHost(new URL(modelUrl).hostname)) return [];
  const expected = 'an https URL, or an http URL of this machine or a private network, because MODEL_KEY is set';
  return [`MODEL_URL: expected ${expected}, got ${JSON.stringify(modelUrl)}`];
}
