import {
  type Database,
  type DataVersions,
  type Engine,
  NO_VERSIONS,
  PATIENT_METADATA_TIMEOUT_MS,
} from '../../../engine/index.js';
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
  const versions = await versionsOf(context, databaseUrl);
  return withDatabase(context, databaseUrl, (database) => useEngine(context.settings, { database, versions }, use));
}

/** Returns the versions of the tables of an API in a folder, so that its answers state the same age as those of the service. */
async function versionsOf(
  { settings, warehouse }: CommandContext,
  databaseUrl: string | undefined,
): Promise<DataVersions | undefined> {
  if (settings.api === undefined) return undefined;
  return databaseUrl === undefined ? (await warehouse()).versions : NO_VERSIONS;
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
  { database, versions }: { readonly database: Database; readonly versions: DataVersions | undefined },
  use: (engine: Engine, database: Database) => Promise<T>,
): Promise<T> {
  const engine = await openEngine(settings, database, {
    metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
    ...(versions && { versions }),
  });
  await engine.refreshChoices();
  return use(engine, database);
}
