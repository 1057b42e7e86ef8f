import type { ServerConnection } from './server-connection.js';

/** The account may write, or it cannot be told that it may not. */
export class WritingAccountError extends Error {
  override readonly name = 'WritingAccountError';
}

/**
 * Throws `WritingAccountError` unless the account of the connection, with every role that it may take, holds nothing
 * but privileges to read. What cannot be read is refused. Changes the roles of the connection.
 */
export async function requireReadingAccount(connection: ServerConnection, place: string): Promise<void> {
  const lines = await grantLines(connection, place);
  const writing = [...new Set(lines.flatMap(writingPrivileges))];
  if (writing.length === 0) return;
  throw new WritingAccountError(
    `The account for reading the database at ${place} may do more than read; it holds ${writing.join(', ')}. ${REMEDY}`,
  );
}

/**
 * What one line of SHOW GRANTS lets an account do besides reading, such as INSERT. Grants of roles tell nothing here;
 * a line of another form than known counts as a privilege.
 */
export function writingPrivileges(line: string): string[] {
  if (ROLE.test(line) || /^(SET DEFAULT ROLE|REVOKE) /.test(line)) return [];
  const [, list, rest = ''] = PRIVILEGES.exec(line) ?? [];
  if (list === undefined) return [`an unknown grant (${line.split(/\s/, 2).join(' ')} …)`];
  const names = list.replace(COLUMN_LISTS, '').split(',');
  const writing = names.map((name) => name.trim()).filter((name) => !READING.has(name));
  return / WITH .*GRANT OPTION/.test(rest) ? [...writing, 'GRANT OPTION'] : writing;
}

/** The quoted names of the roles that a line of SHOW GRANTS gives. */
export function grantedRoles(line: string): string[] {
  const [, list] = ROLE.exec(line) ?? [];
  return list?.match(ROLE_NAME) ?? [];
}

const REMEDY =
  'Make an account that holds SELECT only (GRANT SELECT ON `database`.* TO …), or let that of DATABASE_URL write by ' +
  'DATABASE_ALLOW_WRITING_ACCOUNT=yes.';

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

const NAME = /(?:`(?:[^`]|``)*`|'(?:[^']|'')*'|"(?:[^"]|"")*")/.source;
const ROLE_NAME = new RegExp(`${NAME}(?:@${NAME})?`, 'g');
const ROLE = new RegExp(`^GRANT (${NAME}(?:@${NAME})?(?:, ?${NAME}(?:@${NAME})?)*) TO `);
const WORDS = /[A-Z_]+(?: [A-Z_]+)*/.source;
const COLUMNS = `\\((?:${NAME}|[^)\`'"])*\\)`;
const PRIVILEGE = `${WORDS}(?: ?${COLUMNS})?`;
const PRIVILEGES = new RegExp(`^GRANT (${PRIVILEGE}(?:, ?${PRIVILEGE})*) ON (.*)$`);
const COLUMN_LISTS = new RegExp(COLUMNS, 'g');

/** The grants of the account itself, and of each of its roles as if it were taken. */
async function grantLines(connection: ServerConnection, place: string): Promise<string[]> {
  try {
    await connection.ask('SET ROLE NONE').catch(withoutRoles);
    const own = await showGrants(connection, 'SHOW GRANTS');
    const roles = own.flatMap(grantedRoles);
    if (roles.length === 0) return own;
    if (connection.flavor !== 'mariadb') {
      return [...own, ...(await showGrants(connection, `SHOW GRANTS FOR CURRENT_USER() USING ${roles.join(', ')}`))];
    }
    const lines = [...own];
    for (const role of roles) {
      await connection.ask(`SET ROLE ${role}`);
      lines.push(...(await showGrants(connection, 'SHOW GRANTS')));
    }
    return lines;
  } catch (cause) {
    const message = `What the account for reading the database at ${place} may do cannot be found out. ${REMEDY}`;
    throw new WritingAccountError(message, { cause });
  }
}

/** MySQL before 8.0 has no roles, and so none that could be active. */
function withoutRoles(error: unknown): void {
  if ((error as { errno?: number }).errno !== PARSE_ERROR) throw error;
}

const PARSE_ERROR = 1064;

async function showGrants(connection: ServerConnection, sql: string): Promise<string[]> {
  const lines = (await connection.ask(sql)).map(([line]) => String(line));
  if (lines.length === 0) throw new Error('the server shows no grants');
  return lines;
}
