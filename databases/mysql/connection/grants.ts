import { grantedRoles, type WritingGrant, writingGrant } from './grant-line.js';
import type { ServerConnection } from './server-connection.js';

/** The account may write, or its grants do not show that it may not. */
export class WritingAccountError extends Error {
  override readonly name = 'WritingAccountError';
}

/**
 * Throws `WritingAccountError` unless the account of the connection, with every role that it may take, holds nothing
 * but privileges to read in the database. Rejects what it cannot read. Changes the roles of the connection.
 */
export async function requireReadingAccount(connection: Session, place: string, database: string): Promise<void> {
  const grants = await writingGrants(connection, place, database);
  const [first] = grants;
  if (first === undefined) return;
  const privileges = [...new Set(grants.flatMap((grant) => grant.privileges))].join(', ');
  const { holder, revocable } = first;
  const example =
    revocable === undefined ? '' : `For example, run: REVOKE ${revocable} FROM ${holder}; as an administrator. `;
  throw new WritingAccountError(
    `The account for reading the database ${database} at ${place} may do more than read; it holds ${privileges}. ` +
      `The grants are: ${grants.map(({ text, heldBy }) => `${text}, held by ${heldBy}`).join('; ')}. ${example}${REMEDY}`,
  );
}

type Session = Pick<ServerConnection, 'ask' | 'flavor'>;

const REMEDY =
  'Make an account that holds SELECT only (GRANT SELECT ON `database`.* TO …), or allow that of DATABASE_URL to write ' +
  'with DATABASE_ALLOW_WRITING_ACCOUNT=yes.';

/** Those of the account itself and of each of its roles. */
async function writingGrants(connection: Session, place: string, database: string): Promise<WritingGrant[]> {
  const within = (lines: readonly string[]) => lines.flatMap((line) => writingGrant(line, database) ?? []);
  try {
    await connection.ask('SET ROLE NONE').catch(withoutRoles);
    const lines = await showGrants(connection, 'SHOW GRANTS');
    const roles = lines.flatMap(grantedRoles);
    if (connection.flavor === 'mariadb') {
      for (const role of roles) {
        await connection.ask(`SET ROLE ${role}`);
        lines.push(...(await showGrants(connection, 'SHOW GRANTS')));
      }
      return within([...new Set(lines)]);
    }
    const grants = within(lines);
    // MySQL and TiDB add the privileges of a role to the lines of the account: they are the role's if the account has none.
    if (grants.length > 0) return grants;
    for (const role of roles) {
      const added = within(await showGrants(connection, `SHOW GRANTS FOR CURRENT_USER() USING ${role}`));
      grants.push(...added.map((grant) => ofRole(grant, role)));
    }
    return grants;
  } catch (cause) {
    const message = `The server at ${place} does not show the grants of the account for reading. ${REMEDY}`;
    throw new WritingAccountError(message, { cause });
  }
}

function ofRole(grant: WritingGrant, role: string): WritingGrant {
  return { ...grant, holder: role, heldBy: `the role ${role} (or a role within it)` };
}

/** MySQL before 8.0 has no roles: none is active. */
function withoutRoles(error: unknown): void {
  if ((error as { errno?: number }).errno !== PARSE_ERROR) throw error;
}

const PARSE_ERROR = 1064;

async function showGrants(connection: Session, sql: string): Promise<string[]> {
  const lines = (await connection.ask(sql)).map(([line]) => String(line));
  if (lines.length === 0) throw new Error('the server shows no grants');
  return lines;
}
