import { isIP } from 'node:net';
import { MysqlUrlError, parseMysqlUrl } from '../../databases/mysql/connection/address.js';
import { isDay } from '../../warehouse/rules/times.js';

// Each takes the text of a setting and gives it in its plain form, or throws an Error that says what was expected.

/** A token with another character would make every request fail, with an error that shows it. */
export function isTokenList(source: string): string {
  if (source.split(',').every((token) => /^[\w.-]+$/.test(token.trim()))) return source;
  throw new Error('tokens of letters, digits, `_`, `-` and `.`, separated by commas');
}

export function isSize(source: string): string {
  if (/^\d+(\.\d+)?\s?(kb|mb|gb|tb|kib|mib|gib|tib)$/i.test(source)) return source;
  throw new Error('a size such as 400MB');
}

/** A URL to which paths are added. */
export function isUrl(source: string): string {
  if (URL.canParse(source) && /^https?:/.test(source)) return source.replace(/\/+$/, '');
  throw new Error('an http or https URL');
}

/** It is a part of the key of accounts. */
export function isShort(source: string): string {
  if (source.length <= 191) return source;
  throw new Error('at most 191 characters');
}

/**
 * The exact text counts where it names an issuer. Secrets go only where nobody in between reads them, and keys and people are
 * believed only from where nobody in between can put others in their place.
 */
export function isSafeUrl(source: string): string {
  const { protocol = '', hostname = '', username = '', password = '' } = URL.canParse(source) ? new URL(source) : {};
  // Requests cannot be made of one, and the error would show it.
  if (username !== '' || password !== '') throw new Error('a URL without user and password');
  if (protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)))
    return source;
  throw new Error('an https URL, or an http one of this machine');
}

/** What stands before the `|` of a subject. */
export function isProviderName(source: string): string {
  if (/^[\w-]{1,64}$/.test(source)) return source;
  throw new Error('1 to 64 letters, digits, `_` and `-`');
}

/** Shorter ones can be found by trying (RFC 7518, 3.2). */
export function isSecret(source: string): string {
  if (Buffer.byteLength(source) >= 32) return source;
  throw new Error('at least 32 bytes');
}

/** An embedded database lives in a file: one in memory would be another one for every command. */
export function isDatabase(source: string): string {
  if (/^duckdb:(?!:memory:)./.test(source)) return source;
  if (source.startsWith('mysql:')) return isServer(source);
  throw new Error('duckdb:<file>, such as duckdb:data/events.duckdb, or mysql://user:password@host:port/database');
}

export function isServer(source: string): string {
  try {
    parseMysqlUrl(source);
    return source;
  } catch (error) {
    const detail = error instanceof MysqlUrlError ? ` with ${error.expected}` : '';
    throw new Error(`mysql://user:password@host:port/database${detail}`);
  }
}

export function isTime(source: string): string {
  const day = /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.exec(source)?.[1];
  const time = day !== undefined && isDay(day) ? Date.parse(source) : NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new Error('an ISO time with its zone, such as 2016-01-01T07:00:00Z');
}

/** The URL of a Redis. */
export function isRedis(source: string): string {
  const form = 'redis://user:password@host:6379/0, or rediss://… where it is encrypted';
  const url = URL.canParse(source) ? new URL(source) : undefined;
  if (url === undefined || !/^rediss?:$/.test(url.protocol) || url.hostname === '') throw new Error(form);
  if (url.search !== '' || url.hash !== '') throw new Error(`${form}, with nothing behind (? is %3F, # is %23)`);
  if (/^(\/\d*)?$/.test(url.pathname)) return source;
  throw new Error(`${form}, with a number for the database`);
}

/** Addresses, networks and express's names for some; everybody (`/0`) cannot be trusted. */
export function isAddresses(source: string): string {
  const addresses = source.split(',').map((part) => part.trim());
  const wrong = addresses.find((part) => !ADDRESS_NAMES.includes(part) && !isNetwork(part));
  if (wrong === undefined) return addresses.join(',');
  const names = ADDRESS_NAMES.join(', ');
  throw new Error(`addresses, networks such as 10.0.0.0/8, or ${names}, with commas between them`);
}

const ADDRESS_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined || address.includes('%') || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) > 0 && Number(length) <= bits);
}
