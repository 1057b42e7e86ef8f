import { isIP } from 'node:net';
import { isEmailAddress } from '../../accounts/identity/account-fields.js';
import { megabytesOf } from '../../engine/databases/duckdb/connection/options.js';
import { MysqlUrlError, parseMysqlUrl } from '../../engine/databases/mysql/connection/address.js';
import { parseArchiveHour } from '../../warehouse/import/files/archive-hours.js';
import { isDay } from '../../warehouse/rules/times.js';

// Each parser takes the text of a setting and returns the normalized text. For an invalid text it throws an Error that states what is
// expected.

/** Rejects tokens with unexpected characters, because each request with such a token would fail with an error that shows the token. */
export function parseTokens(source: string): string {
  if (source.split(',').every((token) => /^[\w.-]+$/.test(token.trim()))) return source;
  throw new Error('tokens of letters, digits, `_`, `-` and `.`, separated by commas');
}

/** Parses a list of folders. Rejects duplicates, because each definition of a folder that is listed twice would be a duplicate. */
export function parseFolders(source: string): string {
  const folders = source.split(',').map((folder) => folder.trim());
  const isDistinct = new Set(folders.map((folder) => folder.replace(/(?<=.)\/+$/, ''))).size === folders.length;
  if (folders.every((folder) => folder !== '') && isDistinct) return folders.join(',');
  throw new Error('different folders, separated by commas, such as built-in,/srv/endpoints');
}

/** Parses `*`, or origins of web pages. All other values are rejected, because the value is sent in a header. */
export function parseOrigins(source: string): string {
  const origins = source.split(',').map((origin) => origin.trim());
  const isOrigin = (text: string) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
  if (origins.every(isOrigin) || source === '*') return origins.join(',');
  throw new Error('origins such as https://site.example, separated by commas, or *');
}

export function parseJsonFile(source: string): string {
  if (source.endsWith('.json')) return source;
  throw new Error('a path that ends in .json, such as /etc/repo-insight/keys.json');
}

export function parseSize(source: string): string {
  if (/^\d+(\.\d+)?\s?(kb|mb|gb|tb|kib|mib|gib|tib)$/i.test(source)) return source;
  throw new Error('a size such as 400MB');
}

/** Parses the memory limit of a query. With less than 16 MB, the embedded database cannot plan it. */
export function parseQueryMemory(source: string): string {
  const size = parseSize(source);
  if (megabytesOf(size) >= 16) return size;
  throw new Error('a size of at least 16MB');
}

/** Parses a base URL, to which the service appends paths. */
export function parseBaseUrl(source: string): string {
  if (URL.canParse(source) && /^https?:/.test(source)) return source.replace(/\/+$/, '');
  throw new Error('an http or https URL');
}

/** Parses the URL of a mail server. */
export function parseSmtpUrl(source: string): string {
  if (!URL.canParse(source) || !/^smtps?:\/\/[^/?#]+\/?$/.test(source))
    throw new Error('an smtp:// or smtps:// URL without path');
  const { username, password } = new URL(source);
  if ((username === '') !== (password === '')) throw new Error('a user and a password, or neither of them');
  if (/%(?![\da-f]{2})/i.test(username + password))
    throw new Error('a percent-encoded user and password (encode % as %25)');
  return source;
}

/** Parses an address with an optional name, `Name <address>`. */
export function parseMailbox(source: string): string {
  const [, name = '', address = source] = /^([^<>"\r\n]*?)\s*<([^<>]+)>$/.exec(source) ?? [];
  if (isEmailAddress(address) && !/[\r\n,;:]/.test(name)) return source;
  throw new Error('an address such as digest@mail.example, or Name <digest@mail.example>');
}

/** Parses the base URLs of archives, separated by commas. */
export function parseArchives(source: string): string {
  const archives = source.split(',').map((url) => parseBaseUrl(url.trim()));
  if (new Set(archives).size < archives.length) throw new Error('different URLs');
  if (archives.some(({ length }) => length > 255)) throw new Error('URLs of at most 255 characters');
  return archives.join(',');
}

/** Parses a text that is stored as part of an account's key. The length of the text is limited by the database column. */
export function parseAccountText(source: string): string {
  if (source.length <= 191) return source;
  throw new Error('at most 191 characters');
}

/**
 * Parses a URL to which the service sends secrets, or from which it reads trusted keys or user data. The URL must use TLS or a local host.
 * The URL is returned unchanged, because an issuer is identified by its exact text.
 */
export function parseSecureUrl(source: string): string {
  const { protocol = '', hostname = '', username = '', password = '' } = URL.canParse(source) ? new URL(source) : {};
  // `fetch` would reject this URL with an error that shows the password.
  if (username !== '' || password !== '') throw new Error('a URL without user and password');
  if (protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)))
    return source;
  throw new Error('an https URL, or an http URL of this machine');
}

export function parseSecureBaseUrl(source: string): string {
  return parseBaseUrl(parseSecureUrl(source));
}

/**
 * Parses the public URL of this service, to which paths are appended. The URL must be secure, because browsers send cookies and sign-in
 * codes to it.
 */
export function parsePublicUrl(source: string): string {
  if (/[?#]/.test(source)) throw new Error('a URL without query and fragment');
  return parseSecureBaseUrl(source);
}

/** Parses the base URL of a language model. The URL may use plain http: `contradictions` rejects plain http together with MODEL_KEY. */
export function parseModelUrl(source: string): string {
  const { username = '', password = '', search = '', hash = '' } = URL.canParse(source) ? new URL(source) : {};
  if (username !== '' || password !== '') throw new Error('a URL without user and password');
  if (search !== '' || hash !== '') throw new Error('a URL without query and fragment');
  return parseBaseUrl(source);
}

/** Rejects keys that are invalid in a header, because each request would fail with an error that shows the key. */
export function parseKey(source: string): string {
  if (/^[\x21-\x7e]{1,1000}$/.test(source)) return source;
  throw new Error('1 to 1000 ASCII characters without spaces');
}

export function parseIssuer(source: string): string {
  return parseAccountText(parseSecureUrl(source));
}

/**
 * Parses the name and the three URLs of an OAuth provider. The name is the part before `|` in the subjects of tokens. The service sends
 * secrets to the three URLs, so they must be secure.
 */
export function parseOauthProvider(source: string): string {
  const [name = '', ...urls] = source.trim().split(/\s+/);
  if (urls.length !== 3) throw new Error('a name and three URLs (authorization, token, user), separated by spaces');
  if (!/^[\w-]{1,64}$/.test(name)) throw new Error('a name of 1 to 64 letters, digits, `_` and `-`, before the URLs');
  return [name, ...urls.map(parseSecureUrl)].join(' ');
}

/**
 * Rejects secrets that can be guessed: short secrets (RFC 7518, section 3.2), and texts with few distinct bytes such as `xxxx…`. Every
 * random secret has more distinct bytes, even if it has only decimal digits.
 */
export function parseSecret(source: string): string {
  const bytes = Buffer.from(source);
  if (bytes.length < 32) throw new Error('at least 32 bytes');
  if (new Set(bytes).size < 5) throw new Error('at least 32 random bytes, with 5 different ones');
  return source;
}

/**
 * Parses the URL of a database. An embedded database must be a file, because each command would otherwise get its own
 * database in memory.
 */
export function parseDatabaseUrl(source: string): string {
  if (/^duckdb:(?!:memory:)./.test(source)) return source;
  if (source.startsWith('mysql:')) return parseServerUrl(source);
  throw new Error('duckdb:<file>, such as duckdb:data/events.duckdb, or mysql://user:password@host:port/database');
}

export function parseServerUrl(source: string): string {
  try {
    parseMysqlUrl(source);
    return source;
  } catch (error) {
    const detail = error instanceof MysqlUrlError ? ` with ${error.expected}` : '';
    throw new Error(`mysql://user:password@host:port/database${detail}`);
  }
}

export function parseTime(source: string): string {
  const day = /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.exec(source)?.[1];
  const time = day !== undefined && isDay(day) ? Date.parse(source) : NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new Error('an ISO time with its zone, such as 2016-01-01T07:00:00Z');
}

/** Parses whether the archive is followed, or the hour from which it is followed. */
export function parseFollowing(source: string): string {
  if (source === 'no' || source === 'yes' || parseArchiveHour(source) !== undefined) return source;
  throw new Error('no, yes, or the first hour in UTC, such as 2026-01-31-0');
}

export function parseTracking(source: string): string {
  if (/^(no|yes|[1-9][0-9]{0,5})$/.test(source)) return source;
  throw new Error('no, yes, or the number of repositories up to which those that rise are tracked, such as 1000');
}

export function parseRedisUrl(source: string): string {
  const form = 'redis://user:password@host:6379/0, or rediss://… for an encrypted connection';
  const url = URL.canParse(source) ? new URL(source) : undefined;
  if (url === undefined || !/^rediss?:$/.test(url.protocol) || url.hostname === '') throw new Error(form);
  if (url.search !== '' || url.hash !== '') throw new Error(`${form}, without query and fragment (? is %3F, # is %23)`);
  if (/^(\/\d*)?$/.test(url.pathname)) return source;
  throw new Error(`${form}, with a number for the database`);
}

/** Parses addresses, networks, and express's names of networks, such as `loopback`. Rejects `/0`, because it would trust all addresses. */
export function parseAddresses(source: string): string {
  const addresses = source.split(',').map((part) => part.trim());
  const wrong = addresses.find((part) => !ADDRESS_NAMES.includes(part) && !isNetwork(part));
  if (wrong === undefined) return addresses.join(',');
  const names = ADDRESS_NAMES.join(', ');
  throw new Error(`addresses, networks such as 10.0.0.0/8, or ${names}, separated by commas`);
}

const ADDRESS_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined || address.includes('%') || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) > 0 && Number(length) <= bits);
}
