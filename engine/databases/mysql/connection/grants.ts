import { parseGrantedRoles, parseWritingGrant, type WritingGrant } from './grant-line.js';
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
