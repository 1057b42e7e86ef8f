import { existsSync } from 'node:fs';
import { type Database, NO_VERSIONS } from '../engine/index.js';
import { DEFAULT_CONNECTIONS, databaseFile } from './settings/database-location.js';
import {
  closeOnFailure,
  duckdbOptions,
  type OpenDatabase,
  type OpeningOptions,
  type Warehouse,
  type WarehouseSettings,
} from './warehouse.js';

/** Opens the database of the settings. Throws an error with the reason if it cannot be used. */
export async function openWarehouse(
  settings: WarehouseSettings & { readonly api?: undefined },
  options: OpeningOptions,
): Promise<Warehouse>;
export async function openWarehouse(settings: WarehouseSettings, options: OpeningOptions): Promise<OpenDatabase>;
export async function openWarehouse(settings: WarehouseSettings, options: OpeningOptions): Promise<OpenDatabase> {
  if (settings.api !== undefined) return openOwnDatabase(settings, options.onNotice);
  const file = databaseFile(settings);
  // The modules of the warehouse are loaded only when needed, so that an API in a folder starts faster.
  const { openFile, openServer } = await import('./open-warehouse.js');
  return file === undefined ? openServer(settings, options) : openFile(settings, file, options);
}

/** Opens the database of an API in a folder. The service only reads it: it creates no table, and stores nothing. */
async function openOwnDatabase(
  settings: WarehouseSettings,
  onNotice: (message: string) => void = () => undefined,
): Promise<OpenDatabase> {
  const tables = settings.api?.tables ?? [];
  const [first] = tables;
  if (settings.databaseUrl === undefined) {
    if (first === undefined) throw new Error(HOW_TO_CONNECT);
    const { openFileDatabase } = await import('./file-database.js');
    const readers = settings.databaseConnections ?? DEFAULT_CONNECTIONS.embedded;
    const { memoryLimit, threads, tempDirectory } = await duckdbOptions(settings);
    return openFileDatabase({
      memoryLimit,
      threads,
      tempDirectory,
      readers,
      tables,
      pollMs: settings.versionPollMs,
      onNotice,
    });
  }
  if (first !== undefined) throw new Error(`tables/${first.name}.yaml: files are tables only without DATABASE_URL.`);
  const database = await openForReading(settings, onNotice);
  const close = () => database.close();
  return { database, store: undefined, state: undefined, versions: NO_VERSIONS, openPlayground: undefined, close };
}

const HOW_TO_CONNECT =
  'DATABASE_URL is not set. Write it into the file .env of this folder, for example ' +
  'DATABASE_URL=mysql://reader:password@127.0.0.1:3306/shop, or DATABASE_URL=duckdb:shop.duckdb. The account needs only read access. ' +
  'For Parquet, CSV and JSON files, write a file in tables/ instead.';

/** Opens the database of the settings without changing it. Throws an error with the reason if it cannot be used. */
export async function openForReading(
  settings: WarehouseSettings,
  onNotice: NonNullable<OpeningOptions['onNotice']>,
  closeGraceMs = 5_000,
): Promise<Database> {
  const file = databaseFile(settings);
  if (file === undefined) {
    const { databaseUrl: url = '', databaseConnections: connections = DEFAULT_CONNECTIONS.server } = settings;
    const allowWritingAccount = settings.databaseAllowWritingAccount === 'yes';
    const { openMysql } = await import('../engine/databases/mysql/database.js');
    const database = await openMysql({ url, connections, allowWritingAccount, closeGraceMs });
    return closeOnFailure(database, async () => {
      if (settings.api === undefined) await (await loadSchema()).requireSchema(database);
      return database;
    });
  }
  if (!existsSync(file)) throw new Error(`There is no database ${file}.`);
  const options = {
    ...(await duckdbOptions(settings)),
    file,
    readers: settings.databaseConnections ?? DEFAULT_CONNECTIONS.embedded,
    closeGraceMs,
    onNotice,
  };
  const { openEmbedded } = await import('../engine/databases/duckdb/embedded.js');
  const database = await openEmbedded({ ...options, access: 'read_only' });
  return closeOnFailure(database, async () => {
    if (settings.api === undefined) await (await loadSchema()).requireVersion(database);
    return database;
  });
}

/** Loads the checks of the tables, which a database of an API does not need. */
function loadSchema() {
  return import('../warehouse/schema/schema.js');
}
