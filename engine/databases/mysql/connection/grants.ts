import type { ServerConnection } from './server-connection.js';

/** Thrown if the account can write, or if its grants do not prove that it cannot. */
export class WritingAccountError extends Error {
  override readonly name = 'WritingAccountError';
}

/**
 * Throws `WritingAccountError` if the account of the connection, or one of its roles, has privileges other than reading the database.
 * Grants with unknown syntax count as privileges to write. This function changes the active roles of the connection.
 */
export async function requireReadingAccount(connection: Session, place: string, database: string): Promise<void> {
  const grants = await readWritingGrants(connection, place, database);
  const [first] = grants;
  if (first === undefined) return;
  const privileges = [...new Set(grants.flatMap((grant) => grant.privileges))].join(', ');
  const { holder, revocable } = first;
  const example =
    revocable === undefined ? '' : `For example, run: REVOKE ${revocable} FROM ${holder}; as an administrator. `;
  throw new WritingAccountError(
    `The account for reading the database ${database} at ${place} must only be able to read, but it has ${privileges}. ` +
      `The grants are: ${grants.map(({ text, heldBy }) => `${text}, held by ${heldBy}`).join('; ')}. ${example}${REMEDY}`,
  );
}

type Session = Pick<ServerConnection, 'run' | 'flavor'>;

const REMEDY =
  'Create an account that only has SELECT (GRANT SELECT ON `database`.* TO …), or allow the account of DATABASE_URL to ' +
  'write with DATABASE_ALLOW_WRITING_ACCOUNT=yes.';

/** Reads the grants of the account and of each of its roles. */
async function readWritingGrants(connection: Session, place: string, database: string): Promise<WritingGrant[]> {
  const parse = (lines: readonly string[]) => lines.flatMap((line) => parseWritingGrant(line, database) ?? []);
  try {
    await connection.run('SET ROLE NONE').catch(ignoreUnknownStatement);
    const lines = await showGrants(connection, 'SHOW GRANTS');
    const roles = lines.flatMap(parseGrantedRoles);
    if (connection.flavor === 'mariadb') {
      for (const role of roles) {
        await connection.run(`SET ROLE ${role}`);
        lines.push(...(await showGrants(connection, 'SHOW GRANTS')));
      }
      return parse([...new Set(lines)]);
    }
    const grants = parse(lines);
    // For SHOW GRANTS with USING, MySQL and TiDB add the privileges of the role to those of the account. Here the
    // account itself has no writing grant, so all writing grants in the result belong to the role.
    if (grants.length > 0) return grants;
    for (const role of roles) {
      const added = parse(await showGrants(connection, `SHOW GRANTS FOR CURRENT_USER() USING ${role}`));
      grants.push(...added.map((grant) => ofRole(grant, role)));
    }
    return grants;
  } catch (cause) {
    const message = `The server at ${place} does not show the grants of the account for reading, so it may be able to write. ${REMEDY}`;
    throw new WritingAccountError(message, { cause });
  }
}

function ofRole(grant: WritingGrant, role: string): WritingGrant {
  return { ...grant, holder: role, heldBy: `the role ${role} (or a role within it)` };
}

/** Ignores a syntax error, because MySQL before 8.0 has no roles and does not support the statement. Throws all other errors. */
function ignoreUnknownStatement(error: unknown): void {
  if ((error as { errno?: number }).errno !== PARSE_ERROR) throw error;
}

const PARSE_ERROR = 1064;

async function showGrants(connection: Session, sql: string): Promise<string[]> {
  const lines = (await connection.run(sql)).map(([line]) => String(line));
  if (lines.length === 0) throw new Error('the server shows no grants');
  return lines;
}

/** A line of SHOW GRANTS whose holder may do more than read a database. */
interface WritingGrant {
  /** The privileges that allow more than reading, such as INSERT. */
  readonly privileges: readonly string[];
  /** The line without the password and the resource limits of the account. */
  readonly text: string;
  /** The holder of the grant for messages: the account, the role or PUBLIC. */
  readonly heldBy: string;
  /** The holder as it is written in a REVOKE statement. */
  readonly holder: string;
  /** The text between REVOKE and FROM in a REVOKE statement; undefined if the line has an unknown syntax. */
  readonly revocable?: string;
}

/**
 * Parses a line of SHOW GRANTS. Returns undefined if the line allows only reading the database. Ignores grants on other
 * databases, except on `mysql`, where an account can grant itself privileges. Ignores lines that grant roles, because
 * separate lines contain the privileges of the roles. A line with unknown syntax counts as a writing grant.
 */
export function parseWritingGrant(line: string, database: string): WritingGrant | undefined {
  if (ROLES.test(line) || /^(SET DEFAULT ROLE|REVOKE) /.test(line)) return undefined;
  const [, list, rest = ''] = PRIVILEGES.exec(line) ?? [];
  if (list === undefined) {
    const text = `${line.split(/\s/, 2).join(' ')} …`;
    return { privileges: [`an unknown grant (${text})`], text, ...UNKNOWN };
  }
  const [, object, name, part, holder, options = rest] = ON_TO.exec(rest) ?? [];
  const option = / WITH .*GRANT OPTION/.test(options) ? [GRANT_OPTION] : [];
  const writing = [...(list.match(ONE_PRIVILEGE) ?? []), ...option].filter((one) => !READING.has(withoutColumns(one)));
  if (writing.length === 0) return undefined;
  const privileges = writing.map(withoutColumns);
  if (object === undefined || holder === undefined) return { privileges, text: `GRANT ${list} ON …`, ...UNKNOWN };
  if (name !== undefined && ![database, 'mysql'].some((one) => covers(name, part === '*', one))) return undefined;
  const text = [`GRANT ${list} ON ${object} TO ${holder}`, ...option].join(' WITH ');
  return {
    privileges,
    text,
    heldBy: describeHolder(holder),
    holder,
    revocable: `${formatRevocable(writing)} ON ${object}`,
  };
}

/** Returns the quoted names of the roles that a line of SHOW GRANTS grants to an account; empty for grants to a role or to PUBLIC. */
export function parseGrantedRoles(line: string): string[] {
  const [, list, holder = ''] = ROLES.exec(line) ?? [];
  return ACCOUNT.test(holder) ? (list?.match(ROLE_NAME) ?? []) : [];
}

/** Privileges that do not allow changing data, files, accounts or settings. */
const READING = new Set([
  'USAGE',
  'SELECT',
  'SHOW VIEW',
  'SHOW DATABASES',
  'PROCESS',
  'REPLICATION CLIENT',
  'BINLOG MONITOR',
  'SLAVE MONITOR',
  'REPLICA MONITOR',
]);
const GRANT_OPTION = 'GRANT OPTION';

const NAME = /(?:`(?:[^`]|``)*`|'(?:[^']|'')*'|"(?:[^"]|"")*")/.source;
const ROLE = `${NAME}(?:@${NAME})?`;
const ROLE_NAME = new RegExp(ROLE, 'g');
const ACCOUNT = new RegExp(`^${NAME}@${NAME}$`);
const HOLDER = `PUBLIC|${ROLE}`;
const ROLES = new RegExp(`^GRANT (${ROLE}(?:, ?${ROLE})*) TO (${HOLDER})`);
const WORDS = /[A-Z_]+(?: [A-Z_]+)*/.source;
const COLUMNS = `\\((?:${NAME}|[^)\`'"])*\\)`;
const PRIVILEGE = `${WORDS}(?: ?${COLUMNS})?`;
const ONE_PRIVILEGE = new RegExp(PRIVILEGE, 'g');
const PRIVILEGES = new RegExp(`^GRANT (${PRIVILEGE}(?:, ?${PRIVILEGE})*) ON (.*)$`);
const COLUMN_LIST = new RegExp(` ?${COLUMNS}$`);
/**
 * Matches the end of a grant line: the object (everything, a database, a table, a routine such as FUNCTION `d`.`f`, or
 * an account for PROXY), then the holder.
 */
const ON_TO = new RegExp(`^(\\*\\.\\*|(?:${WORDS} )?(${NAME})\\.(\\*|${NAME})|${ROLE}) TO (${HOLDER})(?=\\s|$)(.*)$`);

const UNKNOWN = { heldBy: 'the account or one of its roles', holder: '' };

function describeHolder(holder: string): string {
  if (holder === 'PUBLIC') return 'PUBLIC (every account)';
  return `the ${ACCOUNT.test(holder) ? 'account' : 'role'} ${holder}`;
}

/** Formats privileges for a REVOKE statement. A REVOKE statement for ALL PRIVILEGES or PROXY cannot name other privileges. */
function formatRevocable(privileges: readonly string[]): string {
  return privileges.find((one) => one === 'ALL PRIVILEGES' || one === 'PROXY') ?? privileges.join(', ');
}

function withoutColumns(privilege: string): string {
  return privilege.replace(COLUMN_LIST, '');
}

/**
 * Whether a quoted name in a grant can match the database. Only names in grants on whole databases can be patterns. The
 * check matches more names than a server does: it ignores case, and `_` matches one character or one byte.
 */
function covers(quoted: string, isPattern: boolean, database: string): boolean {
  const [quote = ''] = quoted;
  const name = quoted.slice(1, -1).replaceAll(quote + quote, quote);
  if (name.toLowerCase() === database.toLowerCase()) return true;
  return isPattern && (matches(name, database) || matches(bytesOf(name), bytesOf(database)));
}

function matches(pattern: string, text: string): boolean {
  const parts = pattern.match(/\\.|./gsu) ?? [];
  return new RegExp(`^${parts.map(expressionOf).join('')}$`, 'isu').test(text);
}

function expressionOf(part: string): string {
  if (part === '%') return '.*';
  if (part === '_') return '.';
  const character = part.length > 1 && part.startsWith('\\') ? part.slice(1) : part;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Returns a text with one character for each byte, because MySQL and MariaDB match bytes. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}
