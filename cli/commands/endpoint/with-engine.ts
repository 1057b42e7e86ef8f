import { type Database, type Engine, PATIENT_METADATA_TIMEOUT_MS } from '../../../engine/index.js';
import { openForReading } from '../../../server/databases/open-database.js';
import { openEngine } from '../../../server/open-engine.js';
import type { CommandContext } from '../../terminal/command-context.js';

/**
 * Runs `use` with an engine of all definitions. The engine uses the warehouse in the settings, or another database without write access.
 */
export async function withEngine<T>(
  context: CommandContext,
  databaseUrl: string | undefined,
  use: (engine: Engine, database: Database) => Promise<T>,
): Promise<T> {
  return withDatabase(context, databaseUrl, (database) => useEngine(context.settings, database, use));
}

/** Runs `use` with the database of the warehouse, or with another database without write access. */
export async function withDatabase<T>(
  { settings, warehouse, output }: CommandContext,
  databaseUrl: string | undefined,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  if (databaseUrl === undefined) return use((await warehouse()).database);
  const database = await openForReading({ ...settings, databaseUrl }, (notice) => output.warn(notice));
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/** Runs `use` with an engine that has read the allowed values of all parameters. */
async function useEngine<T>(
  settings: CommandContext['settings'],
  database: Database,
  use: (engine: Engine, database: Database) => Promise<T>,
): Promise<T> {
  const engine = await openEngine(settings, database, { metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS });
  await engine.refreshChoices();
  return use(engine, database);
}
