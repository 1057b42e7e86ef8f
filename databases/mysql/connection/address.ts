import { isIP } from 'node:net';

/** Where a MySQL-protocol database is and how it is entered: what a `mysql://` URL says. */
export interface MysqlAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** `true`: encrypted, with the server's certificate and name checked. `unverified`: encrypted for anybody. */
  readonly ssl: 'true' | 'false' | 'unverified';
  /** Paths of PEM files: whom to trust in place of the system's authorities, and who we are. */
  readonly sslFiles: Readonly<Partial<Record<'ca' | 'cert' | 'key', string>>>;
}

/**
 * Reads `mysql://user:password@host:3306/database?ssl=true`, percent-encoded where needed. Throws an error that says
 * what was expected, and never shows the password.
 */
export function parseMysqlUrl(text: string): MysqlAddress {
  const url = urlOf(text);
  const options = optionsOf(url);
  const ssl = options.get('ssl') ?? (options.size > 0 ? 'true' : 'false');
  if (!isMode(ssl)) throw new MysqlUrlError(`ssl is one of ${MODES.join(', ')}`, ssl);
  if (ssl === 'false' && options.size > 1)
    throw new MysqlUrlError('ssl=true beside files of certificates', 'ssl=false');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (ssl === 'true' && isIP(host) !== 0) throw new MysqlUrlError('a name of the host, for its certificate', host);
  if (options.has('ssl_cert') !== options.has('ssl_key'))
    throw new MysqlUrlError('ssl_cert and ssl_key together', 'one');
  return {
    host,
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    user: decoded(url.username, 'user'),
    password: decoded(url.password, 'password'),
    database: databaseOf(url),
    ssl,
    sslFiles: Object.fromEntries(
      ['ca', 'cert', 'key'].flatMap((name) => {
        const file = options.get(`ssl_${name}`);
        return file === undefined ? [] : [[name, file]];
      }),
    ),
  };
}

/** `host:port` for messages. */
export function placeOf({ host, port }: Pick<MysqlAddress, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** What is wrong with a URL; the URL itself, which may hold a password, is not in it. */
export class MysqlUrlError extends Error {
  override readonly name = 'MysqlUrlError';

  constructor(
    readonly expected: string,
    got: string,
  ) {
    super(`${FORM}: expected ${expected}, got ${JSON.stringify(got)}`);
  }
}

const FORM = 'mysql://user:password@host:port/database?ssl=true';
const DEFAULT_PORT = 3306;
const MODES = ['true', 'false', 'unverified'] as const;
const OPTIONS = ['ssl', 'ssl_ca', 'ssl_cert', 'ssl_key'];

function urlOf(text: string): URL {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0] ?? 'no scheme';
  if (scheme.toLowerCase() !== 'mysql:') throw new MysqlUrlError('the scheme mysql:', scheme);
  // The error of `URL` carries the whole text, and so the password.
  if (!URL.canParse(text)) throw new MysqlUrlError('a URL with %-encoded special characters', 'something else');
  const url = new URL(text);
  if (url.hostname === '') throw new MysqlUrlError('a host', '');
  if (url.username === '') throw new MysqlUrlError('a user', '');
  if (url.hash !== '') throw new MysqlUrlError('no # (write it %23)', '#');
  return url;
}

function optionsOf(url: URL): Map<string, string> {
  const options = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (!OPTIONS.includes(name)) throw new MysqlUrlError(`options among ${OPTIONS.join(', ')}`, name);
    if (options.has(name)) throw new MysqlUrlError(`${name} once`, 'twice');
    if (value === '') throw new MysqlUrlError(`a value of ${name}`, '');
    options.set(name, value);
  }
  return options;
}

function databaseOf(url: URL): string {
  const database = decoded(url.pathname.slice(1), 'database');
  if (database !== '' && !database.includes('/')) return database;
  throw new MysqlUrlError('a database after the host, such as /insight', url.pathname);
}

function decoded(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new MysqlUrlError(`a percent-encoded ${part} (% itself is %25)`, 'a % that encodes nothing');
  }
}

function isMode(text: string): text is MysqlAddress['ssl'] {
  return (MODES as readonly string[]).includes(text);
}
