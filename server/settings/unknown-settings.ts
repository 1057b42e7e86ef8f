import { distance } from 'fastest-levenshtein';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds environment variables that were probably meant as a setting: removed settings, misspelled names, and unknown names with the prefix
 * of a group of settings. Ignores all other variables, because an environment has many variables of other programs.
 */
export function unknownSettings(environment: Environment, settings: readonly string[]): string[] {
  return Object.entries(environment).flatMap(([given, value = '']) => {
    if (value === '' || settings.includes(given)) return [];
    const replacement = REMOVED_SETTINGS[given];
    if (replacement !== undefined) return [`${given} was removed: ${replacement}`];
    const name = given.toUpperCase();
    if (isForeign(name, value) || (environment.DATABASE_URL && CONNECTION_PART.test(name))) return [];
    const nearest = settings.find((setting) => isMisspelled(name, setting));
    const suggestions = nearest === undefined ? settingsOfGroup(name, settings) : [nearest];
    return suggestions.length === 0 ? [] : [`${given} is not a setting; did you mean ${OR.format(suggestions)}?`];
  });
}

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/**
 * Whether a name is probably a misspelled setting. Settings with short names, such as PORT, are not checked, because
 * they are too similar to unrelated names.
 */
function isMisspelled(name: string, setting: string): boolean {
  return setting.length >= 6 && distance(setting, name) <= 2;
}

/** Prefixes that other programs rarely use. Common prefixes, such as GITHUB_, REDIS_ and LOG_, are omitted. */
const GROUPS = [
  'AUDIT_KEEP',
  'CALLER_LIMIT',
  'DATABASE_',
  'DRAIN_DELAY',
  'EXPLORER_',
  'JWT_',
  'MODEL_TIMEOUT',
  'MODEL_TOKENS',
  'OAUTH_',
  'OIDC_',
  'PLAYGROUND_',
  'RATE_LIMIT',
  'SESSION_',
  'SHADOW_',
  'STALE_AFTER',
  'TIFLASH_',
  'TRUSTED_PROX',
];

function settingsOfGroup(name: string, settings: readonly string[]): string[] {
  const group = GROUPS.find((start) => name.startsWith(start));
  return group === undefined ? [] : settings.filter((setting) => setting.startsWith(group));
}

/**
 * Matches variables for parts of a connection. If DATABASE_URL is set, these variables are meant for other programs; otherwise they are
 * reported.
 */
const CONNECTION_PART = /^DATABASE_(HOST|PORT|NAME|USER|USERNAME|PASSWORD|SSLMODE|CA_CERT)$/;

/** Variables of other programs that look like settings. */
const FOREIGN = [
  // Desktop sessions (X11).
  /^SESSION_MANAGER$/,
  // Additional URLs of a managed database, which hosting services set together with DATABASE_URL.
  /^DATABASE_(URL_UNPOOLED|(CONNECTION_POOL|PRIVATE|PUBLIC)_URL)$/,
  // Nodes of Kubernetes; NODE_NAME differs from MODEL_NAME in only two letters.
  /^NODE_/,
  // GITLAB_ differs from GITHUB_ in only two letters.
  /^GITLAB_/,
  // Service links of Kubernetes and of Docker, for a service of any name.
  /_SERVICE_(HOST|PORT)(_|$)/,
  /_PORT_\d+_(TCP|UDP|SCTP)(_|$)/,
  /_ENV_/,
];

function isForeign(name: string, value: string): boolean {
  const isLink =
    (name.endsWith('_PORT') && /^(tcp|udp|sctp):/.test(value)) || (name.endsWith('_NAME') && value[0] === '/');
  return isLink || FOREIGN.some((pattern) => pattern.test(name));
}

/** Settings of earlier versions, each with the setting that replaces it. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  BODY_LIMIT: 'request bodies may have at most 100kb',
  CHANGES_PER_MINUTE: 'use CALLER_LIMIT_PER_MINUTE',
  DATABASE_READERS: 'use DATABASE_CONNECTIONS',
  HEADERS_TIMEOUT_MS: 'clients have 10 s to send their headers',
  HOST_API_URL: 'use GITHUB_API_URL',
  HOST_TOKEN: 'use GITHUB_TOKEN',
  JWT_CLOCK_SKEW_SECONDS: 'the clocks of issuer and service may differ by 30 s',
  LOG_FORMAT: 'the log is readable on a terminal and JSON lines elsewhere',
  LOOKUPS_PER_MINUTE: 'use CALLER_LIMIT_PER_MINUTE',
  OAUTH_AUTHORIZATION_URL: 'use OAUTH_PROVIDER',
  OAUTH_TOKEN_URL: 'use OAUTH_PROVIDER',
  OAUTH_USER_URL: 'use OAUTH_PROVIDER',
  PLAYGROUND_CONNECTIONS: 'the playground runs 2 queries at the same time',
  REDIS_TIMEOUT_MS: 'requests wait at most 500 ms for Redis',
  REFRESH_MINUTES: 'trending repositories and month ranks are computed every 60 minutes',
  REQUEST_TIMEOUT_MS: 'clients have 30 s to send a request',
  SESSION_IDLE_HOURS: 'a session ends after 24 hours without a request',
  SIGN_IN_REQUESTS_PER_MINUTE: 'use CALLER_LIMIT_PER_MINUTE',
};
