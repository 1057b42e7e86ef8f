import { EmbeddedState } from '../../accounts/embedded-state.js';
import { limitStateReads } from '../../accounts/state-reads.js';
import { type EmbeddedDatabase, openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import type { Database } from '../../engine/index.js';
import { migrate } from '../../warehouse/migrate.js';
import type { TableReferences } from '../../warehouse/reference/find-table.js';
import { requireExactTables, requireSchema } from '../../warehouse/schema/schema.js';
import { EmbeddedStore } from '../../warehouse/store/embedded-store.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { PolledVersions } from '../../warehouse/versions/polled-versions.js';
import { readVersions } from '../../warehouse/versions/version-table.js';
import { DEFAULT_CONNECTIONS } from '../settings/database-location.js';
import { openFilePlayground, openServerPlayground } from './open-playground.js';
import {
  closeOnFailure,
  duckdbOptions,
  type OpeningOptions,
  type Warehouse,
  type WarehouseSettings,
  writingUrlOf,
} from './warehouse.js';

/** Opens a database file and creates its missing tables. */
export async function openFile(
  settings: WarehouseSettings,
  file: string,
  { onNotice, stateMs: timeoutMs }: Omit<OpeningOptions, 'migrating'> = {},
): Promise<Warehouse> {
  const database = await openEmbedded({
    ...(await duckdbOptions(settings)),
    file,
    readers: settings.databaseConnections ?? DEFAULT_CONNECTIONS.embedded,
    ...(onNotice && { onNotice }),
  });
  return closeOnFailure(database, async () => {
    const store = new EmbeddedStore(database, onNotice);
    await migrate(store);
    const { versions } = store;
    await versions.confirm();
    const openPlayground = () => openFilePlayground(database, { settings, tables: TABLE_REFERENCE, onNotice });
    const close = () => database.close();
    const backUp: EmbeddedDatabase['backUp'] = (to, signal) => database.backUp(to, signal);
    const verify: EmbeddedDatabase['verify'] = (signal) => database.verify(signal);
    if (timeoutMs !== undefined) limitStateReads(database, timeoutMs);
    const state = new EmbeddedState(database, { ...(timeoutMs !== undefined && { timeoutMs }) });
    return { database, store, state, versions, readPublicTables, openPlayground, backUp, verify, close };
  });
}

/** Opens the database of a server. With `migrating`, creates its missing tables. */
export async function openServer(settings: WarehouseSettings, options: OpeningOptions): Promise<Warehouse> {
  const { migrating, onNotice, stateMs: timeoutMs } = options;
  const { databaseUrl: url = '', tiflashReplicas, versionPollMs: pollMs } = settings;
  const connections = settings.databaseConnections ?? DEFAULT_CONNECTIONS.server;
  const allowWritingAccount = settings.databaseAllowWritingAccount === 'yes';
  const { openMysql, MysqlState, MysqlStore } = await loadMysql();
  const database = await openMysql({ url, connections, allowWritingAccount });
  return closeOnFailure(database, async () => {
    const writeUrl = writingUrlOf(settings);
    const limits = { ...(await duckdbOptions(settings)), silenceMs: settings.databaseSilenceMinutes * 60_000 };
    const versions = new PolledVersions({ read: (timeoutMs) => readVersions(database, timeoutMs), pollMs, onNotice });
    const callbacks = { onCommit: () => versions.expectChange(), ...(onNotice && { onNotice }) };
    const store = writeUrl === undefined ? undefined : new MysqlStore({ ...limits, url: writeUrl, ...callbacks });
    return closeOnFailure(store, async () => {
      if (migrating && store !== undefined) {
        await migrate(store);
        if (tiflashReplicas > 0) await store.replicate(tiflashReplicas);
      }
      await requireSchema(database);
      if (timeoutMs !== undefined) limitStateReads(database, timeoutMs);
      const state =
        writeUrl === undefined
          ? undefined
          : new MysqlState({ url: writeUrl, ...(timeoutMs !== undefined && { timeoutMs }) });
      const opened: { close(): Promise<void> }[] = [database, ...(store ? [store] : []), ...(state ? [state] : [])];
      const openPlayground = async () => {
        const playground = await openServerPlayground(settings, requirePublicTables);
        opened.push(playground);
        return playground;
      };
      const close = async () => {
        versions.close();
        await Promise.all(opened.map((one) => one.close()));
      };
      return { database, store, state, versions, readPublicTables, openPlayground, close };
    });
  });
}

async function readPublicTables(): Promise<TableReferences> {
  return TABLE_REFERENCE;
}

export function requirePublicTables(database: Database): Promise<void> {
  return requireExactTables(database, [...TABLE_REFERENCE.keys()]);
}

/** Loads the modules for database servers only when needed, so that a service with a database file starts faster. */
async function loadMysql() {
  const [{ openMysql }, { MysqlState }, { MysqlStore }] = await Promise.all([
    import('../../engine/databases/mysql/database.js'),
    import('../../accounts/mysql-state.js'),
    import('../../warehouse/store/mysql-store.js'),
  ]);
  return { openMysql, MysqlState, MysqlStore };
}
