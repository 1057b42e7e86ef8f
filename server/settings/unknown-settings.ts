import { distance } from 'fastest-levenshtein';
import { REMOVED_SETTINGS } from './removed-settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Environment variables that were meant as a setting: removed settings, misspelled names, and unknown names of a group. An
 * environment has many variables of other programs, so everything else is ignored.
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

/** Short names, such as PORT, are too similar to unrelated names. */
function isMisspelled(name: string, setting: string): boolean {
  return setting.length >= 6 && distance(setting, name) <= 2;
}

/** Starts of names that other programs rarely use. Not GITHUB_, REDIS_, LOG_ and similar ones, which are common. */
const GROUPS = [
  'AUDIT_KEEP',
  'CALLER_LIMIT',
  'DATABASE_',
  'JWT_',
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

/** Parts of a connection. Next to DATABASE_URL they are for other programs; without it they were meant for this one. */
const CONNECTION_PART = /^DATABASE_(HOST|PORT|NAME|USER|USERNAME|PASSWORD|SSLMODE|CA_CERT)$/;

/** Variables of other programs that look like settings. */
const FOREIGN = [
  // Desktop sessions (X11).
  /^SESSION_MANAGER$/,
  // Further URLs of a managed database, next to DATABASE_URL.
  /^DATABASE_(URL_UNPOOLED|(CONNECTION_POOL|PRIVATE|PUBLIC)_URL)$/,
  // Only two letters are different from GITHUB_.
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
