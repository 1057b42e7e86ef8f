import { isIP } from 'node:net';

/** The parts of a `mysql://` URL: the address of a database behind the MySQL protocol, the login and the encryption. */
export interface MysqlAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** `true`: encrypted, and the certificate and the host name in it are checked. `unverified`: encrypted without these checks. */
  readonly ssl: 'true' | 'false' | 'unverified';
  /** Paths of PEM files: the certificate authorities that replace those of the system, and the certificate and key of the client. */
  readonly sslFiles: Readonly<Partial<Record<'ca' | 'cert' | 'key', string>>>;
}

/** Parses a percent-encoded URL such as `mysql://user:password@host:3306/database?ssl=true`. Throws `MysqlUrlError`. */
export function parseMysqlUrl(text: string): MysqlAddress {
  const url = parseUrl(text);
  const options = readOptions(url);
  const ssl = options.get('ssl') ?? (options.size > 0 ? 'true' : 'false');
  if (!isMode(ssl)) throw new MysqlUrlError(`one of ${MODES.join(', ')} for ssl`, ssl);
  if (ssl === 'false' && options.size > 1) throw new MysqlUrlError('ssl=true with certificate files', 'ssl=false');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (ssl === 'true' && isIP(host) !== 0)
    throw new MysqlUrlError('a host name and no IP address, because ssl=true checks the name', host);
  if (options.has('ssl_cert') !== options.has('ssl_key'))
    throw new MysqlUrlError('both ssl_cert and ssl_key', 'only one of them');
  return {
    host,
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    user: decode(url.username, 'user'),
    password: decode(url.password, 'password'),
    database: readDatabase(url),
    ssl,
    sslFiles: Object.fromEntries(
      ['ca', 'cert', 'key'].flatMap((name) => {
        const file = options.get(`ssl_${name}`);
        return file === undefined ? [] : [[name, file]];
      }),
    ),
  };
}

/** Formats `host:port` for messages. */
export function placeOf({ host, port }: Pick<MysqlAddress, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Thrown for an invalid URL. The message never contains the URL, because the URL may contain a password. */
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

function parseUrl(text: string): URL {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0] ?? 'no scheme';
  if (scheme.toLowerCase() !== 'mysql:') throw new MysqlUrlError('the scheme mysql:', scheme);
  // `canParse` is used because the error of `new URL` contains the whole text, including the password.
  if (!URL.canParse(text)) throw new MysqlUrlError('a URL with percent-encoded special characters', 'an invalid URL');
  const url = new URL(text);
  if (url.hostname === '') throw new MysqlUrlError('a host', '');
  if (url.username === '') throw new MysqlUrlError('a user', '');
  if (url.hash !== '') throw new MysqlUrlError('no # (encode it as %23)', '#');
  return url;
}

function readOptions(url: URL): Map<string, string> {
  const options = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (!OPTIONS.includes(name)) throw new MysqlUrlError(`only the options ${OPTIONS.join(', ')}`, name);
    if (options.has(name)) throw new MysqlUrlError(`${name} only once`, 'two values');
    if (value === '') throw new MysqlUrlError(`a value for ${name}`, '');
    options.set(name, value);
  }
  return options;
}

function readDatabase(url: URL): string {
  const database = decode(url.pathname.slice(1), 'database');
  if (database !== '' && !database.includes('/')) return database;
  throw new MysqlUrlError('a database after the host, such as /insight', url.pathname);
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new MysqlUrlError(`a percent-encoded ${part} (encode % as %25)`, 'a % without two hexadecimal digits');
  }
}

function isMode(text: string): text is MysqlAddress['ssl'] {
  return (MODES as readonly string[]).includes(text);
}
