import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EmbeddedDatabase } from '../../engine/databases/duckdb/embedded.js';
import { type Database, requireEffectiveFilters, rollupVersions } from '../../engine/index.js';
import type { TableReferences } from '../../warehouse/reference/find-table.js';
import type { ApiFolder } from '../settings/api-folder.js';
import { DEFAULT_CONNECTIONS, databaseFile } from '../settings/database-location.js';
import { readRollupTables } from '../settings/definitions.js';
import { makeFolder } from '../settings/make-folder.js';
import {
  closeOnFailure,
  duckdbOptions,
  type OpenDatabase,
  type OpeningOptions,
  type Warehouse,
  type WarehouseSettings,
  writingUrlOf,
} from './warehouse.js';

/** Opens the database of the settings. Throws an error with the reason if it cannot be used. */
export async function openWarehouse(
  settings: WarehouseSettings & { readonly api?: undefined },
  options: OpeningOptions,
): Promise<Warehouse>;
export async function openWarehouse(settings: WarehouseSettings, options: OpeningOptions): Promise<OpenDatabase>;
export async function openWarehouse(settings: WarehouseSettings, options: OpeningOptions): Promise<OpenDatabase> {
  if (settings.api !== undefined) return openOwnDatabase(settings, settings.api, options.onNotice);
  const file = databaseFile(settings);
  // The modules of the warehouse are loaded only when needed, so that an API in a folder starts faster.
  const { openFile, openServer } = await import('./open-warehouse.js');
  return file === undefined ? openServer(settings, options) : openFile(settings, file, options);
}

/** Opens the database of an API in a folder. The service only reads it: it creates no table, and stores nothing. */
async function openOwnDatabase(
  settings: WarehouseSettings,
  api: ApiFolder,
  onNotice: (message: string) => void = () => undefined,
): Promise<OpenDatabase> {
  const { database, selects, versions, rollups, close } = await openOwnData(settings, api, onNotice);
  const opened = [{ close }];
  let published: Promise<TableReferences> | undefined;
  const readPublicTables = () => {
    published ??= readPublished(settings, api, database);
    return published;
  };
  const openPlayground = async () => {
    const tables = await readPublicTables();
    const { openFilePlayground, openServerPlayground } = await import('./open-playground.js');
    if (isEmbedded(database)) {
      return openFilePlayground(database, { settings, tables, selects, onNotice });
    }
    const { requireReadable } = await import('./published-tables.js');
    const playground = await openServerPlayground(settings, (one) => requireReadable(tables, one));
    opened.push(playground);
    return playground;
  };
  return {
    ...{ database, versions, rollups, store: undefined, state: undefined, readPublicTables },
    openPlayground: Object.keys(api.published).length === 0 ? undefined : openPlayground,
    close: async () => {
      await Promise.all(opened.map((one) => one.close()));
    },
  };
}

/** Loads the code for published tables only for an API that publishes some. */
async function readPublished(
  settings: WarehouseSettings,
  api: ApiFolder,
  database: Database,
): Promise<TableReferences> {
  const names = Object.keys(api.published);
  if (names.length === 0) return new Map();
  const rollups = isEmbedded(database) ? await readRollupTables(settings) : new Set();
  const rollup = names.find((name) => rollups.has(name.toLowerCase()));
  if (rollup !== undefined)
    throw new Error(
      `api.yaml: published: ${rollup} is a materialized table, which SQL of callers reads only on a server`,
    );
  const { readPublishedTables } = await import('./published-tables.js');
  return readPublishedTables({ ...settings, api }, database);
}

interface OwnData extends Pick<OpenDatabase, 'database' | 'versions' | 'rollups' | 'close'> {
  /** The SELECTs of the views of files by name; undefined for a database. */
  readonly selects: ReadonlyMap<string, string> | undefined;
}

/** Opens the database of `DATABASE_URL`, or the files that are tables. */
async function openOwnData(
  settings: WarehouseSettings,
  { tables, described, rowFilters }: ApiFolder,
  onNotice: (message: string) => void,
): Promise<OwnData> {
  const [first] = tables;
  if (settings.databaseUrl === undefined) {
    const rollups = described.length === 0 ? new Set() : await readRollupTables(settings);
    const unread = described.find(({ name }) => !rollups.has(name.toLowerCase()));
    if (unread !== undefined)
      throw new Error(`tables/${unread.name}: source is missing: without DATABASE_URL, rows are in files.`);
    if (first === undefined) throw new Error(HOW_TO_CONNECT);
    const { openFileDatabase } = await import('./file-database.js');
    const readers = settings.databaseConnections ?? DEFAULT_CONNECTIONS.embedded;
    const { memoryLimit, threads, tempDirectory } = await duckdbOptions(settings);
    const rollupFolder = await makeRollupFolder(settings);
    const limits = { memoryLimit, threads, tempDirectory, readers, rollupFolder };
    return openFileDatabase({ ...limits, tables, pollMs: settings.versionPollMs, onNotice });
  }
  if (first !== undefined) throw new Error(`tables/${first.name}.yaml: files are tables only without DATABASE_URL.`);
  const isFile = databaseFile(settings) !== undefined;
  const rollupFolder = isFile ? await makeRollupFolder(settings) : undefined;
  const database = await openForReading(settings, onNotice, { rollupFolder });
  await closeOnFailure(database, () => requireEffectiveFilters(database, rowFilters, () => readRollupTables(settings)));
  const pollMs = settings.versionPollMs;
  if (isEmbedded(database) && rollupFolder !== undefined) {
    const { openRollups } = await import('./file-database.js');
    const opened = await openRollups(database, { rollupFolder, pollMs, onNotice }, async () => new Map());
    return { database, selects: undefined, ...opened };
  }
  return openServerRollups(database, settings, onNotice);
}

/** Opens the materialized tables of a server. Without an account that may write, this process only reads them. */
async function openServerRollups(
  database: Database,
  settings: WarehouseSettings,
  onNotice: (message: string) => void,
): Promise<OwnData> {
  const [{ readServerStates, ServerRollups }, { PolledVersions }] = await Promise.all([
    import('../../engine/databases/mysql/server-rollups.js'),
    import('../../warehouse/versions/polled-versions.js'),
  ]);
  const writeUrl = writingUrlOf(settings);
  const onChange = () => versions.expectChange();
  const rollups = writeUrl === undefined ? undefined : new ServerRollups(database, writeUrl, onChange);
  const read = async (timeoutMs: number) => rollupVersions(await readServerStates(database, timeoutMs));
  const versions = new PolledVersions({ read, pollMs: settings.versionPollMs, onNotice });
  const close = async () => {
    versions.close();
    await database.close();
  };
  return { database, selects: undefined, versions, rollups, close };
}

/** Creates the folder of the files of materialized tables. */
async function makeRollupFolder({ dataDirectory }: WarehouseSettings): Promise<string> {
  const folder = resolve(dataDirectory, 'rollups');
  await makeFolder(folder);
  return folder;
}

function isEmbedded(database: Database): database is EmbeddedDatabase {
  return 'openIsolated' in database;
}

const HOW_TO_CONNECT =
  'DATABASE_URL is not set. Write it into the file .env of this folder, for example ' +
  'DATABASE_URL=mysql://reader:password@127.0.0.1:3306/shop, or DATABASE_URL=duckdb:shop.duckdb. The account needs only read access. ' +
  'For Parquet, CSV and JSON files, write a file in tables/ instead.';

/** Opens the database of the settings without changing it. Throws an error with the reason if it cannot be used. */
export async function openForReading(
  settings: WarehouseSettings,
  onNotice: NonNullable<OpeningOptions['onNotice']>,
  {
    closeGraceMs = 5_000,
    rollupFolder,
  }: { readonly closeGraceMs?: number; readonly rollupFolder?: string | undefined } = {},
): Promise<Database> {
  const file = databaseFile(settings);
  if (file === undefined) {
    const { databaseUrl: url = '', databaseConnections: connections = DEFAULT_CONNECTIONS.server } = settings;
    const allowWritingAccount = settings.databaseAllowWritingAccount === 'yes';
    const { openMysql } = await import('../../engine/databases/mysql/database.js');
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
    rollupFolder,
    onNotice,
  };
  const { openEmbedded } = await import('../../engine/databases/duckdb/embedded.js');
  const database = await openEmbedded({ ...options, access: 'read_only' });
  return closeOnFailure(database, async () => {
    if (settings.api === undefined) await (await loadSchema()).requireVersion(database);
    return database;
  });
}

/** Loads the checks of the tables, which a database of an API does not need. */
function loadSchema() {
  return import('../../warehouse/schema/schema.js');
}
