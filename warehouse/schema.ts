import type { Database } from '../engine/database.js';
import { type Migration, migrations } from './migrations.js';

/** The tables were made by a later version of this program. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** There are no tables of this program, or some of an earlier version. */
export class OlderSchemaError extends Error {
  override readonly name = 'OlderSchemaError';
}

/** A table was made, or changed, by somebody else, so that its text compares otherwise than byte by byte. */
export class CollationError extends Error {
  override readonly name = 'CollationError';
}

/**
 * Makes sure, by reading alone, that the tables of a server are of this program's version and compare text as it does.
 * Throws `NewerSchemaError`, `OlderSchemaError` or `CollationError`.
 */
export async function requireSchema(database: Database): Promise<void> {
  const steps = await migrations();
  const done = await versionsOf(database);
  refuseNewer(done, steps);
  const missing = steps.filter(({ version }) => !done.includes(version));
  if (missing.length === 0) return requireCollation(database, steps);
  const found =
    done.length === 0 ? 'There are no tables of this program' : `The tables are of version ${Math.max(...done)}`;
  throw new OlderSchemaError(
    `${found}; this program needs version ${newestOf(steps)}. Run \`data migrate\` with an account that may change tables: ` +
      'that of DATABASE_WRITE_URL.',
  );
}

export function refuseNewer(done: readonly number[], steps: readonly Migration[]): void {
  const newest = Math.max(0, ...done);
  if (newest <= newestOf(steps)) return;
  throw new NewerSchemaError(
    `The tables are of version ${newest}, made by a later version of this program; this one knows versions up to ` +
      `${newestOf(steps)}. Use the later program.`,
  );
}

/** Under another collation some texts would be equal, and others be missed by an index: answers would be wrong without an error. */
async function requireCollation(database: Database, steps: readonly Migration[]): Promise<void> {
  const statements = steps.flatMap((step) => step.statements);
  const tables = new Set(statements.map((statement) => /^CREATE TABLE (\w+)/m.exec(statement)?.[1]));
  const query = database.prepare(
    `SELECT table_name AS name, column_name AS col, collation_name AS collation FROM information_schema.columns
     WHERE table_schema = DATABASE() AND collation_name <> '${COLLATION}' ORDER BY table_name, ordinal_position`,
  );
  const { rows } = await database.query(query, [], { maxRows: 10_000, timeoutMs: 30_000 });
  const [first, ...others] = rows.filter(([table]) => tables.has(String(table)));
  if (first === undefined) return;
  const [table, column, collation] = first;
  throw new CollationError(
    `Text must compare byte by byte, with the collation ${COLLATION}; ${table}.${column} has ${collation}, and ${others.length} ` +
      `more columns have another one. Run ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb4 COLLATE ${COLLATION}.`,
  );
}

const COLLATION = 'utf8mb4_bin';

function newestOf(steps: readonly Migration[]): number {
  return Math.max(0, ...steps.map(({ version }) => version));
}

async function versionsOf(database: Database): Promise<number[]> {
  try {
    const query = database.prepare('SELECT version FROM schema_versions');
    const { rows } = await database.query(query, [], { maxRows: 10_000, timeoutMs: 30_000 });
    return rows.map(([version]) => Number(version));
  } catch (error) {
    if (!NO_TABLE.has(Number((error as { errno?: unknown }).errno))) throw error;
    return [];
  }
}

/** MySQL's numbers for a table that is not there, or of which the account may not know. */
const NO_TABLE = new Set([1146, 1142]);
