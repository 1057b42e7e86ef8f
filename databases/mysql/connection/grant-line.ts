/** A line of SHOW GRANTS by which its holder may do more than read in a database. */
export interface WritingGrant {
  /** What it allows besides reading, such as INSERT. */
  readonly privileges: readonly string[];
  /** The line without the password and the limits of the account. */
  readonly text: string;
  /** For messages: the account, the role or PUBLIC. */
  readonly heldBy: string;
  /** The holder as a REVOKE statement names it. */
  readonly holder: string;
  /** What a REVOKE statement has between REVOKE and FROM; `undefined` in a line of an unknown form. */
  readonly revocable?: string;
}

/**
 * What a line of SHOW GRANTS allows besides reading in the database. Grants on other databases do not count, except on
 * `mysql`, where an account can give itself rights. A line that gives roles allows nothing by itself. A line of an
 * unknown form counts.
 */
export function writingGrant(line: string, database: string): WritingGrant | undefined {
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
    heldBy: describedHolder(holder),
    holder,
    revocable: `${revocableOf(writing)} ON ${object}`,
  };
}

/** The quoted names of the roles that a line of SHOW GRANTS gives to an account; not those of a role or of PUBLIC. */
export function grantedRoles(line: string): string[] {
  const [, list, holder = ''] = ROLES.exec(line) ?? [];
  return ACCOUNT.test(holder) ? (list?.match(ROLE_NAME) ?? []) : [];
}

/** Privileges with which no data, files, accounts or settings can be changed. */
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
/** Everything, a database, a table, a routine such as FUNCTION `d`.`f`, or an account for PROXY; then the holder. */
const ON_TO = new RegExp(`^(\\*\\.\\*|(?:${WORDS} )?(${NAME})\\.(\\*|${NAME})|${ROLE}) TO (${HOLDER})(?=\\s|$)(.*)$`);

const UNKNOWN = { heldBy: 'the account or one of its roles', holder: '' };

function describedHolder(holder: string): string {
  if (holder === 'PUBLIC') return 'PUBLIC (every account)';
  return `the ${ACCOUNT.test(holder) ? 'account' : 'role'} ${holder}`;
}

/** Neither ALL PRIVILEGES nor PROXY can be revoked in one statement with another privilege. */
function revocableOf(privileges: readonly string[]): string {
  return privileges.find((one) => one === 'ALL PRIVILEGES' || one === 'PROXY') ?? privileges.join(', ');
}

function withoutColumns(privilege: string): string {
  return privilege.replace(COLUMN_LIST, '');
}

/**
 * Whether a quoted name of a grant can mean the database. Only grants on whole databases have patterns. More counts
 * than a server with names by case, or with one way to count the characters that `_` means, lets through.
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

/** One character for each byte of the text: MySQL and MariaDB match bytes. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}
