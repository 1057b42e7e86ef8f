import { distance } from 'fastest-levenshtein';
import { MysqlUrlError, parseMysqlUrl } from '../databases/mysql/address.js';
import { isAddresses, isRedis } from './network-forms.js';

/** One setting: its environment variable, how its text is read, what it is without one, and what it means. */
export interface Setting<T> {
  readonly name: string;
  /** The form that help and errors show, such as `<port>`. */
  readonly form: string;
  readonly defaultText: string | undefined;
  readonly help: string;
  /** Throws an Error whose message says what was expected. */
  readonly read: (text: string) => T;
  readonly isSecret?: boolean;
}

/** The one table of settings: types, `repo-insight config` and docs/configuration.md come from it. */
export const SETTINGS = {
  port: number('PORT', '3450', 'Port to listen on; 0 takes a free one.', 0, 65_535),
  host: text('HOST', '<address>', '127.0.0.1', 'Address to listen on; `0.0.0.0` for all.'),
  dataDirectory: text('DATA_DIR', '<folder>', 'data', 'Folder of the database file, downloads and temporary files.'),
  databaseUrl: optional(
    'DATABASE_URL',
    'duckdb:<file>|mysql://…',
    'The database; unset: a file in DATA_DIR, with demo data.',
    isDatabase,
  ),
  databaseWriteUrl: optional(
    'DATABASE_WRITE_URL',
    'mysql://…',
    'The same database by an account that may change its tables; unset: that of DATABASE_URL, where it may write.',
    isServer,
  ),
  databaseAllowWritingAccount: choice(
    'DATABASE_ALLOW_WRITING_ACCOUNT',
    ['no', 'yes'],
    'no',
    'Whether the account of a mysql: DATABASE_URL may do more than read.',
  ),
  databaseConnections: number('DATABASE_CONNECTIONS', '10', 'Queries that a mysql: database runs at a time.', 1, 1000),
  databaseSilenceMinutes: number(
    'DATABASE_SILENCE_MINUTES',
    '60',
    'Minutes without a word from a mysql: database after which a statement that writes is given up.',
    1,
    10_080,
  ),
  tiflashReplicas: number('TIFLASH_REPLICAS', '0', 'Columnar replicas of the tables; TiDB only.', 0, 10),
  databaseMemory: text(
    'DATABASE_MEMORY',
    '<size>',
    '256MB',
    'Memory limit of the embedded database, and of imports.',
    isSize,
  ),
  databaseThreads: number(
    'DATABASE_THREADS',
    '0',
    'Threads of the embedded database, and of imports; 0: one a core.',
    0,
    1024,
  ),
  databaseReaders: number('DATABASE_READERS', '4', 'Queries that the embedded database runs at a time.', 1, 256),
  playgroundDatabaseUrl: optional(
    'PLAYGROUND_DATABASE_URL',
    'mysql://…',
    'The same database by an account that reads its public tables only; unset: that of DATABASE_URL.',
    isServer,
  ),
  playgroundConnections: number(
    'PLAYGROUND_CONNECTIONS',
    '2',
    'Queries of the playground that run at a time, on connections of their own.',
    1,
    64,
  ),
  playgroundPerMinute: number(
    'PLAYGROUND_PER_MINUTE',
    '20',
    'Queries of the playground a minute from one address; 0: no limit.',
    0,
    1_000_000_000,
  ),
  endpointsDirectory: optional('ENDPOINTS_DIR', '<folder>', 'Folder of the definitions; unset: those of the package.'),
  now: optional('NOW', '<ISO time>', 'Fixes the clock, to replay old data as of a moment.', isTime),
  archiveUrl: text(
    'ARCHIVE_URL',
    '<url>',
    'https://data.gharchive.org',
    'Where hour ranges are downloaded from.',
    isUrl,
  ),
  staleAfterHours: number(
    'STALE_AFTER_HOURS',
    '24',
    'Answers from data older than this are told to be stale.',
    1,
    87_600,
  ),
  refreshMinutes: number('REFRESH_MINUTES', '60', 'How often the service renews trending and month ranks.', 1, 1440),
  rateLimitPerHour: number(
    'RATE_LIMIT_PER_HOUR',
    '600',
    'Requests to /v1 an hour from one address; 0: no limit.',
    0,
    1_000_000_000,
  ),
  rateLimitPerMinute: number(
    'RATE_LIMIT_PER_MINUTE',
    '1000',
    'Requests to /v1 a minute from all addresses together; 0: no limit.',
    0,
    1_000_000_000,
  ),
  redisUrl: optional(
    'REDIS_URL',
    'redis://…|rediss://…',
    'Where processes that serve together count requests; unset: each counts its own.',
    isRedis,
  ),
  redisTimeout: number(
    'REDIS_TIMEOUT_MS',
    '50',
    'The longest wait for an answer of Redis; a request asks it twice.',
    1,
    10_000,
  ),
  trustedProxies: optional(
    'TRUSTED_PROXIES',
    '<addresses>',
    'Proxies whose X-Forwarded-For is believed, such as `10.0.0.0/8,::1`.',
    isAddresses,
  ),
  shadowDatabaseUrl: optional(
    'SHADOW_DATABASE_URL',
    'duckdb:<file>|mysql://…',
    'A second database, whose answers are compared with those of the first.',
    isDatabase,
  ),
  shadowSamplePercent: number('SHADOW_SAMPLE_PERCENT', '10', 'Answers that are compared, of a hundred.', 0, 100),
  hostToken: secret(
    'HOST_TOKEN',
    'Tokens of the hosting platform, separated by commas; unset: it is not asked.',
    isTokenList,
  ),
  hostApiUrl: text('HOST_API_URL', '<url>', 'https://api.github.com', "The hosting platform's interface.", isUrl),
  jwtIssuer: text('JWT_ISSUER', '<text>', 'repo-insight', 'The issuer whose tokens are taken.', isShort),
  jwtAudience: text('JWT_AUDIENCE', '<text>', 'repo-insight', 'The audience that tokens must name.'),
  jwtJwksUrl: optional('JWT_JWKS_URL', '<url>', 'Where the issuer publishes its keys (JWKS).', isUrl),
  jwtSecret: secret(
    'JWT_SECRET',
    'The secret that the issuer of tokens shares; unset, without JWT_JWKS_URL: one of its own, kept in DATA_DIR.',
    isSecret,
  ),
  jwtClockSkew: number(
    'JWT_CLOCK_SKEW_SECONDS',
    '30',
    'How far the clocks of issuer and service may be apart.',
    0,
    600,
  ),
  publicUrl: optional('PUBLIC_URL', '<url>', 'Where browsers reach this service; needed for signing in.', isUrl),
  oidcIssuer: optional('OIDC_ISSUER', '<url>', 'The OpenID Connect provider where people sign in.', isSafeUrl),
  oidcClientId: optional('OIDC_CLIENT_ID', '<text>', 'The id of this service at the provider.'),
  oidcClientSecret: secret('OIDC_CLIENT_SECRET', 'Its secret there; unset for a public client.', (source) => source),
  oidcScopes: text('OIDC_SCOPES', '<words>', 'openid profile email', 'What the provider is asked to tell of people.'),
  sessionSecret: secret(
    'SESSION_SECRET',
    'Signs the cookies of sessions; unset: one of its own, kept in DATA_DIR.',
    isSecret,
  ),
  sessionDays: number('SESSION_DAYS', '7', 'After how long people have to sign in again.', 1, 365),
  sessionIdleHours: number('SESSION_IDLE_HOURS', '24', 'After how long without a request a session ends.', 1, 8_760),
  corsOrigin: text('CORS_ORIGIN', '<origin>', '*', 'Value of Access-Control-Allow-Origin.'),
  bodyLimit: text('BODY_LIMIT', '<size>', '100kb', 'Largest request body.', isSize),
  headersTimeout: number('HEADERS_TIMEOUT_MS', '10000', 'Time for a client to send its headers.', 100, 600_000),
  requestTimeout: number('REQUEST_TIMEOUT_MS', '30000', 'Time for a client to send its whole request.', 100, 600_000),
  shutdownTimeout: number('SHUTDOWN_TIMEOUT_MS', '10000', 'Time for requests in flight when stopping.', 0, 600_000),
  logLevel: choice('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info', 'Least level logged.'),
  logFormat: choice('LOG_FORMAT', ['auto', 'json', 'pretty'], 'auto', '`auto`: pretty on a terminal, else JSON lines.'),
} as const;

export type Settings = { readonly [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['read']> };

/** Wrong settings, all of them at once. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly problems: readonly string[]) {
    super(`Wrong settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** Reads all settings from environment variables. Throws `SettingsError` naming every wrong or misspelt one. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems = misspelt(environment);
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const given = environment[setting.name];
    const source = given === undefined || given === '' ? setting.defaultText : given;
    try {
      values[key] = source === undefined ? undefined : setting.read(source);
    } catch (error) {
      const got = setting.isSecret ? 'something else' : JSON.stringify(withoutPassword(source));
      problems.push(`${setting.name}: expected ${(error as Error).message}, got ${got}`);
    }
  }
  if (problems.length === 0) problems.push(...contradictions(values as Settings));
  if (problems.length > 0) throw new SettingsError(problems);
  return values as Settings;
}

/** The text of a setting as it may be shown. What looks like a URL is cut before the last `@`, whatever is wrong with it. */
export function withoutPassword(text: string | undefined): string | undefined {
  return text?.replace(/^(.*?:\/\/|mysql:)?([^:@/]*):.*@/is, '$1$2:***@');
}

/** What would be passed over without a word, or write where nobody reads. */
function contradictions(settings: Settings): string[] {
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

/** Names so close to a setting that nobody can have meant anything else. Short names are too close to too many. */
function misspelt(environment: Readonly<Record<string, string | undefined>>): string[] {
  const names: string[] = Object.values(SETTINGS).map((setting) => setting.name);
  return Object.keys(environment).flatMap((given) => {
    if (names.includes(given)) return [];
    const meant = names.find((name) => name.length >= 6 && distance(name, given.toUpperCase()) <= 2);
    return meant === undefined ? [] : [`${given} is not a setting; did you mean ${meant}?`];
  });
}

function number(name: string, defaultText: string, help: string, least: number, most: number): Setting<number> {
  const read = (source: string) => {
    const value = Number(source);
    if (/^\d+$/.test(source) && value >= least && value <= most) return value;
    throw new Error(`a whole number from ${least} to ${most}`);
  };
  return { name, form: '<number>', defaultText, help, read };
}

function text(
  name: string,
  form: string,
  defaultText: string,
  help: string,
  check: (source: string) => string = (source) => source,
): Setting<string> {
  return { name, form, defaultText, help, read: check };
}

function optional(
  name: string,
  form: string,
  help: string,
  check: (source: string) => string = (source) => source,
): Setting<string | undefined> {
  return { name, form, defaultText: undefined, help, read: check };
}

/** A setting whose value is shown to nobody. */
function secret(name: string, help: string, check: (source: string) => string): Setting<string | undefined> {
  return { ...optional(name, '<secret>', help, check), isSecret: true };
}

function choice<T extends string>(name: string, values: readonly T[], defaultText: T, help: string): Setting<T> {
  const read = (source: string) => {
    const value = values.find((candidate) => candidate === source);
    if (value !== undefined) return value;
    throw new Error(`one of ${values.join(', ')}`);
  };
  return { name, form: values.join('|'), defaultText, help, read };
}

/** A token with another character would make every request fail, with an error that shows it. */
function isTokenList(source: string): string {
  if (source.split(',').every((token) => /^[\w.-]+$/.test(token.trim()))) return source;
  throw new Error('tokens of letters, digits, `_`, `-` and `.`, separated by commas');
}

function isSize(source: string): string {
  if (/^\d+(\.\d+)?\s?(kb|mb|gb|tb|kib|mib|gib|tib)$/i.test(source)) return source;
  throw new Error('a size such as 400MB');
}

function isUrl(source: string): string {
  if (URL.canParse(source) && /^https?:/.test(source)) return source.replace(/\/+$/, '');
  throw new Error('an http or https URL');
}

/** It is a part of the key of accounts. */
function isShort(source: string): string {
  if (source.length <= 191) return source;
  throw new Error('at most 191 characters');
}

/** The exact text counts where it names an issuer; secrets go only where nobody in between reads them. */
function isSafeUrl(source: string): string {
  const { protocol = '', hostname = '' } = URL.canParse(source) ? new URL(source) : {};
  if (protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)))
    return source;
  throw new Error('an https URL, or an http one of this machine');
}

/** Shorter ones can be found by trying (RFC 7518, 3.2). */
function isSecret(source: string): string {
  if (Buffer.byteLength(source) >= 32) return source;
  throw new Error('at least 32 bytes');
}

/** An embedded database lives in a file: one in memory would be another one for every command. */
function isDatabase(source: string): string {
  if (/^duckdb:(?!:memory:)./.test(source)) return source;
  if (source.startsWith('mysql:')) return isServer(source);
  throw new Error('duckdb:<file>, such as duckdb:data/events.duckdb, or mysql://user:password@host:port/database');
}

function isServer(source: string): string {
  try {
    parseMysqlUrl(source);
    return source;
  } catch (error) {
    const detail = error instanceof MysqlUrlError ? ` with ${error.expected}` : '';
    throw new Error(`mysql://user:password@host:port/database${detail}`);
  }
}

function isTime(source: string): string {
  const day = /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.exec(source)?.[1];
  const time = day !== undefined && isDay(day) ? Date.parse(source) : NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new Error('an ISO time with its zone, such as 2016-01-01T07:00:00Z');
}

/** `Date.parse` takes 30 February for 1 March. */
function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
