import { existsSync } from 'node:fs';
import { databaseFile } from '../../server/settings/database-location.js';
import type { TableReference } from '../../warehouse/reference/table-reference-entry.js';
import type { CommandContext } from '../terminal/command-context.js';
import { errorMessage } from '../terminal/error-message.js';

/**
 * Reads the reference of the own tables; empty if there is no database. If a service has the database open, the service runs the command
 * `words` and prints the result. If the database cannot be read, prints a warning.
 */
export async function readOwnTablesIfAny(
  context: CommandContext,
  words: readonly string[],
): Promise<ReadonlyMap<string, TableReference> | 'answered by the service'> {
  const file = databaseFile(context.settings);
  if (file !== undefined && !existsSync(file)) return new Map();
  try {
    const { readOwnTables } = await import('../../warehouse/own-tables/stored-own-tables.js');
    return await readOwnTables((await context.warehouse()).database);
  } catch (error) {
    const { DatabaseHeldError } = await import('../../engine/databases/duckdb/open-error.js');
    const [reply] = error instanceof DatabaseHeldError ? await context.askServices(words) : [];
    if (reply !== undefined) {
      context.output.print(reply.out.trimEnd());
      context.exitCode = reply.code === 0 ? 0 : 2;
      return 'answered by the service';
    }
    context.output.warn(`Own tables are not known: ${errorMessage(error)}`);
    return new Map();
  }
}
