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

/** Makes sure, by reading alone, that the tables are of this program's version. Throws `NewerSchemaError` or `OlderSchemaError`. */
export async function requireSchema(database: Database): Promise<void> {
  const steps = await migrations();
  const done = await versionsOf(database);
  refuseNewer(done, steps);
  const missing = steps.filter(({ version }) => !done.includes(version));
  if (missing.length === 0) return;
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
